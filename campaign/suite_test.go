package campaign

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

// A program that has a megabyte of variables is no subject where half of that is
// allowed, whichever version has it, and is one where two are.
func TestProgramsWithTooManyVariablesAreLeftOut(t *testing.T) {
	for _, bound := range []int64{0, 2 << 20, 1 << 19} {
		c := grade(t)
		c.Fault, c.Fixed, c.Expected = "strict", c.Inputs, nil
		faulty := filepath.Join(t.TempDir(), "grade.c")
		testfile.Write(t, faulty, "char unused[1 << 20];\n"+strings.Replace(projecttest.Source, ">= 50", "> 50", 1))
		c.Inputs = []program.Input{{Path: faulty}}
		_, err := Record(t.Context(), buildtest.Builder(t), c, filepath.Join(t.TempDir(), "run"),
			RecordOptions{Mutation: programtest.Rules("ROR"), Pool: RevealedPool, MaxData: bound})
		var why *Unusable
		if left := errors.As(err, &why); left != (bound == 1<<19) || err != nil && !left {
			t.Errorf("with a bound of %d: %v", bound, err)
		}
	}
}
