package smt_test

import (
	"context"
	"fmt"
	"math/rand/v2"
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

// described are his programs of which he prints no code but says what they compute: their
// counts are of our wording.
var described = map[string]string{
	"islower": `int f(int c) { int r = c >= 97 && c <= 122; return r; }`,
	"minmax": `int f(int a, int b, int c) {
  int m = c;
  if (b < c) {
    if (a < b) m = b;
    else if (a < c) m = a;
  } else {
    if (a > b) m = b;
    else if (a > c) m = a;
  }
  return m;
}`,
	"trityp": `int f(int i, int j, int k) {
  int t = 0;
  if (i <= 0 || j <= 0 || k <= 0) return 4;
  if (i == j) t = t + 1;
  if (i == k) t = t + 2;
  if (j == k) t = t + 3;
  if (t == 0) {
    if (i + j <= k || j + k <= i || i + k <= j) return 4;
    return 3;
  }
  if (t > 3) return 1;
  if (t == 1 && i + j > k) return 2;
  if (t == 2 && i + k > j) return 2;
  if (t == 3 && j + k > i) return 2;
  return 4;
}`,
	"mult": `int f(int a, int b, int c, int d, int e, int f, int g, int h) {
  int p = a * e + b * g, q = a * f + b * h, r = c * e + d * g, s = c * f + d * h;
  return p + q + r + s;
}`,
}

// All faults of these are decided; those that are called equivalent no call of thousands tells.
func TestRienersOtherProgramsAreDecided(t *testing.T) {
	for name, source := range described {
		b := everyFault(t, source)
		verdicts, err := smt.Function(context.Background(), b, smt.Options{})
		if err != nil {
			t.Fatal(err)
		}
		twin := newTwin(b.Func, 10_000)
		counts := map[equiv.Kind]int{}
		for k, v := range verdicts {
			counts[v.Kind]++
			m := &b.Mutants[k]
			switch v.Kind {
			case equiv.Unknown:
				t.Errorf("%s: %d:%d %s → %s is open (%s): %s", name, m.Line, m.Column, m.Original, m.Replacement, v.Evidence, v.Reason)
			case equiv.Equivalent:
				if args := twin.tellingCall(t, m, len(b.Func.Params)); args != nil {
					t.Errorf("%s: %d:%d %s → %s is called equivalent, and %v tells it", name, m.Line, m.Column, m.Original, m.Replacement, args)
				}
			}
		}
		t.Logf("%s: %d faults, %d equivalent, %d duplicates", name, len(verdicts), counts[equiv.Equivalent], counts[equiv.Duplicate])
		if counts[equiv.Different] == 0 {
			t.Errorf("%s: no fault is told", name)
		}
	}
}

// tellingCall is a call that tells a mutant, of some thousands with small arguments and around
// the letters; nil for none.
func (w *twin) tellingCall(t *testing.T, m *mutant.Mutant, arguments int) []int64 {
	change := w.change(t, m)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 4_000 {
		args := make([]int64, arguments)
		for k := range args {
			if args[k] = rng.Int64N(9) - 2; rng.IntN(4) == 0 {
				args[k] = rng.Int64N(40) + 90
			}
		}
		if w.run(nil, args...) != w.run(change, args...) {
			return args
		}
	}
	return nil
}

func everyFault(t testing.TB, source string) equiv.Batch {
	t.Helper()
	rules, err := rule.Lookup("riener")
	if err != nil {
		t.Fatal(err)
	}
	m := analysistest.Module(t, source)
	return equiv.Batch{Module: m, Func: m.Functions()[0], Mutants: operator.Generate(m, operator.Options{FirstSelector: 1, Rules: rules}).Mutants}
}

func BenchmarkRiener(b *testing.B) {
	batches := map[string]equiv.Batch{}
	for name, source := range map[string]string{"min": leastOfTwo, "findmin3": leastOf(3), "findmin5": leastOf(5), "findmin10": leastOf(10)} {
		batches[name] = rienersFaults(b, source)
	}
	for name, source := range described {
		batches[name] = everyFault(b, source)
	}
	for name, faults := range batches {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := smt.Function(context.Background(), faults, smt.Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
