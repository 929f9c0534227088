package smt_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

// leastOf is Riener's findmin: the first is compared with itself, too. The variable behind
// the result stands for the slot that the compiler of 2011 returned it from.
func leastOf(n int) string {
	var params, body []string
	for i := range n {
		params = append(params, fmt.Sprintf("int x%d", i))
		body = append(body, fmt.Sprintf("  if (x%d < m) m = x%d;", i, i))
	}
	return "int f(" + strings.Join(params, ", ") + ") {\n  int m = x0;\n" + strings.Join(body, "\n") + "\n  int r = m;\n  return r;\n}"
}

const leastOfTwo = "int f(int a, int b) {\n  int m;\n  if (a < b) m = a; else m = b;\n  int r = m;\n  return r;\n}"

// rienersFaults are the mutants of his operators, which change values where they are read,
// but not those that are compared.
func rienersFaults(t testing.TB, source string) equiv.Batch {
	t.Helper()
	rules, err := rule.Lookup("riener")
	if err != nil {
		t.Fatal(err)
	}
	m := analysistest.Module(t, source)
	b := equiv.Batch{Module: m, Func: m.Functions()[0]}
	code := defuse.Of(b.Func)
	for _, one := range operator.Generate(m, operator.Options{FirstSelector: 1, Rules: rules}).Mutants {
		if !readsToCompare(code, &one) {
			b.Mutants = append(b.Mutants, one)
		}
	}
	return b
}

func readsToCompare(code *defuse.Code, m *mutant.Mutant) bool {
	edit, ok := m.Edit.(mutant.Rewrite)
	if !ok {
		return false
	}
	load, ok := edit.Insts[0].(*llir.InstLoad)
	if !ok {
		return false
	}
	at, _ := code.Number(load)
	for _, user := range code.Users[at] {
		if _, compares := code.Items[user].Inst.(*llir.InstICmp); compares {
			return true
		}
	}
	return false
}

// The counts are those of table 5.3, which brute force has confirmed for wrapping integers
// and which no other reading of the integers gives.
func TestRienersProgramsHaveHisCounts(t *testing.T) {
	for _, p := range []struct {
		name, source   string
		faults, killed int
	}{
		{"min", leastOfTwo, 17, 16},
		{"findmin3", leastOf(3), 33, 23},
		{"findmin5", leastOf(5), 49, 37},
		{"findmin10", leastOf(10), 89, 72},
	} {
		b := rienersFaults(t, p.source)
		verdicts, err := smt.Function(context.Background(), b, smt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		counts := map[equiv.Kind]int{}
		for _, v := range verdicts {
			if counts[v.Kind]++; v.Kind == equiv.Unknown {
				t.Errorf("%s: mutant %d is open (%s): %s", p.name, v.Mutant, v.Evidence, v.Reason)
			}
		}
		if killed := len(verdicts) - counts[equiv.Equivalent]; len(verdicts) != p.faults || killed != p.killed {
			t.Errorf("%s: %d faults, %d killed; want %d and %d", p.name, len(verdicts), killed, p.faults, p.killed)
		}
	}
}

func BenchmarkRiener(b *testing.B) {
	for name, source := range map[string]string{"min": leastOfTwo, "findmin3": leastOf(3), "findmin5": leastOf(5), "findmin10": leastOf(10)} {
		b.Run(name, func(b *testing.B) {
			faults := rienersFaults(b, source)
			for b.Loop() {
				if _, err := smt.Function(context.Background(), faults, smt.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
