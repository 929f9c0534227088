package main

import (
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
)

// A list reveals what a test does that is drawn from those that kill each of its mutants.
func TestAListIsWorthWhatItsTestsReveal(t *testing.T) {
	kills, err := kill.New([]string{"a", "b", "c"}, []string{"quiet", "reveals"})
	if err != nil {
		t.Fatal(err)
	}
	for m, verdicts := range [][2]matrix.Verdict{{matrix.Killed, matrix.Killed}, {matrix.Survived, matrix.Survived}, {matrix.Survived, matrix.Killed}} {
		for test, v := range verdicts {
			cell := kill.Cell{Verdict: v}
			if v == matrix.Killed {
				cell.Cause = matrix.Exit
			}
			if err := kills.Set(m, test, cell); err != nil {
				t.Fatal(err)
			}
		}
	}
	j := &judge{kills: kills, reveals: []int{1}}
	for _, c := range []struct {
		list           []string
		revealed, dead float64
	}{{[]string{"a"}, .5, 0}, {[]string{"a", "b"}, .5, .5}, {[]string{"a", "b", "c"}, 1, 1.0 / 3}, {nil, 0, 0}} {
		if w := j.worth(c.list); w.revealed[0] != c.revealed || w.dead[0] != c.dead {
			t.Errorf("%v reveals %v, dead are %v; want %v and %v", c.list, w.revealed[0], w.dead[0], c.revealed, c.dead)
		}
	}
}
