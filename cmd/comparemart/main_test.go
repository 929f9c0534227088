package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/internal/golden"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
)

func counted(t *testing.T, file string) ([]mutant.Mutant, []equiv.Verdict) {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	made, verdicts, err := count(t.Context(), tools, file, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range made.Failures {
		t.Errorf("%+v", f)
	}
	return made.Mutants, verdicts
}

// TestTheCountsOfAProgramByLine looks at a program like that of the
// dissertation's figure 6.4: character arrays, memcpy, scanf and a loop that
// counts down.
func TestTheCountsOfAProgramByLine(t *testing.T) {
	mutants, verdicts := counted(t, "testdata/shift.c")
	var out bytes.Buffer
	fmt.Fprintf(&out, "all | %v\n", sum(verdicts))
	printLines(&out, mutants, verdicts)
	golden.Check(t, "testdata/shift.golden", out.Bytes())
}

// TestWhatMartsPassesTie has equivalents and duplicates that can be told by
// hand.
func TestWhatMartsPassesTie(t *testing.T) {
	file := filepath.Join(t.TempDir(), "program.c")
	text := `int once(int x) { return x * 1; }
void step(int *p) { int x = *p; x++; *p = x; }
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	mutants, verdicts := counted(t, file)
	kinds := map[string]equiv.Kind{}
	steps := map[string]bool{}
	for i, m := range mutants {
		kinds[m.Function+" "+m.Rule] = verdicts[i].Kind
		if m.Line == 2 && strings.HasPrefix(m.Rule, "ADD$@1$@2$!SUB$@1$") {
			steps[fmt.Sprint(verdicts[i].Kind)] = true
		}
	}
	for _, name := range []string{"once MUL$@1$@2$!OPERAND$@1$", "once MUL$@1$@2$!DIV$@1$@2$"} {
		if kinds[name] != equiv.Equivalent {
			t.Errorf("%s is %v among %v", name, kinds[name], slices.Sorted(maps.Keys(kinds)))
		}
	}
	if !steps["unknown"] {
		t.Errorf("x++ as x-- is %v", steps)
	}
}

// TestADuplicateIsOfAMutantThatIsNoDuplicateItself holds the verdicts to what
// the counts take for granted: what equals the original is no duplicate.
func TestADuplicateIsOfAMutantThatIsNoDuplicateItself(t *testing.T) {
	mutants, verdicts := counted(t, "testdata/shift.c")
	kind := map[int32]equiv.Kind{}
	for i, v := range verdicts {
		kind[mutants[i].Selector] = v.Kind
	}
	duplicates := 0
	for i, v := range verdicts {
		if v.Kind != equiv.Duplicate {
			continue
		}
		duplicates++
		if kind[v.Of] != equiv.Unknown {
			t.Errorf("mutant %d is a duplicate of %d, which is %v", mutants[i].Selector, v.Of, kind[v.Of])
		}
	}
	if duplicates < 100 {
		t.Errorf("only %d duplicates", duplicates)
	}
}
