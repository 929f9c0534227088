package smt_test

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/bmc"
	"github.com/winnow-mutants/winnow/equiv/constraint"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/internal/deep"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/symbolic/assume"
)

// judged are the mutants of a function with their verdicts.
func judged(t *testing.T, source, function string) ([]mutant.Mutant, []equiv.Verdict) {
	t.Helper()
	m := analysistest.Module(t, source)
	all := operator.Generate(m, operator.Options{FirstSelector: 1}).Mutants
	b := equiv.Batch{Module: m}
	for _, one := range all {
		if one.Function == function {
			b.Mutants, b.Func = append(b.Mutants, one), one.Site.Func
		}
	}
	verdicts, err := smt.Function(context.Background(), b, smt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return b.Mutants, verdicts
}

// kinds are the verdicts by the change as text, of those on a line.
func kinds(mutants []mutant.Mutant, verdicts []equiv.Verdict, line int) map[string]equiv.Verdict {
	out := map[string]equiv.Verdict{}
	for i, m := range mutants {
		if m.Line == line {
			out[m.Original+" → "+m.Replacement] = verdicts[i]
		}
	}
	return out
}

// run is what a function of small numbers comes to: a result, a trap, or no end.
type run struct {
	value            int64
	trapped, endless bool
}

// twin computes a function and its mutants by the interpreter.
type twin struct {
	code *concrete.Code
	ops  *op.Function
	path concrete.Path
	// known are the runs of the versions that others are compared with, on all pairs; that of the
	// original is under nil.
	known map[*concrete.Change][]run
	// longest is how many items a run took that came to its end, and most bounds them.
	longest, most int
}

// mostOfTwin bounds the items of a run, of twins that need more than 2,000. Runs that never end take most of the
// time; that no other comes near is looked at.
var mostOfTwin = map[string]int{"counters": 5_000, "halves": 5_000, "paths": 5_000, "rows": 10_000}

func newTwin(f *llir.Func, most int) *twin {
	return &twin{code: concrete.Of(f, &op.Module{}), ops: op.Lower(defuse.Of(f)), known: map[*concrete.Change][]run{}, most: most}
}

func (w *twin) change(t *testing.T, m *mutant.Mutant) *concrete.Change {
	c := smt.ChangeOf(w.ops, m)
	if c == nil {
		return nil
	}
	scratch, ok := w.code.Scratch(c.Code, c.Value, w.ops.Code.Items[c.At].Block)
	if !ok {
		t.Fatalf("%s is too long", m.ID)
	}
	return &concrete.Change{In: w.code, Code: scratch, At: c.At, Last: c.Last, Result: c.ResultOf}
}

func (w *twin) run(c *concrete.Change, args ...int64) run {
	w.code.AlongArguments(&w.path, args, c, w.most)
	if w.path.Trapped {
		return run{trapped: true}
	}
	if !w.path.Returned {
		return run{endless: true}
	}
	w.longest = max(w.longest, w.path.Length())
	return run{value: w.path.Value()}
}

// callers are the twins that call other functions, which equiv/bmc follows: they are judged by it.
var callers = map[string]bool{"helpers": true, "stored": true}

// Functions of all operators on numbers of eight bits: no mutant is called equivalent, here or by
// its constraints (equiv/constraint), that two numbers tell apart, and none different that no two do. Those with loops have mutants that are equivalent
// only because of what holds in the loop, and mutants that break what holds there, of which
// none may be called a duplicate of another because they agree where it holds.
var twins = map[string]string{
	"arithmetic": `int f(signed char a, unsigned char b) { int x = a + b; int y = (a - 3) * b; if (x > y) x = x - y; return x ^ (y >> 2); }`,
	"division":   `int f(signed char a, signed char b) { int q = 0; if (b != 0) q = a / b + a % 7; return q * 2; }`,
	"bits":       `int f(unsigned char a, unsigned char b) { unsigned char x = a & b; x |= a ^ 15; return (x << 1) + (b >> 3); }`,
	"logic":      `int f(signed char a, signed char b) { if (a < b && b > 0 || a == b) return 1; return a >= 0 ? 2 : 3; }`,
	"least":      `int f(signed char a, signed char b) { int m = a; if (b < m) m = b; if (a < m) m = a; return m; }`,
	"switch":     `int f(unsigned char a, signed char b) { switch (a & 3) { case 0: return b; case 1: b++; case 2: return b + 1; default: return -b; } }`,
	"array":      `int f(unsigned char a, unsigned char b) { int t[4] = {1, 2, 3, 4}; t[a & 3] = b; return t[b & 3] + t[1]; }`,
	"pointer":    `int f(unsigned char a, unsigned char b) { int x = a, *p = &x; *p += b; if (p) x++; return x; }`,
	"counters":   `int f(signed char a, signed char b) { int i, s = 0, m = 0; for (i = 0; i < (a & 15); i++) { if (i > b) s++; if (s > m) m = s; } return s * 2 + m; }`,
	"down":       `int f(signed char a, unsigned char b) { int n = b & 31, d = 0; while (n > 0) { if (n % 3 == a) d = n; n -= 2; } return d + n; }`,
	"rows":       `int f(unsigned char a, unsigned char b) { int s = 0; for (int i = 0; i < (a & 3); i++) for (int j = i; j <= (b & 3); j++) s += j - i; return s; }`,
	"paths":      `int f(signed char a, signed char b) { int r = 0; if (a > 5) { if (a < 3) r = b; else if (b == 0) r = a + b; } else if (a == -7) { r = a * 2; if (b > a) r -= a; } while (b > 0) { if (a > b) r++; b -= 16; } return r; }`,
	"helpers":    `static int sign(int x) { if (x > 0) return 1; return x < 0 ? -1 : 0; } static int order(int a, int b) { return sign(a - b) * 2 + (a == b); } int f(signed char a, signed char b) { int o = order(a, b & 63); if (o > 2) o = a; return o + sign(b); }`,
	"stored":     `static void put(unsigned char *p, unsigned char v) { int t[3] = {5, 1, 5}; if (v & 1) *p = v + t[v % 3]; } int f(unsigned char a, unsigned char b) { unsigned char x = a, y = 3; put(&x, b); if (y > x) put(&y, a); return x * 2 + y; }`,
	"halves":     `int f(unsigned char a, signed char b) { unsigned lo = 0, hi = a; while (lo < hi) { unsigned m = (lo + hi) / 2; if ((int)m < b) lo = m + 1; else hi = m; } return lo; }`,
}

func TestVerdictsAgreeWithAllNumbersOfEightBits(t *testing.T) {
	step := int64(deep.Count(31, 1)) // from one number to the next
	for name, source := range twins {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			mutants, verdicts := judged(t, source, "f")
			w := newTwin(mutants[0].Site.Func, cmp.Or(mostOfTwin[name], 2_000))
			equivalent, constrained := 0, 0
			changes := map[int32]*concrete.Change{} // those that duplicates are compared with
			simple, err := constraint.Function(equiv.Batch{Func: mutants[0].Site.Func, Mutants: mutants}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if callers[name] {
				verdicts, err = bmc.Function(context.Background(), equiv.Batch{Func: mutants[0].Site.Func, Mutants: mutants}, bmc.Options{})
				if err != nil {
					t.Fatal(err)
				}
			}
			for i := range mutants {
				v := verdicts[i]
				if callsOut(&mutants[i]) {
					continue
				}
				c := w.change(t, &mutants[i])
				// Most of the time goes to those that nothing tells apart: of the open ones nothing is claimed.
				byConstraints, told := simple[i].Kind == equiv.Equivalent, ""
				if byConstraints || v.Kind == equiv.Equivalent || v.Kind == equiv.Different {
					told = w.toldApart(c, step)
				}
				what := mutants[i].Original + " → " + mutants[i].Replacement
				if s := simple[i]; told != "" && byConstraints {
					t.Errorf("%s is called equivalent (%s: %s), and %s tells it apart", what, s.Evidence, s.Reason, told)
				} else if byConstraints {
					constrained++
				}
				switch {
				case told != "" && v.Kind == equiv.Equivalent:
					t.Errorf("%s is called equivalent (%s), and %s tells it apart", what, v.Evidence, told)
				case told == "" && v.Kind == equiv.Different && step == 1:
					t.Errorf("%s is called different (%s), and nothing tells it apart", what, v.Reason)
				case v.Kind == equiv.Duplicate:
					if changes[v.Of] == nil {
						changes[v.Of] = w.change(t, &mutants[v.Of-1])
					}
					if other := w.toldApart2(changes[v.Of], c, step); other != "" {
						t.Errorf("%s is called a duplicate, and %s tells them apart", what, other)
					}
				}
				if v.Kind == equiv.Equivalent {
					equivalent++
				}
			}
			if w.longest > w.most*9/10 {
				t.Errorf("a run took %d items: others may have been cut at %d that would have come to their end", w.longest, w.most)
			}
			t.Logf("no run took more than %d items", w.longest)
			t.Logf("%d of %d mutants are equivalent, %d by their constraints", equivalent, len(mutants), constrained)
		})
	}
}

