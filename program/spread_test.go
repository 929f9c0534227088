package program

import (
	"fmt"
	"testing"

	"github.com/winnow-mutants/winnow/mutant"
)

func TestASpreadKeepsAFewMutantsOfManyLinesAndAlwaysTheSame(t *testing.T) {
	made := func() []mutant.Mutant {
		var out []mutant.Mutant
		for line := 1; line <= 200; line++ {
			for k := range 9 {
				out = append(out, mutant.Mutant{ID: fmt.Sprintf("%x", (line*31+k*17)%4099), File: "a.c", Line: line})
			}
		}
		return out
	}
	for _, s := range []spread{{perLine: 1, share: 1 << 32}, {perLine: 3, share: 1 << 32}, {perLine: 1, share: 1 << 30}} {
		kept, again := s.choose(made()), s.choose(made())
		lines := map[int]int{}
		for i, m := range kept {
			lines[m.Line]++
			if m.ID != again[i].ID {
				t.Fatal("two choices differ")
			}
			if i > 0 && m.Line < kept[i-1].Line {
				t.Fatal("the order has changed")
			}
		}
		want := 200 * int(s.share>>20) / 4096
		if len(lines) < want*3/4 || len(lines) > want*5/4 {
			t.Errorf("%+v: mutants on %d lines of 200, want about %d", s, len(lines), want)
		}
		for line, n := range lines {
			if n != s.perLine {
				t.Errorf("%+v: %d mutants on line %d", s, n, line)
			}
		}
	}
}

func TestALineHasNoMoreMutantsThanPerLine(t *testing.T) {
	var made []mutant.Mutant
	for k := range 30 {
		made = append(made, mutant.Mutant{ID: fmt.Sprint(k), File: "a.c", Line: 1 + k%3})
	}
	if kept := newSpread(&Program{}, 0, 2).choose(made); len(kept) != 6 {
		t.Errorf("%d mutants of 3 lines, want 2 a line", len(kept))
	}
}
