package ub_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/ub"
)

// judged is a mutant with the verdict on it.
type judged struct {
	mutant.Mutant
	ub.Verdict
}

func (j *judged) change() string { return j.Original + " -> " + j.Replacement }

// judge makes the mutants of a C program and judges them.
func judge(t testing.TB, text string) []judged {
	return judgeText(t, text, operator.Options{}, (*ub.Judge).Of)
}

// judgeText is judge by one of ub's judges.
func judgeText(t testing.TB, text string, opts operator.Options, by func(*ub.Judge, *llir.Func, []mutant.Mutant) []ub.Verdict) []judged {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	m, source := parse(t, file)
	opts.Source = source
	return judgeModule(m, opts, by)
}

func judgeFile(t testing.TB, file string) ([]judged, *csource.File) {
	t.Helper()
	m, source := parse(t, file)
	return judgeModule(m, operator.Options{Source: source}, (*ub.Judge).Of), source
}

// parse compiles a C file and reads it.
func parse(t testing.TB, file string) (*ir.Module, *csource.File) {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	text, err := tools.Compile(t.Context(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ir.Parse(file, text)
	if err != nil {
		t.Fatal(err)
	}
	source, err := csource.Parse(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m, source
}

// judgeModule makes the mutants of a module and gives the verdicts of one of ub's judges.
func judgeModule(m *ir.Module, opts operator.Options, by func(*ub.Judge, *llir.Func, []mutant.Mutant) []ub.Verdict) []judged {
	var out []judged
	judge := ub.NewJudge(&op.Module{})
	for f, mutants := range operator.NewGenerator(m, opts).All() {
		for i, v := range by(judge, f, mutants) {
			out = append(out, judged{mutants[i], v})
		}
	}
	return out
}

// Each program asks for verdicts on changes of its text. A change that is asked for has to
// be made by some operator, and all mutants that make it have to get the verdict.
var programs = []struct {
	name, code string
	definite   []string
	potential  []string
	unproven   []string
}{
	{
		name: "null guard (Ebrahimipour 2016, fig. 5.2)",
		code: `int f(int *p) { int a = 0; if (p) { a = *p; } return a; }`,
		potential: []string{
			"p -> !p", "p -> 1",
		},
		unproven: []string{"p -> 0", "p -> p++", "p -> p--", "a = 0 -> a = 1"},
	},
	{
		name:      "guards that look at a member, and at a loop's pointer (fig. 3.8)",
		code:      `struct c { int n; struct c *next; }; int f(struct c *c) { int n = 0; while (c != (void*)0) { n += c->n; c = c->next; } return n; }`,
		potential: []string{"c != (void*)0 -> c == (void*)0", "c != (void*)0 -> 1"},
		unproven:  []string{"c != (void*)0 -> 0", "n -> n + 1"},
	},
	{
		name:      "a connective, and",
		code:      `int f(int *p, int b) { if (p && b) return *p; return 0; }`,
		potential: []string{"p && b -> p || b", "p && b -> b", "p -> 1"},
		unproven:  []string{"p && b -> p", "b -> 1", "b -> !b"},
	},
	{
		name:      "a connective, or",
		code:      `int f(int *p, int b) { if (!p || b) return 0; return *p; }`,
		potential: []string{"!p || b -> !p && b", "!p || b -> b", "p -> 1"},
		unproven:  []string{"!p || b -> !p", "b -> 0"},
	},
	{
		name:     "a pointer that is written between the check and its use",
		code:     `int f(int *p, int *q) { if (p) { p = q; return *p; } return 0; }`,
		unproven: []string{"p -> !p", "p -> 1"},
	},
	{
		name:     "a check on one of two ways to the use (the join)",
		code:     `int f(int *p, int a) { if (a) { if (!p) return 0; } return *p; }`,
		unproven: []string{"p -> !p", "p -> 0", "a -> !a"},
	},
	{
		name: "a block of one element (fig. 4.4)",
		code: `#include <stdlib.h>
struct point { int x, y; };
int f(void) { struct point *p = malloc(sizeof *p); p->x = 3; return 0; }`,
		definite: []string{"p -> ++p", "p -> --p", "p -> (struct point *)NULL"},
		unproven: []string{"p -> p++", "p->x = 3 -> p->x = 4"},
	},
	{
		name: "a block of several elements, and two pointers to the pointer (fig. 5.3)",
		code: `#include <stdlib.h>
int f(void) { int **c = malloc(2 * sizeof(int *)); *c = 0; return 0; }`,
		definite: []string{"c -> --c"},
		unproven: []string{"c -> ++c", "c -> c++", "c -> c--"},
	},
	{
		name: "a block of a size that is not known",
		code: `#include <stdlib.h>
int f(unsigned n) { int *c = malloc(n * sizeof *c); if (!c) return 1; c[n - 1] = 0; *c = 1; return 0; }`,
		definite: []string{"c -> --c"},
		unproven: []string{"c -> ++c"},
	},
	{
		name:     "divisors (fig. 3.1)",
		code:     `int f(int x) { return x / 7; } int g(unsigned x) { return x % 1; }`,
		definite: []string{"x / 7 -> x / 0", "x % 1 -> x % 0"},
		unproven: []string{"x / 7 -> x / 1", "x / 7 -> x / -7", "x / 7 -> x / 8", "x % 1 -> x % 2"},
	},
	{
		name:     "widths of shifts (fig. 3.2)",
		code:     `unsigned f(unsigned n, int count) { return (n >> 4) + (n & 40) + (n << count); }`,
		definite: []string{"n >> 4 -> n >> -4", "n & 40 -> n << 40"},
		unproven: []string{"n >> 4 -> n >> 1", "n >> 4 -> n >> 5", "n >> 4 -> n >> 3", "count -> -count"},
	},
	{
		name:      "subscripts (figs. 3.3, 4.7)",
		code:      `static int t[10]; int h(int i) { return t[i & 7]; } int l(void) { int a[4] = {0}, n = 3; a[n] = 1; return a[n]; }`,
		definite:  []string{"n -> n + 1", "n -> -n"},
		potential: []string{"i & 7 -> i + 7", "t[i & 7] -> *(t - (i & 7))"},
		unproven:  []string{"i -> ++i", "i -> -i", "i & 7 -> i & 8", "n -> n - 1"},
	},
	{
		name:      "a loop over an array",
		code:      `int f(const int *x) { int t[4] = {1, 2, 3, 4}, s = 0; for (int i = 0; i < 4; i++) s += t[i] * x[i]; return s; }`,
		potential: []string{"i -> i + 1", "i -> i - 1"},
		unproven:  []string{"s -> s + 1"},
	},
	{
		name:      "values that a statement alone gives (fig. 3.7)",
		code:      `int f(int a) { int x = 3, y = 4; y = a; while (a-- > 0) x++; int z; z = y; return x + z; }`,
		potential: []string{"z = y; -> ;"},
		unproven:  []string{"y = a; -> ;", "x++; -> ;"},
	},
	{
		name:      "what follows a call that may not return",
		code:      `void stop(int); int f(void) { int n = 1; stop(2); return 7 / n; } int g(void) { int n = 1; return 7 / n; }`,
		definite:  []string{"n = 1 -> n = 0", "n -> n - 1"},
		potential: []string{"n = 1 -> n = 0"},
		unproven:  []string{"n -> n + 1"},
	},
	{
		name:      "a comparison whose mutant lets a bad subscript through (fig. 3.5)",
		code:      `int f(int size, int k) { int arr[3] = {1, 1, 1}, s = 0; for (int i = 0; i < 3; i++) s += arr[i]; if (k > 0 && k < 3) arr[k] += s; return arr[1] + (size > 2); }`,
		potential: []string{"i < 3 -> i <= 3", "i < 3 -> 1", "k < 3 -> k <= 3", "k > 0 -> k <= 0", "k > 0 && k < 3 -> k > 0 || k < 3", "i = 0 -> i = -1"},
		unproven:  []string{"k > 0 -> k >= 0", "size > 2 -> size >= 2", "i < 3 -> i != 3", "i = 0 -> i = 1"},
	},
	{
		name:     "a comparison with a loop's counter that is never true (fig. 3.5 as it stands)",
		code:     `int f(int size) { int arr[3] = {1, 1, 1}; for (int i = 0; i < size; i++) { if (i != 0) { arr[i] += 5; } } return arr[1]; }`,
		unproven: []string{"i != 0 -> i < 0"},
	},
	{
		name:     "values that go wrong in later blocks",
		code:     `int f(int a) { int n = 3, w = 4; if (a & 1) a++; return (a & 7) / n + (1 << w); }`,
		definite: []string{"n = 3 -> n = 0", "w = 4 -> w = -4"},
		unproven: []string{"n = 3 -> n = 4", "w = 4 -> w = 5"},
	},
	{
		name:      "signed numbers that leave their type",
		code:      `int f(void) { int a = 2147483647, b = 46341, c = -2147483647 - 1; return (a - 1) + (b * 2 - a) + (c / 2); } int g(int x) { int y = x & 1023; return y * 2098176; } unsigned h(void) { unsigned a = 4294967295u; return a - 1; }`,
		definite:  []string{"a - 1 -> a + 1", "c / 2 -> c * 2"},
		potential: []string{"y -> y + 1"},
		unproven:  []string{"a - 1 -> a * 1"},
	},
	{
		name:     "divisors and widths of 128 bits",
		code:     `__int128 f(__int128 w) { return w / 7 + (w << 3); }`,
		definite: []string{"w / 7 -> w / 0", "w << 3 -> w << -3"},
		unproven: []string{"w / 7 -> w / 8", "w << 3 -> w << 4"},
	},
	{
		name: "a pointer that a deleted statement leaves null (fig. 3.7), in its block and in later ones",
		code: `struct t { int usec; }; int f(int a, int b) { struct t *tt = (void *)0, two[2], *u = (void *)0;
two[0].usec = 1; two[1].usec = 2;
if (a) { tt = two; tt[0].usec = 0; u = two; if (b) a++; return u->usec + a; }
return 0; }`,
		definite: []string{"tt = two; -> ;", "u = two; -> ;"},
	},
	{
		name: "what a function does with its argument",
		code: `int used(int *p) { int a = *p; return a + 1; } int asks(int *p) { if (p) return *p; return 0; }
int f(int *p) { if (p) return used(p); return 0; } int g(int *p) { if (p) return asks(p); return 0; }
unsigned long strlen(const char *); int h(const char *s) { if (s != (void *)0) return (int)strlen(s); return 0; }
int i(void) { int x = 1; int *q = (void *)0; q = &x; return used(q); }`,
		potential: []string{"p -> !p", "p -> 1", "s != (void *)0 -> s == (void *)0"},
		definite:  []string{"q = &x; -> ;"},
	},
	{
		name: "what a function allocates",
		code: `#include <stdlib.h>
static void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }
struct s { int a, b; }; int f(void) { struct s *p = xmalloc(sizeof *p); p->a = 1; return 0; }`,
		definite: []string{"p -> --p", "p -> ++p"},
		unproven: []string{"p -> p++"},
	},
	{
		name: "a variable that is read before its first value",
		code: `int g(int); int f(int a) { int x, y = 2, z, w; x = a; y = g(x);
for (; y > 3; y--) { w = g(y); x += w; } if (a) z = a + 1; else z = 3; return x + z; }`,
		potential: []string{"x = a -> ++x", "w = g(y) -> (g(y), --w)", "z = 3 -> ++z"},
		unproven:  []string{"y = g(x) -> (g(x), ++y)", "x + z -> ++x", "z = 3 -> z = 4"},
	},
	{
		name:     "a block that goes on for long",
		code:     "unsigned f(unsigned x) { int n = 3; " + strings.Repeat("x = x * 3 + 1; ", 20) + "x /= n; " + strings.Repeat("x++; ", 100) + "return x >> n; }",
		definite: []string{"n = 3 -> n = 0"},
		unproven: []string{"n = 3 -> n = -3"},
	},
	{
		name:     "code that the original makes undefined is not the mutant's fault",
		code:     `int t[2]; int f(int i) { int n = 2; return t[n] + i / 0 + (i << 32); }`,
		unproven: []string{"i -> i + 1", "i -> -i", "n -> n - 1"},
	},
}

func TestVerdictsAreThoseOfThePaper(t *testing.T) {
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			all := judge(t, p.code)
			for grade, changes := range map[ub.Grade][]string{ub.Definite: p.definite, ub.Potential: p.potential, ub.Unproven: p.unproven} {
				for _, change := range changes {
					expect(t, all, change, grade)
				}
			}
		})
	}
}

// expect checks that a change is made, and that the mutants that make it get a grade.
func expect(t *testing.T, all []judged, change string, grade ub.Grade) {
	t.Helper()
	found := 0
	var others []string
	for i := range all {
		if all[i].change() == change && all[i].Grade == grade {
			found++
		}
		others = append(others, all[i].change()+": "+all[i].Grade.String()+" "+all[i].Reason)
	}
	if found == 0 {
		slices.Sort(others)
		t.Errorf("no mutant %q is %q among\n%s", change, grade, strings.Join(slices.Compact(others), "\n"))
	}
}