// callsOut reports mutants that call what the interpreter makes up.
func callsOut(m *mutant.Mutant) bool { return strings.Contains(m.Replacement, "abort") }

func (w *twin) toldApart(c *concrete.Change, step int64) string { return w.toldApart2(nil, c, step) }

// toldApart2 is a call that tells two versions apart, or "". What the first does is kept.
func (w *twin) toldApart2(one, other *concrete.Change, step int64) string {
	known := w.known[one]
	at := 0
	for a := int64(-128); a < 128; a += step {
		for b := int64(-128); b < 128; b += (step + 7) / 8 {
			if at == len(known) {
				known = append(known, w.run(one, a, b))
			}
			if was, is := known[at], w.run(other, a, b); was != is {
				w.known[one] = known
				return fmt.Sprintf("f(%d, %d) is %v and %v", a, b, was, is)
			}
			at++
		}
	}
	w.known[one] = known
	return ""
}

func TestWhatLoopsDoNeedsNoBound(t *testing.T) {
	source := `
int total(const int *a, int n) {
  int s = 0, last = 0;
  for (int i = 0; i < n; i++) {
    last = i;
    if (a[i] > 0)
      s += a[i];
  }
  return s;
}`
	mutants, verdicts := judged(t, source, "total")
	for change, want := range map[string]equiv.Kind{
		"a[i] > 0 → a[i] >= 0": equiv.Equivalent,
		"a[i] > 0 → a[i] > -1": equiv.Equivalent,
		"a[i] > 0 → a[i] < 0":  equiv.Unknown,
	} {
		if v, ok := kinds(mutants, verdicts, 6)[change]; !ok || v.Kind != want {
			t.Errorf("%s is %v (%s), want %v", change, v.Kind, v.Reason, want)
		}
	}
	if v := kinds(mutants, verdicts, 5)["last = i; → ;"]; v.Kind != equiv.Equivalent {
		t.Errorf("the deletion of what nobody reads is %v: %s", v.Kind, v.Reason)
	}
}

