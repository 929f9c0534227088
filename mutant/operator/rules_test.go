package operator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

func with(t *testing.T, file, set string) operator.Result {
	t.Helper()
	rules, err := rule.Lookup(set)
	if err != nil {
		t.Fatal(err)
	}
	m := module(t, file)
	r := operator.Generate(m, operator.Options{Source: syntax(t, file), Origins: origins(t, file, m), Rules: rules})
	for _, f := range r.Failures {
		t.Errorf("%s: %+v", set, f)
	}
	return r
}

// TestASumHasTheCandidatesOfItsRules is the count of the rules that apply to
// a + b: 34 of ADD(@1, @2) and the two that assign, since both operands are
// variables. Mart carries out the seven whose sign matters in two variants, in
// both orders.
func TestASumHasTheCandidatesOfItsRules(t *testing.T) {
	file := write(t, "int f(int a, int b) { return a + b; }\n")
	for set, want := range map[string]int{"mart816": 36, "mart858": 38} {
		rules := map[string]bool{}
		mutants := 0
		for _, m := range with(t, file, set).Mutants {
			if m.Matcher == "ADD" {
				rules[m.Rule] = true
				mutants++
			}
		}
		if len(rules) != want || mutants != want+14 {
			t.Errorf("%s: %d mutants of %d rules, want %d rules", set, mutants, len(rules), want)
		}
	}
}

func TestAStatementIsDeletedAndTrappedOnce(t *testing.T) {
	file := write(t, "int g;\nvoid f(int a, int b) { g = a + b * 2; }\n")
	for _, set := range []string{"default", "mart816"} {
		count := map[string]int{}
		for _, m := range with(t, file, set).Mutants {
			if m.Line == 2 && m.Column < 38 && m.Column > 24 {
				count[m.Replacer]++
			}
		}
		if count["DELSTMT"] != 1 || count["TRAPSTMT"] != 1 {
			t.Errorf("%s: %v", set, count)
		}
	}
}

// TestATrapComesBeforeAllThatItsStatementDoes looks at calls that hand over a
// structure through memory, which are no one statement in the IR.
func TestATrapComesBeforeAllThatItsStatementDoes(t *testing.T) {
	file := write(t, `struct d { long a; int b; };
struct d shift(struct d, int);
int number(void);
void print(struct d), before(void);
void f(struct d x) { before(); print(shift(x, number())); }
void g(struct d x) { before(), print(shift(x, number())); }
`)
	found := 0
	for _, m := range with(t, file, "default").Mutants {
		if m.Replacer != "TRAPSTMT" || m.Original != "print(shift(x, number()));" {
			continue
		}
		found++
		at := slices.Index(m.Site.Block.Insts, m.Edit.(mutant.Rewrite).Insts[0])
		if got, want := calledIn(m.Site.Block.Insts[:at]), "@before "; got != want {
			t.Errorf("%s: called before the trap: %s, want %s", m.Function, got, want)
		}
		if got, want := calledIn(m.Site.Block.Insts[at:]), "@number @shift @print "; got != want {
			t.Errorf("%s: called behind the trap: %s, want %s", m.Function, got, want)
		}
	}
	if found != 2 {
		t.Errorf("%d traps in the place of the calls, want 2", found)
	}
}

// calledIn names the functions that code calls.
func calledIn(insts []llir.Instruction) string {
	var out strings.Builder
	for _, inst := range insts {
		if call, ok := inst.(*llir.InstCall); ok && !ir.IsDebug(inst) {
			out.WriteString(call.Callee.Ident() + " ")
		}
	}
	return out.String()
}

// TestOnlySetsForComparisonChangeTheCompilersCode looks at the spill of a
// parameter and the implicit != 0 of a condition.
func TestOnlySetsForComparisonChangeTheCompilersCode(t *testing.T) {
	file := write(t, "int f(int a) { if (a) return 1; return a; }\n")
	artefacts := func(set string) int {
		n := 0
		for _, m := range with(t, file, set).Mutants {
			if m.Artefact {
				n++
				if !m.IROnly {
					t.Errorf("%s: `%s` => `%s` is an artefact with a text of its own", set, m.Original, m.Replacement)
				}
			}
		}
		return n
	}
	if n := artefacts("default"); n > 0 {
		t.Errorf("default: %d artefacts", n)
	}
	if n := artefacts("mart816"); n < 40 {
		t.Errorf("mart816: only %d artefacts", n)
	}
}

func TestTheSetsGiveStableIDsAndConsecutiveSelectors(t *testing.T) {
	ids := func(text string) []string {
		var out []string
		for i, m := range with(t, write(t, text), "default").Mutants {
			if m.Selector != int32(i+1) {
				t.Fatalf("selector %d at %d", m.Selector, i)
			}
			if m.Function == "second" {
				out = append(out, m.ID)
			}
		}
		return out
	}
	if want, got := ids(before), ids("int other(int a) { return a > 2 && a < 9; }\n"+before); !slices.Equal(want, got) {
		t.Error("a function added above changes the ids")
	}
}

// TestARuleWithNumbersAndOperandsInAnyOrder is the example of Mart's manual,
// x = 5 becomes 6 - x, and the like.
func TestARuleWithNumbersAndOperandsInAnyOrder(t *testing.T) {
	file := write(t, "int f(int a, int b) { return a * b + 10; }\n")
	rules, err := rule.Parse("own", []byte("MUL(@1, @2) --> less, SUB(6, @2); c, ADD(@1, -3);\nC --> triple, MUL(3, C);"))
	if err != nil {
		t.Fatal(err)
	}
	m := module(t, file)
	r := operator.Generate(m, operator.Options{Source: syntax(t, file), Origins: origins(t, file, m), Rules: rules})
	var got []string
	for _, m := range r.Mutants {
		got = append(got, m.Rule+" "+m.Operator+" "+m.Original+" => "+m.Replacement)
	}
	want := []string{"less arithmetic a * b => 6 - b", "c arithmetic a * b => a + -3", "triple literal a * b + 10 => a * b + 30"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTheLabelsOfALongSwitchAreExchangedWithTheirNeighbours: pairs of n cases are
// n(n-1)/2. Mart makes them all, and as many exchanges with the default as cases.
func TestTheLabelsOfALongSwitchAreExchangedWithTheirNeighbours(t *testing.T) {
	for _, c := range []struct {
		cases, want int
		set         string
	}{{32, 32 * 31 / 2, "default"}, {33, 32, "default"}, {33, 33*32/2 + 33, "mart816"}} {
		var text strings.Builder
		text.WriteString("int f(int a) {\n  switch (a) {\n")
		for k := range c.cases {
			fmt.Fprintf(&text, "  case %d: return %d;\n", k, 2*k)
		}
		text.WriteString("  }\n  return 1;\n}\n")
		exchanges := 0
		for _, m := range with(t, write(t, text.String()), c.set).Mutants {
			if m.Replacer == "SHUFFLECASESDESTS" {
				exchanges++
			}
		}
		if exchanges != c.want {
			t.Errorf("%s: %d exchanges of %d labels, want %d", c.set, exchanges, c.cases, c.want)
		}
	}
}
