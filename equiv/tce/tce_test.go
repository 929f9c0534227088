package tce_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

// program is a C file under mutation.
type program struct {
	file    string
	beside  []string // further files of the program
	text    []byte
	source  *csource.File
	rules   *rule.Set // nil means the default
	module  *ir.Module
	mutants []mutant.Mutant
	sites   int
}

func toolchain(t testing.TB) *clang.Toolchain {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

func load(t testing.TB, file string) *program {
	t.Helper()
	text, err := toolchain(t).Compile(context.Background(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	source, err := csource.Parse(file, nil)
	if err != nil {
		source = nil // the face is rebuilt from the IR
	}
	p := &program{file: file, text: text, source: source}
	p.generate(t)
	return p
}

// generate parses the program afresh and makes its mutants.
func (p *program) generate(t testing.TB) {
	t.Helper()
	m, r, err := p.fresh()
	if err != nil {
		t.Fatal(err)
	}
	p.module, p.mutants, p.sites = m, r.Mutants, r.Sites
}

func (p *program) fresh() (*ir.Module, operator.Result, error) {
	m, err := ir.Parse(p.file, p.text)
	if err != nil {
		return nil, operator.Result{}, err
	}
	return m, operator.Generate(m, operator.Options{Source: p.source, Rules: p.rules}), nil
}

func (p *program) decide(t testing.TB, opts tce.Options) []equiv.Verdict {
	t.Helper()
	verdicts, err := tce.Decide(context.Background(), toolchain(t), p.module, p.mutants, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(verdicts) != len(p.mutants) {
		t.Fatalf("%d verdicts on %d mutants", len(verdicts), len(p.mutants))
	}
	return verdicts
}

// find returns the mutant of a function that makes a change.
func (p *program) find(t testing.TB, function, original, replacement string) *mutant.Mutant {
	t.Helper()
	for i := range p.mutants {
		m := &p.mutants[i]
		if m.Function == function && m.Original == original && m.Replacement == replacement {
			return m
		}
	}
	t.Fatalf("%s has no mutant `%s` => `%s`", function, original, replacement)
	return nil
}

// expectation is what a verdict on a mutant should be: equal to another one, to
// the original ("original"), or to none ("").
type expectation struct{ function, original, replacement, same string }

func (p *program) check(t *testing.T, verdicts []equiv.Verdict, expected []expectation) {
	t.Helper()
	for _, e := range expected {
		m := p.find(t, e.function, e.original, e.replacement)
		v := verdicts[m.Selector-1]
		want := equiv.Verdict{Mutant: m.Selector, Evidence: v.Evidence}
		switch e.same {
		case "":
		case "original":
			want.Kind = equiv.Equivalent
		default:
			want.Kind, want.Of = equiv.Duplicate, p.find(t, e.function, e.original, e.same).Selector
		}
		if v != want || v.Evidence == "" {
			t.Errorf("%s: `%s` => `%s`: %+v, want %+v", e.function, e.original, e.replacement, v, want)
		}
	}
}

// fewRules make no two mutants of testdata/trivial.c that are equal by chance, so
// that it can be said of which a mutant is a duplicate, and of which it is none.
const fewRules = `
MUL(@1, @2) --> first, OPERAND(@1); second, OPERAND(@2); over, DIV(@1, @2); rest, MOD(@1, @2);
ADD(@1, @2) --> minus, SUB(@1, @2); second, OPERAND(@2);
C --> zero, CONSTVAL(0);
@ --> size, ABS(@);
`

func TestWhatAnOptimiserSeesThroughIsFound(t *testing.T) {
	rules, err := rule.Parse("few", []byte(fewRules))
	if err != nil {
		t.Fatal(err)
	}
	p := load(t, "testdata/trivial.c")
	p.rules = rules
	p.generate(t)
	p.check(t, p.decide(t, tce.Options{}), []expectation{
		{"times_one", "x * 1", "x", "original"},
		{"times_one", "x * 1", "x / 1", "original"},
		{"times_one", "x * 1", "x * 0", "x % 1"},
		{"times_one", "x * 1", "1", ""},
		{"wide", "c + 3", "abs(c + 3)", "original"}, // c is an unsigned char
		{"wide", "c + 3", "c - 3", ""},
		{"loop", "sum += i", "sum = i", ""},
		{"add", "total + n", "n", ""}, // total is static, its value is not 0 for ever
	})
}

// increments makes the two mutants of an unused x++ that become x--, with the
// value before and after.
func increments(t *testing.T, p *program) []mutant.Mutant {
	t.Helper()
	whole := p.find(t, "step", "x++;", ";")
	insts := whole.Edit.(mutant.Rewrite).Insts
	slot := insts[0].(*llir.InstLoad).Src
	decrement := func(after bool) mutant.Rewrite {
		return mutant.Rewrite{Insts: insts, Emit: func(c *mutant.Code) value.Value {
			old := mutant.Add(c, llir.NewLoad(types.I32, slot))
			less := mutant.Add(c, llir.NewSub(old, constant.NewInt(types.I32, 1)))
			mutant.Add(c, llir.NewStore(less, slot))
			if after {
				return less
			}
			return mutant.Add(c, llir.NewAdd(less, constant.NewInt(types.I32, 1)))
		}}
	}
	var out []mutant.Mutant
	for i, edit := range []mutant.Rewrite{decrement(true), decrement(false)} {
		m := *whole
		m.Selector, m.Edit = int32(i+1), edit
		out = append(out, m)
	}
	return out
}

func TestPrefixAndPostfixDecrementOfAnUnusedValueAreDuplicates(t *testing.T) {
	p := load(t, "testdata/trivial.c")
	p.mutants = increments(t, p)
	got := p.decide(t, tce.Options{})
	want := []equiv.Verdict{
		{Mutant: 1, Kind: equiv.Unknown, Evidence: "tce/default"},
		{Mutant: 2, Kind: equiv.Duplicate, Of: 1, Evidence: "tce/default"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestARecursionWithoutEndIsNeverEquivalentToWhatItCalls(t *testing.T) {
	p := load(t, "testdata/trivial.c")
	for _, passes := range tce.All() {
		endless := p.find(t, "hang", "n - 1", "n - 0")
		if v := p.decide(t, tce.Options{Passes: passes})[endless.Selector-1]; v.Kind == equiv.Equivalent {
			t.Errorf("%s: hang(n) in place of hang(n - 1): %+v", passes.Name, v)
		}
	}
}

func TestAFunctionOfTheProgramIsNotTakenForTheLibrarysOfThatName(t *testing.T) {
	p := load(t, "testdata/library.c")
	negated := p.find(t, "own", "k", "-k")
	for _, passes := range tce.All() {
		if v := p.decide(t, tce.Options{Passes: passes})[negated.Selector-1]; v.Kind == equiv.Equivalent {
			t.Errorf("%s: its abs(-3) taken for 3: %+v", passes.Name, v)
		}
	}
}

func TestUndefinedBehaviourMakesNoMutantEquivalentByDefault(t *testing.T) {
	p := load(t, "testdata/undefined.c")
	byDefault, trusting := p.decide(t, tce.Options{}), p.decide(t, tce.Options{Passes: passList(t, "riener")})
	nowrap := p.decide(t, tce.Options{Passes: passList(t, "nowrap")})
	for _, e := range []expectation{
		{"overflow", "x + 1 > x", "1", "original"},
		{"uninitialised", "r = 5;", ";", "original"},
		{"trap", "x / 3", "x / 0", "original"},
		{"member", "p.left = 5;", ";", "original"},
	} {
		p.check(t, trusting, []expectation{e})
		m := p.find(t, e.function, e.original, e.replacement)
		if v := byDefault[m.Selector-1]; v.Kind == equiv.Equivalent || v.Evidence == "" {
			t.Errorf("%s: `%s` => `%s`: %+v by default", e.function, e.original, e.replacement, v)
		}
		if v := nowrap[m.Selector-1]; (v.Kind == equiv.Equivalent) != (e.function == "overflow") {
			t.Errorf("%s: `%s` => `%s`: %+v by nowrap, which trusts overflow alone", e.function, e.original, e.replacement, v)
		}
	}
}

func TestTheListNoneComparesNothing(t *testing.T) {
	p := load(t, "testdata/trivial.c")
	for _, v := range p.decide(t, tce.Options{Passes: passList(t, "none")}) {
		if v != (equiv.Verdict{Mutant: v.Mutant}) {
			t.Errorf("%+v", v)
		}
	}
}

// TestPhisAreComparedUnlessToldOtherwise assigns another number: behind the
// variable stands a phi, which then takes another value.
func TestPhisAreComparedUnlessToldOtherwise(t *testing.T) {
	file := filepath.Join(t.TempDir(), "phi.c")
	if err := os.WriteFile(file, []byte("void g(void);\nint f(int c) {\n  int r = 2;\n  if (c) { r = 5; g(); }\n  return r;\n}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, passes := load(t, file), passList(t, "mart")
	m := p.find(t, "f", "r = 5", "r = 6")
	if v := p.decide(t, tce.Options{Passes: passes})[m.Selector-1]; v.Kind == equiv.Equivalent || v.Evidence == "" {
		t.Errorf("another value of a phi: %+v", v)
	}
	passes.BlindPhis = true
	if v := p.decide(t, tce.Options{Passes: passes})[m.Selector-1]; v.Kind != equiv.Equivalent {
		t.Errorf("blind to phis: %+v", v)
	}
}

func passList(t testing.TB, name string) tce.PassList {
	t.Helper()
	passes, err := tce.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	return passes
}

func TestVerdictsDependNeitherOnWorkersNorOnBatches(t *testing.T) {
	p := load(t, filepath.Join(schemataTests, "records.c"))
	want := p.decide(t, tce.Options{Workers: 1})
	for _, opts := range []tce.Options{{Workers: 1, BatchBytes: 20_000}, {Workers: 2, BatchBytes: 20_000}, {Workers: 7, BatchBytes: 100_000}} {
		if got := p.decide(t, opts); !slices.Equal(got, want) {
			t.Errorf("%+v: other verdicts than one worker's with large batches", opts)
		}
	}
}

func TestDecidingLeavesTheModuleAsItIs(t *testing.T) {
	p := load(t, "testdata/trivial.c")
	before := p.module.String()
	p.decide(t, tce.Options{})
	if p.module.String() != before {
		t.Error("the module has changed")
	}
}

func TestAMutantThatTheVerifierRefusesIsInvalidAlone(t *testing.T) {
	p := load(t, "testdata/trivial.c")
	want := p.decide(t, tce.Options{})
	broken := p.find(t, "times_one", "x * 1", "x % 1")
	edit := broken.Edit.(mutant.Rewrite)
	edit.Emit = func(*mutant.Code) value.Value { return edit.Insts[0].(value.Value) } // which is gone
	broken.Edit = edit
	got := p.decide(t, tce.Options{})
	for _, verdicts := range [][]equiv.Verdict{got, p.decide(t, tce.Options{Passes: passList(t, "none")})} {
		v := verdicts[broken.Selector-1]
		if v.Kind != equiv.Invalid || !strings.Contains(v.Reason, "use of undefined value") {
			t.Errorf("verdict %+v on a mutant that is no valid code", v)
		}
	}
	for i, v := range got {
		if v != want[i] && want[i].Of != broken.Selector && v.Mutant != broken.Selector {
			t.Errorf("mutant %d: %+v, and %+v without the broken one", v.Mutant, v, want[i])
		}
	}
}

func TestMutantsOfAnotherModuleAreRefused(t *testing.T) {
	p, other := load(t, "testdata/trivial.c"), load(t, "testdata/trivial.c")
	p.mutants = p.mutants[:1]
	p.mutants[0].Edit = other.mutants[0].Edit
	if _, err := tce.Decide(context.Background(), toolchain(t), p.module, p.mutants, tce.Options{}); err == nil {
		t.Error("accepted")
	}
}

func TestEveryPassListHasANameADocAndPassesThatOptKnows(t *testing.T) {
	names := map[string]bool{}
	for _, l := range tce.All() {
		if l.Name == "" || l.Doc == "" || names[l.Name] {
			t.Errorf("%+v: no name, no doc, or a name twice", l)
		}
		names[l.Name] = true
		if _, err := toolchain(t).Optimize(context.Background(), l.Name, []byte("define void @f() {\n  ret void\n}\n"), l.Passes(), l.Flags...); err != nil {
			t.Error(err)
		}
	}
	if _, err := tce.ByName("O9"); err == nil {
		t.Error("a pass list that does not exist is found")
	}
}
