package ub_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/mutant/patch"
	"github.com/winnow-mutants/winnow/ub"
)

// TestSanitizersConfirmDefiniteVerdicts runs a program that comes to all its code. Every
// mutant of it that is Definite and that C can express has to be reported by clang's
// sanitizers, or to end by a signal. Most of them in make check-deep, a sample here.
func TestSanitizersConfirmDefiniteVerdicts(t *testing.T) {
	all, source := judgeFile(t, "testdata/reached.c")
	patcher := patch.New(source)
	var definite []*judged
	for i := range all {
		if all[i].Grade == ub.Definite {
			definite = append(definite, &all[i])
		}
	}
	confirmed := 0
	for _, j := range deep.Sample(t, 8, definite) {
		if checked(t, patcher, j) {
			confirmed++
		}
	}
	if len(definite) < 40 || confirmed < 4 {
		t.Errorf("%d definite mutants, %d confirmed: the program shows too little", len(definite), confirmed)
	}
}

// checked runs one mutant; false where no change of the C text does what it does.
func checked(t *testing.T, patcher *patch.Patcher, j *judged) bool {
	t.Helper()
	_, text, err := patcher.Mutated(&j.Mutant)
	var none *patch.NoCounterpart
	if errors.As(err, &none) {
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, program := filepath.Join(dir, "mutant.c"), filepath.Join(dir, "mutant")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "clang-14", "-w", "-O0", "-g", "-fsanitize=address,undefined", "-o", program, file)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", j.change(), err, out)
	}
	out, err := exec.CommandContext(t.Context(), program).CombinedOutput()
	if err == nil && !bytes.Contains(out, []byte("runtime error:")) {
		t.Errorf("line %d: %s: %s (%s), but the program runs without a report", j.Mutant.Line, j.change(), j.Category, j.Reason)
	}
	return true
}