func TestWhatHoldsInALoopProvesMutants(t *testing.T) {
	source := `
int f(int n, int limit) {
  int count = 0, most = 0;
  for (int i = 0; i < n; i++) {
    if (i % 3 == limit)
      count++;
    if (count > most)
      most = count;
  }
  return count + most;
}`
	mutants, verdicts := judged(t, source, "f")
	for _, one := range []struct {
		line         int
		change, fact string
	}{
		{5, "i → abs(i)", "i >= 0"},
		{7, "count → abs(count)", "count >= 0"},
		{8, "most = count → ++most", "count"},
	} {
		v, ok := kinds(mutants, verdicts, one.line)[one.change]
		if !ok || v.Kind != equiv.Equivalent || !strings.Contains(v.Reason, one.fact) {
			t.Errorf("%s is %v: %s; want equivalent, as %s", one.change, v.Kind, v.Reason, one.fact)
		}
	}
	if v := kinds(mutants, verdicts, 6)["limit → abs(limit)"]; v.Kind != equiv.Unknown {
		t.Errorf("of limit nothing is known, and its absolute value is %v: %s", v.Kind, v.Reason)
	}
}

// The guard x > 0 is true when the loop begins, and its variable changes in it: what held
// in front of a loop says nothing about its rounds (the defect that Offutt and Pan had to
// correct by hand).
func TestAGuardInFrontOfALoopIsNoFactInIt(t *testing.T) {
	source := `
int f(int x, int n) {
  int s = 0;
  if (x > 0)
    while (n > 0) {
      if (x > 0)
        s++;
      x--;
      n--;
    }
  return s;
}`
	mutants, verdicts := judged(t, source, "f")
	for change, v := range kinds(mutants, verdicts, 6) {
		if strings.HasSuffix(change, "→ 1") && v.Kind == equiv.Equivalent {
			t.Errorf("%s is called equivalent: %s", change, v.Reason)
		}
	}
}

func TestWhatIsNotUnderstoodIsUnknown(t *testing.T) {
	for name, source := range map[string]string{
		"volatile": `int f(volatile int *p, int a) { int b = *p; return a + b - b; }`,
		"assembly": `int f(int a) { __asm__("nop"); return a + 1; }`,
		"setjmp":   `#include <setjmp.h>` + "\njmp_buf b; int f(int a) { if (setjmp(b)) return a; return a + 1; }",
		"wide":     `__int128 g; int f(int a) { g = g + a; return a; }`,
		"labels":   `int f(int a) { void *to[] = {&&x, &&y}; goto *to[a & 1]; x: return 1; y: return 2; }`,
	} {
		_, verdicts := judged(t, source, "f")
		for _, v := range verdicts {
			if v.Kind == equiv.Equivalent && v.Evidence != "smt/unreached" {
				t.Errorf("%s: a mutant is called equivalent (%s)", name, v.Evidence)
			}
		}
	}
}

