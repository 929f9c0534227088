package campaign

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/project"
)

// everyMutant wants all.
func everyMutant(string) bool { return true }

// squares is a program that reads beyond its array where a test asks for a place that there
// is not, and its one test, which few mutants do not survive.
func squares(t *testing.T) *Prepared {
	t.Helper()
	source := filepath.Join(t.TempDir(), "table.c")
	testfile.Write(t, source, `#include <stdio.h>
int main(int argc, char **argv) {
    int squares[4] = {0, 1, 4, 9}, at;
    while (scanf("%d", &at) == 1) printf("%d %s\n", squares[at], at > 1 ? "large" : "small");
    return argc > 2;
}
`)
	c := project.Case{Program: "table", Folder: filepath.Dir(source), Inputs: []program.Input{{Path: source}},
		Tests: []execute.Test{{Name: "three", Text: []byte("3 0\n")}}}
	p, err := Prepare(t.Context(), buildtest.Builder(t), c, RecordOptions{Mutation: programtest.Rules("ROR,SSDL,OAAA"), NoFeatures: true, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// What a test that was made is said to kill, it kills, and what both show differs; no test
// makes the program itself read beyond its array.
func TestTestsThatAreMadeTellWhatTheySay(t *testing.T) {
	p := squares(t)
	found, _, err := p.Distinguish(t.Context(), 64, everyMutant)
	if err != nil {
		t.Fatal(err)
	}
	survives, err := p.Kills(t.Context(), p.tests[0], everyMutant)
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for k, f := range found {
		for _, text := range strings.Fields(string(f.Test.Text)) {
			at, err := strconv.Atoi(text)
			if err != nil {
				break // the program reads no further
			}
			if at < 0 || at > 3 {
				t.Errorf("%q makes the program read beyond its array", f.Test.Text)
			}
		}
		for m, id := range survives.Mutants() {
			if survives.Cell(m, 0).Verdict == matrix.Survived && slices.Contains(f.Kills, id) {
				told++
			}
		}
		if k < 3 {
			p.holds(t, f)
		}
	}
	if told == 0 { // at >= 1 takes a 1
		t.Error("no survivor is told")
	}
}

// holds compares what a test is said to kill with what it kills alone.
func (p *Prepared) holds(t *testing.T, f Distinguishing) {
	alone, err := p.Kills(t.Context(), f.Test, everyMutant)
	if err != nil {
		t.Fatal(err)
	}
	for m, id := range alone.Mutants() {
		if kills := alone.Cell(m, 0).Verdict == matrix.Killed; kills != slices.Contains(f.Kills, id) {
			t.Errorf("%q on %s: %v alone, %v among others", f.Test.Text, id, kills, f.Kills)
		}
	}
	original, mutant, err := p.Both(t.Context(), f.Test, f.Kills[0])
	if err != nil || original.Same(mutant.Outcome, execute.ExitStatus) {
		t.Errorf("%q on %s: %v and %v, %v", f.Test.Text, f.Kills[0], original, mutant, err)
	}
}

func TestTestsAreTheSameForASeed(t *testing.T) {
	var inputs [2][]string
	for k := range inputs {
		found, _, err := squares(t).Distinguish(t.Context(), 32, everyMutant)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			inputs[k] = append(inputs[k], string(f.Test.Text))
		}
	}
	if len(inputs[0]) == 0 || !slices.Equal(inputs[0], inputs[1]) {
		t.Errorf("%q and %q", inputs[0], inputs[1])
	}
}

func TestOfNoMutantNothingIsMade(t *testing.T) {
	found, _, err := squares(t).Distinguish(t.Context(), 32, func(string) bool { return false })
	if err != nil || found != nil {
		t.Errorf("%v %v", found, err)
	}
}

// What a mutant does that never ends is shown as a run of it is judged: it has done too much work.
func TestAMutantThatNeverEndsIsShownByItsWork(t *testing.T) {
	p, err := Prepare(t.Context(), buildtest.Builder(t), counting(t), RecordOptions{Mutation: programtest.Rules("SSDL,OAAA"), NoFeatures: true, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	kills, err := p.Kills(t.Context(), p.tests[0], everyMutant)
	if err != nil {
		t.Fatal(err)
	}
	endless := 0
	for m, id := range kills.Mutants() {
		if kills.Cell(m, 0).Cause != matrix.Work {
			continue
		}
		endless++
		original, mutant, err := p.Both(t.Context(), p.tests[0], id)
		if err != nil || original.Cause != execute.CauseExit || mutant.Cause != execute.CauseWork {
			t.Errorf("%s: %+v and %+v, %v", id, original.Outcome, mutant.Outcome, err)
		}
	}
	if endless == 0 {
		t.Error("every mutant ends: this test tells nothing")
	}
}
