package concrete_test

import (
	"fmt"
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/op"
)

// Functions without inputs return what they return in C, through loops, arrays, calls
// and recursion, whatever the seed.
func TestAPathComputesWhatCDoes(t *testing.T) {
	functions := []struct {
		body string
		want int64
	}{
		{"int s = 0; for (int i = 0; i < 10; i++) { if (i % 3 == 1) continue; if (i == 8) break; s += i * i; } return s;", 0 + 4 + 9 + 25 + 36},
		{"int a[5], s = 0; for (int i = 0; i < 5; i++) a[i] = 7 - i; for (int i = 4; i >= 0; i--) s = s * 10 + a[i]; return s;", 34567},
		{"return twice(twice(3)) - less(2, 5);", 11},
		{"return factorial(5);", 120},
		{"int x = 4; add(&x, 38); return x;", 42},
		{"int s = 1; switch (twice(1)) { case 1: s = 10; break; case 2: s += 5; default: s *= 2; } return s;", 12},
		{"unsigned n = 0; do n = n * 2 + 1; while (n < 100); return (int)n;", 127},
	}
	source := `static int twice(int n) { return 2 * n; }
static int less(int a, int b) { return a < b; }
static int factorial(int n) { if (n < 2) return 1; return n * factorial(n - 1); }
static void add(int *to, int n) { *to += n; }
`
	for i, f := range functions {
		source += fmt.Sprintf("int f%d(void) { %s }\n", i, f.body)
	}
	m := compile(t, source, "")
	for i, f := range functions {
		c := concrete.OfFunction(find(t, m.Functions(), fmt.Sprint("f", i)))
		for seed := range uint64(9) {
			var p concrete.Path
			c.Along(&p, seed, 0, 4096)
			if !p.Returned || p.Value() != f.want {
				t.Errorf("seed %d: %s is %d (returned: %v, trap: %v), want %d", seed, f.body, p.Value(), p.Returned, p.Trapped, f.want)
			}
			if len(p.Shown) != 1 {
				t.Errorf("%s shows %d things, and only returns", f.body, len(p.Shown))
			}
		}
	}
}

func find(t *testing.T, functions []*llir.Func, name string) *llir.Func {
	t.Helper()
	for _, f := range functions {
		if f.Name() == name {
			return f
		}
	}
	t.Fatalf("there is no function %s", name)
	return nil
}

// A change is in place wherever the path comes to it: in each round of a loop, and in
// each call of the function.
func TestAChangeIsMadeInEveryRoundAndCall(t *testing.T) {
	m := compile(t, `static int count(int n) { int s = 0; for (int i = 0; i < n; i++) s = s + 1; return s; }
int f(void) { return 100 * count(3) + count(4); }
`, "")
	root := concrete.OfFunction(find(t, m.Functions(), "f"))
	counted := find(t, m.Functions(), "count")
	own := root.Callee(counted)
	items := defuse.Of(counted)
	var sum *llir.InstAdd
	at := -1
	for i := range items.Items {
		// The sum is the addition of 1 to what is not the loop's counter: the first.
		if add, ok := items.Items[i].Inst.(*llir.InstAdd); ok && sum == nil {
			sum, at = add, i
		}
	}
	instead := llir.NewAdd(sum.X, constant.NewInt(types.I32, 2))
	scratch, ok := own.Scratch(op.Lower(items).Instead([]llir.Instruction{instead}, nil), instead, items.Items[at].Block)
	if !ok {
		t.Fatal("one instruction is too long")
	}
	var original, changed concrete.Path
	original.Trace = true
	root.Along(&original, 3, 0, 4096)
	root.AlongChanged(&changed, 3, 0, &concrete.Change{In: own, Code: scratch, At: at, Last: at + 1, Result: at}, &original, 4096)
	if original.Value() != 304 || changed.Value() != 608 || !changed.Differs {
		t.Errorf("counted %d, with the change %d, and they differ: %v", original.Value(), changed.Value(), changed.Differs)
	}
	if !original.Visited(own, items.Items[at].Block) {
		t.Error("the path does not know that it came to the loop")
	}
}

