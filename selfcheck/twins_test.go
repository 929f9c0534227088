package selfcheck

import (
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/project"
)

func rulesNamed(t *testing.T, names ...string) (sets []*rule.Set) {
	t.Helper()
	for _, name := range names {
		set, err := rule.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		sets = append(sets, set)
	}
	return sets
}

func reportTwins(t *testing.T, r *TwinReport) {
	t.Helper()
	for _, f := range r.Disagreements() {
		t.Errorf("%s, rules %s, selector %d %+v: differs on %d tests, first %s: in the meta-mutant %s, alone %s",
			f.Program, f.Rules, f.Selector, f.Mutant, f.Tests, f.Test, f.Meta, f.Alone)
	}
}

// TestWithoutAMutantAMetaMutantIsTheProgram takes every test of every example,
// and few mutants: what the sites of more of them do is for make verify-twins.
func TestWithoutAMutantAMetaMutantIsTheProgram(t *testing.T) {
	folders, err := filepath.Glob("../examples/*/winnow.toml")
	if err != nil || len(folders) != 9 {
		t.Fatalf("%d examples, %v", len(folders), err)
	}
	for _, file := range deep.Sample(t, 2, folders) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			t.Parallel()
			p, err := project.Open(filepath.Dir(file))
			if err != nil {
				t.Fatal(err)
			}
			cases, err := p.Cases(false)
			if err != nil {
				t.Fatal(err)
			}
			r, err := VerifyTwins(t.Context(), clangtest.Tools(t), cases, TwinOptions{Sample: 4, Rules: rulesNamed(t, "sdl")})
			if err != nil {
				t.Fatal(err)
			}
			reportTwins(t, r)
			// Each test once with selector 0, and with two numbers of no mutant.
			if tests := len(cases[0].Tests); r.Originals != 3*tests+2 || r.Pairs != 4*tests {
				t.Errorf("%d runs without a mutant and %d with one were compared, of %d tests", r.Originals, r.Pairs, tests)
			}
		})
	}
}