// What is open comes with a state in which the two go on differently, in the words of the source.
func TestWhatIsOpenComesWithAState(t *testing.T) {
	mutants, verdicts := judged(t, `#include <stdio.h>
void steps(int from, int n) {
  for (int i = from; i < n; i++) {
    int i = n;
    while (i > from) i -= 2;
    printf("%d\n", i);
  }
}
`, "steps")
	for line, want := range map[int][2]string{
		3: {"i < n → i <= n", "^it differs in a round of the loop at line 3 that begins with .*n = -?[0-9]+.*i = -?[0-9]+.*; whether"},
	} {
		v := kinds(mutants, verdicts, line)[want[0]]
		if ok, err := regexp.MatchString(want[1], v.Reason); v.Kind != equiv.Unknown || !ok || err != nil {
			t.Errorf("%s is %v: %s", want[0], v.Kind, v.Reason)
		}
	}
}

// The call that a tester reads is the one at the limit, and not any that the solver comes upon.
func TestACallThatTellsIsAtTheLimit(t *testing.T) {
	mutants, verdicts := judged(t, `int postage(int grams, int stamps) {
  if (grams <= 0) return -1;
  if (grams <= 500) return 250 * stamps;
  return 450 + stamps;
}
`, "postage")
	for line, want := range map[int]map[string]string{
		2: {"grams <= 0 → grams < 0": "postage(grams = 0, stamps = 0) returns -1, the mutant 0"},
		3: {
			"grams <= 500 → grams < 500": "postage(grams = 500, stamps = 0) returns 0, the mutant 450",
			"stamps → abs(stamps)":       "postage(grams = 1, stamps = -1) returns -250, the mutant 250",
		},
	} {
		for change, reason := range want {
			if v := kinds(mutants, verdicts, line)[change]; v.Kind != equiv.Different || v.Reason != reason {
				t.Errorf("%s is %v: %s, want %s", change, v.Kind, v.Reason, reason)
			}
		}
	}
	mutants, verdicts = judged(t, "int over(int a) {\n  return a + 1 > 7;\n}\n", "over")
	if v := kinds(mutants, verdicts, 2)["a + 1 > 7 → a > 6"]; v.Kind != equiv.Unknown && v.Evidence != smt.Limits {
		t.Errorf("%v by %s: %s", v.Kind, v.Evidence, v.Reason)
	}
}

// What is assumed holds in loops as far as it can be carried there, and at lines.
func TestWhatIsAssumedProvesMutants(t *testing.T) {
	source := `int f(const int *list, int count, int place) {
  int sum = 0;
  for (int i = place; i < count; i++) {
    int next = list[i];
    sum += next + i;
  }
  return sum;
}
`
	for assumed, proved := range map[string]map[string]bool{
		"":                                {"i → abs(i)": false, "next → abs(next)": false},
		"f: place >= 0":                   {"i → abs(i)": true, "next → abs(next)": false},
		"f: list[] >= 0":                  {"i → abs(i)": false, "next → abs(next)": true},
		"f: list[] >= place":              {"next → abs(next)": false},
		"f: list[] > place && place >= 0": {"i → abs(i)": true, "next → abs(next)": true},
		"sub/f.c:5: next >= 0":            {"next → abs(next)": false},
		"program.c:5: next >= 0":          {"i → abs(i)": false, "next → abs(next)": true},
		"program.c:3: place == -100":      {"i → abs(i)": false},
	} {
		all, err := assume.Parse([]byte(assumed))
		if err != nil {
			t.Fatal(err)
		}
		m := analysistest.Module(t, source)
		b := equiv.Batch{Module: m, Func: m.Functions()[0]}
		for _, one := range operator.Generate(m, operator.Options{FirstSelector: 1}).Mutants {
			if one.Line == 5 {
				b.Mutants = append(b.Mutants, one)
			}
		}
		verdicts, err := smt.Function(context.Background(), b, smt.Options{Assumed: all})
		if err != nil {
			t.Fatal(err)
		}
		of := kinds(b.Mutants, verdicts, 5)
		for change, want := range proved {
			v, made := of[change]
			if !made || (v.Kind == equiv.Equivalent) != want || want && !strings.Contains(v.Reason, "taken for granted: ") {
				t.Errorf("%q: %s is %v: %s", assumed, change, v.Kind, v.Reason)
			}
		}
	}
}