// What a path reads is as in a program: scanf says how many values it read, texts end,
// and variables outside of functions are 0 when main begins.
func TestInputsAreLikeThoseOfPrograms(t *testing.T) {
	m := compile(t, `int scanf(const char *, ...); unsigned long strlen(const char *); int printf(const char *, ...);
static int total; static char text[100];
int main(void) {
  int n, bad = total;
  for (int i = 0; i < 3; i++) { int got = scanf("%d", &n); if (got != 1 && got != -1) bad++; total += n; }
  unsigned long length = strlen(text);
  for (unsigned long i = 0; i < length; i++) if (!text[i]) bad++;
  if (text[length]) bad++;
  return bad;
}
`, "")
	c := concrete.OfFunction(find(t, m.Functions(), "main"))
	shown := map[string]bool{}
	for seed := range uint64(40) {
		var p, again concrete.Path
		c.Along(&p, seed, 0, 4096)
		c.Along(&again, seed, 0, 4096)
		if !p.Returned || p.Value() != 0 {
			t.Errorf("seed %d: returned %v, %d things are not as in a program", seed, p.Returned, p.Value())
		}
		outer, local := p.Outlives(&again)
		if outer || local || fmt.Sprint(p.Shown) != fmt.Sprint(again.Shown) {
			t.Fatalf("seed %d gives two paths", seed)
		}
		shown[fmt.Sprint(p.Shown, p.Steps)] = true
	}
	if len(shown) == 0 {
		t.Error("nothing was run")
	}
}

// Without an end a path stops, and a change that makes it so is told from the original.
func TestAPathStopsWhereNoEndIsInSight(t *testing.T) {
	m := compile(t, "int f(int n) { int i = 0; while (i < 5) i = i + 1; return i; }\n", "")
	f := find(t, m.Functions(), "f")
	c, items := concrete.OfFunction(f), defuse.Of(f)
	at := -1
	for i := range items.Items {
		if _, ok := items.Items[i].Inst.(*llir.InstAdd); ok {
			at = i
		}
	}
	zero := constant.NewInt(types.I32, 0)
	scratch, ok := c.Scratch(op.Lower(items).Instead(nil, nil), zero, items.Items[at].Block)
	if !ok {
		t.Fatal("no code is too long")
	}
	var original, changed concrete.Path
	c.Along(&original, 1, 0, 4096)
	c.AlongChanged(&changed, 1, 0, &concrete.Change{In: c, Code: scratch, At: at, Last: at + 1, Result: at}, &original, 4096)
	if !original.Returned || changed.Returned || changed.Differs || len(changed.Shown) > 0 {
		t.Errorf("the original returned: %v, the change: %v, having shown %v", original.Returned, changed.Returned, changed.Shown)
	}
}

func TestWhatWasForgottenIsTheSameWhenItIsAskedForAgain(t *testing.T) {
	m := compile(t, `int printf(const char *, ...); static int shared;
static int last(int n) { shared = n; return printf("%d", n); }
static int next(int n) { return last(n + shared); }
int f(int n) { return next(n) + last(n); }
`, "")
	root := concrete.OfFunction(find(t, m.Functions(), "f"))
	show := func() string {
		var p concrete.Path
		root.Along(&p, 5, 0, 4096)
		if len(p.Shown) != 3 {
			t.Fatalf("two calls and a value are shown as %v", p.Shown)
		}
		return fmt.Sprint(p.Shown, p.Steps)
	}
	before := show()
	root.Forget()
	if after := show(); after != before {
		t.Errorf("shown %s before and %s after", before, after)
	}
	if root.Callee(find(t, m.Functions(), "last")) == nil {
		t.Error("a callee is not known any more")
	}
}
