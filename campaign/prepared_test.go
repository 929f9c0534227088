package campaign

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

// Tests that come one by one say of the mutants what they say as a suite.
func TestTestsThatComeOneByOneSayWhatTheySayTogether(t *testing.T) {
	cases, err := project.CasesOf([]string{projecttest.Folder(t)}, false)
	if err != nil {
		t.Fatal(err)
	}
	builder, opts := buildtest.Builder(t), RecordOptions{Mutation: programtest.Rules("ROR,SSDL"), NoFeatures: true}
	dir := filepath.Join(t.TempDir(), "run")
	if _, err := Record(t.Context(), builder.Below(t.TempDir()), cases[0], dir, opts); err != nil {
		t.Fatal(err)
	}
	together := datasettest.Kills(t, dir)
	p, err := Prepare(t.Context(), builder.Below(t.TempDir()), cases[0], opts)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for at, test := range cases[0].Tests {
		one, err := p.Kills(t.Context(), test, func(string) bool { return true })
		if err != nil {
			t.Fatal(err)
		}
		for m, id := range together.Mutants() {
			want := together.Cell(m, at)
			if got := one.Cell(m, 0); one.Mutants()[m] != id || got.Verdict != want.Verdict || got.Cause != want.Cause ||
				one.Reached(m).Get(0) != together.Reached(m).Get(at) || one.Infected(m).Get(0) != together.Infected(m).Get(at) {
				t.Errorf("%s, test %s: %+v alone, %+v in the suite", id, test.Name, got, want)
			}
		}
	}
	if none, err := p.Kills(t.Context(), cases[0].Tests[0], func(string) bool { return false }); none != nil || err != nil {
		t.Errorf("of no mutant: %v, %v", none, err)
	}
}

func TestATestThatDoesNotRepeatItselfIsRefused(t *testing.T) {
	source := filepath.Join(t.TempDir(), "p.c")
	testfile.Write(t, source, "#include <stdio.h>\nint main(void) { int x; if (scanf(\"%d\", &x) == 1) for (;;) x++; return x > 1; }\n")
	c := project.Case{Program: "p", Folder: filepath.Dir(source), Inputs: []program.Input{{Path: source}}}
	p, err := Prepare(t.Context(), buildtest.Builder(t), c, RecordOptions{Mutation: programtest.Rules("ROR"), NoFeatures: true, Execute: execute.Options{BaselineWork: 10_000}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	_, err = p.Kills(t.Context(), execute.Test{Name: "for ever", Text: []byte("1\n")}, func(string) bool { return true })
	if exit.Of(err) != exit.Baseline || errors.Is(err, t.Context().Err()) || !strings.Contains(err.Error(), "for ever") {
		t.Errorf("%v", err)
	}
}
