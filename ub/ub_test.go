package ub_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
	t.Helper()
	file := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	out, _ := judgeFile(t, file)
	return out
}

func judgeFile(t testing.TB, file string) ([]judged, *csource.File) {
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
	var out []judged
	lowered := &op.Module{}
	for f, mutants := range operator.NewGenerator(m, operator.Options{Source: source}).All() {
		for i, v := range ub.Judge(lowered, f, mutants) {
			out = append(out, judged{mutants[i], v})
		}
	}
	return out, source
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
