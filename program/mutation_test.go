package program

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/llir/llvm/ir/value"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/cascade"
	"github.com/winnow-mutants/winnow/equiv/constraint"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/origin"
	"github.com/winnow-mutants/winnow/mutant/scope"
)

// TestEveryMutantIsKeptOrAccountedFor loads two files as one program and checks
// that removal loses no mutant and keeps the order of the numbers.
func TestEveryMutantIsKeptOrAccountedFor(t *testing.T) {
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.c"), filepath.Join(dir, "second.c")
	testfile.Write(t, first, "int f(int x) { return x * 1 + 2; }\nint g(int x) { return x > 3; }\n")
	testfile.Write(t, second, "int h(int x) {\n  x++;\n  return x - 1; // winnow:ignore checked by hand\n}\n")
	inputs := []Input{{Path: first}, {Path: second}}
	load := func(m Mutation) *Program {
		t.Helper()
		p, err := Load(t.Context(), clangtest.Tools(t), inputs, LoadOptions{Mutation: m})
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
		if (r.Kind == equiv.Duplicate) != kept[r.Of] || r.Evidence != "tce/default" && !strings.HasPrefix(r.Evidence, "constraint/") {
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
	raw := load(Mutation{Unjudged: true})
	if got := raw.Mutants(); len(got) != len(all) || len(raw.Removed) != 0 {
		t.Errorf("unjudged: %d mutants of %d, %d removed", len(got), len(all), len(raw.Removed))
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
	testfile.Write(t, path, "int f(int x) { return x * 3 + 2; }\n")
	p := &Program{}
	unit, err := compileUnit(t.Context(), clangtest.Tools(t), Input{Path: path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Units = []*Unit{unit}
	m, err := newMutating(t.Context(), p, Mutation{})
	if err != nil {
		t.Fatal(err)
	}
	var id, operator string
	made := func(yield func(equiv.Batch) bool) {
		for f := range m.made() {
			broken := &f.Mutants[0]
			edit := broken.Edit.(mutant.Rewrite)
			inner := edit.Emit
			edit.Emit = func(c *mutant.Code) (out value.Value) {
				out = inner(c)
				return edit.Replaced().(value.Value) // which is gone
			}
			broken.Edit = edit
			id, operator = broken.ID, broken.Operator
			if !yield(f) {
				return
			}
		}
	}
	if err := m.compare(t.Context(), made, cascade.All(cascade.Options{Tools: clangtest.Tools(t)})); err != nil {
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

// TestMutantsMadeFunctionByFunctionAreThoseMadeAtOnce compares Load with its slow
// twin, in which all mutants of all units are there before any is looked at.
func TestMutantsMadeFunctionByFunctionAreThoseMadeAtOnce(t *testing.T) {
	dir := t.TempDir()
	paths := []string{"../examples/uncomment/uncomment.c", filepath.Join(dir, "a", "same.c"), filepath.Join(dir, "b", "same.c")}
	for _, path := range paths[1:] {
		if err := os.Mkdir(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, path, "static int g(int a) {\n  return a + a; // winnow:ignore[arithmetic] twice\n}\nint f(int x) { return g(x) * 1 + 2; }\n")
	}
	var inputs []Input
	for _, path := range paths {
		inputs = append(inputs, Input{Path: path})
	}
	asked := scope.Options{Functions: []string{"f", "g", "m*"}}
	for _, workers := range []int{1, 3} {
		p, err := Load(t.Context(), clangtest.Tools(t), inputs, LoadOptions{Mutation: Mutation{Scope: asked, KeepUndefined: true}, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		want := loadAtOnce(t, inputs, asked)
		if got := mutantLines(p); !slices.Equal(got, mutantLines(want)) {
			t.Errorf("%d workers: %d lines, and %d when made at once: %v", workers, len(got), len(mutantLines(want)), firstDifference(got, mutantLines(want)))
		}
		if p.Generated != want.Generated || p.OutOfScope != want.OutOfScope || p.Sites != want.Sites {
			t.Errorf("%d workers: %d generated, %d out of scope, %d sites; at once %d, %d, %d", workers,
				p.Generated, p.OutOfScope, p.Sites, want.Generated, want.OutOfScope, want.Sites)
		}
	}
}

// Who loads a program again may say that its sources stay as they are: neither the compiler nor
// the parser of C reads them again.
func TestAProgramIsLoadedAgainFromWhatIsKnownOfItsSources(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.c")
	testfile.Write(t, path, "#define TWICE(x) ((x) + (x))\nint f(int a) { return a < 3 ? TWICE(a) : 4; }\n")
	tools, sources := clangtest.Tools(t).Remembering(), &Sources{}
	load := func() []string {
		p, err := Load(t.Context(), tools, []Input{{Path: path}}, LoadOptions{Sources: sources})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, m := range p.Mutants() {
			out = append(out, fmt.Sprintf("%s %s → %s", m.ID, m.Original, m.Replacement))
		}
		return out
	}
	first := load()
	testfile.Write(t, path, "int g(int a) { return a * 5; }\n")
	if again := load(); len(first) == 0 || !slices.Equal(again, first) {
		t.Errorf("again:\n%s\nfirst:\n%s", strings.Join(again, "\n"), strings.Join(first, "\n"))
	}
}

// decideAtOnce asks one stage after the other, each about all that is open.
func decideAtOnce(t *testing.T, u *Unit, mutants []mutant.Mutant) []equiv.Verdict {
	t.Helper()
	verdicts := map[int32]equiv.Verdict{}
	of := map[*llir.Func][]mutant.Mutant{}
	for _, m := range mutants {
		of[m.Site.Func] = append(of[m.Site.Func], m)
	}
	for f, all := range of {
		found, err := constraint.Function(equiv.Batch{Module: u.Module, Func: f, Mutants: all}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range found {
			verdicts[v.Mutant] = v
		}
	}
	open := slices.DeleteFunc(slices.Clone(mutants), func(m mutant.Mutant) bool { return verdicts[m.Selector].Kind != equiv.Unknown })
	compared, err := tce.Decide(t.Context(), clangtest.Tools(t), u.Module, open, tce.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range compared {
		verdicts[v.Mutant] = v
	}
	out := make([]equiv.Verdict, len(mutants))
	for i, m := range mutants {
		out[i] = verdicts[m.Selector]
	}
	return out
}

// loadAtOnce is Load's slow twin.
func loadAtOnce(t *testing.T, inputs []Input, asked scope.Options) *Program {
	t.Helper()
	p := &Program{}
	next, ids, selector := operator.Options{FirstSelector: 1}, map[string]bool{}, int32(1)
	s, err := scope.New(t.Context(), asked)
	if err != nil {
		t.Fatal(err)
	}
	for k, in := range inputs {
		u, err := compileUnit(t.Context(), clangtest.Tools(t), in, nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Units = append(p.Units, u)
		if err := s.AddSource(u.Source); err != nil {
			t.Fatal(err)
		}
		next.Source = u.Source
		if next.Origins, err = origin.Of(t.Context(), clangtest.Tools(t), u.Module, u.Source, in.Flags); err != nil {
			t.Fatal(err)
		}
		r := operator.Generate(u.Module, next)
		next.FirstSelector += int32(len(r.Mutants))
		next.FirstSite, next.FirstStatement = next.FirstSite+r.Sites, next.FirstStatement+r.Statements
		p.Generated += len(r.Mutants)
		var mutants []mutant.Mutant
		for _, m := range r.Mutants {
			if ids[m.ID] {
				m.ID = fmt.Sprintf("%s-%d", m.ID, k)
			}
			ids[m.ID] = true
			switch d := s.Decide(&m); {
			case d.Keep():
				mutants = append(mutants, m)
			case d.By == scope.BySource:
				p.Suppressed = append(p.Suppressed, Suppressed{m, d.Why})
			default:
				p.OutOfScope++
			}
		}
		verdicts := decideAtOnce(t, u, mutants)
		name := map[int32]string{}
		for i, m := range mutants {
			v := verdicts[i]
			name[m.Selector] = m.ID
			if v.Kind != equiv.Unknown {
				p.Removed = append(p.Removed, Removed{Mutant: m, Kind: v.Kind, Of: name[v.Of], Evidence: v.Evidence})
				continue
			}
			m.Selector = selector
			selector++
			u.Mutants = append(u.Mutants, m)
		}
	}
	p.Sites = next.FirstSite
	if err := p.findTextless(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	return p
}

// mutantLines lists all that is known of a program's mutants, one a line.
func mutantLines(p *Program) []string {
	var out []string
	line := func(kind string, m mutant.Mutant, more ...any) {
		edit := "none"
		if kind == "kept" {
			code := &mutant.Code{Prefix: "m"}
			switch e := m.Edit.(type) {
			case mutant.Rewrite:
				if e.Emit != nil {
					e.Emit(code)
				}
			case mutant.Redirect:
				edit = e.Emit(code).LLString()
			}
			for _, inst := range code.Insts {
				edit += "; " + inst.LLString()
			}
		} else {
			m.Selector = 0
		}
		out = append(out, fmt.Sprint(kind, m.ID, m.Selector, m.Operator, m.Type(), m.Rule, m.IROnly, m.Artefact, m.Function, m.File, m.Line, m.Column,
			m.Original, m.Replacement, m.Site.Ordinal, m.Site.Statement, m.Site.Func.Name(), m.Site.Block.Name(), len(m.Site.Touched), edit, more))
	}
	for _, m := range p.Mutants() {
		line("kept", m)
	}
	for _, r := range p.Removed {
		line("removed", r.Mutant, r.Kind, r.Of, r.Evidence)
	}
	for _, s := range p.Suppressed {
		line("suppressed", s.Mutant, s.Reason)
	}
	return out
}

func firstDifference(a, b []string) string {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return a[i] + "\n" + b[i]
		}
	}
	return "one is longer"
}
