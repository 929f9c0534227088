package pipeline

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/scope"
)

// TestEveryMutantIsKeptOrAccountedFor loads two files as one program and checks
// that removal loses no mutant and keeps the order of the numbers.
func TestEveryMutantIsKeptOrAccountedFor(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.c"), filepath.Join(dir, "second.c")
	writeFile(t, first, "int f(int x) { return x * 1 + 2; }\nint g(int x) { return x > 3; }\n")
	writeFile(t, second, "int h(int x) {\n  x++;\n  return x - 1; // winnow:ignore checked by hand\n}\n")
	inputs := []Input{{Path: first}, {Path: second}}
	load := func(m Mutation) *Program {
		t.Helper()
		p, err := Load(t.Context(), toolchain(t), inputs, LoadOptions{Mutation: m})
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	none, err := tce.ByName("none")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]mutant.Mutant{}
	for _, m := range load(Mutation{Passes: none}).Mutants() {
		all[m.ID] = m
	}
	p := load(Mutation{})
	kept := map[string]bool{}
	for i, m := range p.Mutants() {
		kept[m.ID] = true
		if int(m.Selector) != i+1 {
			t.Errorf("mutant %d has selector %d", i, m.Selector)
		}
		if i > 0 && m.Site.Ordinal < p.Mutants()[i-1].Site.Ordinal {
			t.Errorf("mutant %d is of an earlier site than the one before", i)
		}
	}
	for _, r := range p.Removed {
		if kept[r.Mutant.ID] || all[r.Mutant.ID].ID == "" {
			t.Errorf("%s is removed, and kept or unknown", r.Mutant.ID)
		}
		if (r.Kind == equiv.Duplicate) != kept[r.Of] || r.Evidence != "tce/default" {
			t.Errorf("%+v", r)
		}
	}
	if p.Count(equiv.Equivalent) == 0 || p.Count(equiv.Duplicate) == 0 || len(p.Suppressed) == 0 {
		t.Errorf("%d equivalent, %d duplicates, %d suppressed: the program shows too little",
			p.Count(equiv.Equivalent), p.Count(equiv.Duplicate), len(p.Suppressed))
	}
	if len(kept)+len(p.Removed) != len(all) || p.Generated != len(all)+len(p.Suppressed) {
		t.Errorf("%d generated, %d kept, %d removed, %d suppressed", p.Generated, len(kept), len(p.Removed), len(p.Suppressed))
	}
	if s := p.Suppressed[0]; !strings.Contains(s.Reason, "checked by hand") {
		t.Errorf("%+v", s)
	}
	some := load(Mutation{Scope: scope.Options{Functions: []string{"g"}}})
	for _, m := range some.Mutants() {
		if m.Function != "g" {
			t.Errorf("a mutant of %s", m.Function)
		}
	}
	if some.OutOfScope == 0 || len(some.Mutants()) == 0 {
		t.Errorf("%d mutants, %d out of scope", len(some.Mutants()), some.OutOfScope)
	}
}

// TestAnInvalidMutantIsNamedWithItsOperatorAndTheOthersStay breaks one mutant.
func TestAnInvalidMutantIsNamedWithItsOperatorAndTheOthersStay(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.c")
	writeFile(t, path, "int f(int x) { return x * 3 + 2; }\n")
	p := &Program{}
	unit, err := compileUnit(t.Context(), toolchain(t), Input{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	p.Units = []*Unit{unit}
	p.generate(nil)
	broken := &unit.Mutants[0]
	edit := broken.Edit.(mutant.Rewrite)
	inner := edit.Emit
	edit.Emit = func(c *mutant.Code) (out value.Value) {
		out = inner(c)
		return edit.Replaced().(value.Value) // which is gone
	}
	broken.Edit = edit
	id, operator := broken.ID, broken.Operator
	if err := p.removeEqual(t.Context(), toolchain(t), Mutation{}, 1); err != nil {
		t.Fatal(err)
	}
	if p.Count(equiv.Invalid) != 1 || len(unit.Mutants) == 0 {
		t.Fatalf("%d invalid, %d kept", p.Count(equiv.Invalid), len(unit.Mutants))
	}
	notes := strings.Join(p.Notes(), "\n")
	for _, want := range []string{id, "operator " + operator, "undefined value"} {
		if !strings.Contains(notes, want) {
			t.Errorf("the note lacks %q: %s", want, notes)
		}
	}
}
