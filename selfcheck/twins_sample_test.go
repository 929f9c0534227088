package selfcheck

import (
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
)

// pointerProgram is a program of one run whose mutants move pointers.
var pointerProgram = project.Case{Program: "pointers", Inputs: []program.Input{{Path: "../mutant/schemata/testdata/pointers.c"}}, Tests: []execute.Test{{Name: "alone"}}}

// TestMutantsAreTheirTwins compares a few mutants, of pointers too. make
// verify-twins does it for thousands.
func TestMutantsAreTheirTwins(t *testing.T) {
	sample := deep.Count(24, 40)
	r, err := VerifyTwins(t.Context(), clangtest.Tools(t), []project.Case{pointerProgram}, TwinOptions{Sample: sample, Seed: 2, Rules: rulesNamed(t, "default", "mart816")})
	if err != nil {
		t.Fatal(err)
	}
	reportTwins(t, r)
	compared, pointers := 0, 0
	for _, count := range r.Sets {
		compared += count.Compared
		pointers += count.Pointers
	}
	if compared != sample || r.Pairs != sample || pointers < sample/13 || r.Killed < sample/4 || r.Printed < sample/5 {
		t.Errorf("%d mutants compared, %d of pointers, %d killed, %d by their output", compared, pointers, r.Killed, r.Printed)
	}
}

// TestATwinThatIsAnotherMutantIsFound: the comparison can fail.
func TestATwinThatIsAnotherMutantIsFound(t *testing.T) {
	sample := deep.Count(8, 20)
	r, err := VerifyTwins(t.Context(), clangtest.Tools(t), []project.Case{pointerProgram}, TwinOptions{Sample: sample, Rules: rulesNamed(t, "sdl"), change: func(mutants []mutant.Mutant) {
		for i := range mutants {
			mutants[i].Selector = int32(1 + (i+7)%len(mutants))
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if found := len(r.Disagreements()); found < sample/4 {
		t.Errorf("%d of %d mutants that are others disagree", found, sample)
	}
}
