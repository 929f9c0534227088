package ub_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/mutant/operator"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/ub"
)

// faithful gives the verdicts of the published analyses on the mutants of the thesis'
// operators and of the default ones, which make conditions true and false.
func faithful(t *testing.T, text string) []judged {
	t.Helper()
	rules, err := rule.Lookup("default,ABS,LCR,ROR,UOI,CRCR,OCNG,SSDL")
	if err != nil {
		t.Fatal(err)
	}
	return judgeText(t, text, operator.Options{Rules: rules}, (*ub.Judge).Faithful)
}

// Each program has the verdicts of one example of the thesis, or of what its algorithms
// leave open; found are all mutants that are found, as "analysis line: change".
var published = []struct {
	name, code string
	found      []string
	// not is made and not found.
	not []string
}{
	{
		name: "NGA, figure 4.1: the branch, and not the comparison that its flag holds",
		code: `int boo(void); int foo(int *p) {
	int a = 0;
	_Bool flag = (p != (void *)0);
	if (flag) {
		a = *p;
	} else {
		a = boo();
	}
	return a; }`,
		found: []string{"NGA 4: flag -> !flag", "NGA 4: flag -> 1"},
		not:   []string{"p != (void *)0 -> p == (void *)0", "flag -> 0"},
	},
	{
		name: "NGA, figure 3.8: a condition that a variable holds, and a pointer as the condition",
		code: `struct c { int i; }; unsigned f(struct c *ctx) {
	_Bool cond = ctx != (void *)0;
	unsigned ctx_i = 0;
	if (cond)
		ctx_i = ctx->i;
	if (ctx)
		ctx_i = ctx->i;
	return ctx_i; }`,
		found: []string{"NGA 4: cond -> !cond", "NGA 4: cond -> 1", "NGA 6: ctx -> !ctx", "NGA 6: ctx -> ++ctx", "NGA 6: ctx -> --ctx", "NGA 6: ctx -> 1"},
		not:   []string{"ctx -> ctx++"},
	},
	{
		name:  "NGA, figure 5.2",
		code:  "int f(int a, int *p) {\n if (p) { a = *p; }\n return a; }",
		found: []string{"NGA 2: p -> !p", "NGA 2: p -> ++p", "NGA 2: p -> --p", "NGA 2: p -> 1"},
		not:   []string{"p -> 0", "p -> p++", "p -> p--"},
	},
	{
		name:  "NGA, figure 5.1: connectives",
		code:  "int f(int *p, int b) {\n if (p && b) return *p;\n return 0; }\nint g(int *p, int b) {\n if (!p || b) return 0;\n return *p; }",
		found: []string{"NGA 2: p && b -> p || b", "NGA 2: p -> !p", "NGA 2: p -> ++p", "NGA 2: p -> --p", "NGA 2: p -> 1", "NGA 5: !p || b -> !p && b", "NGA 5: p -> !p", "NGA 5: p -> ++p", "NGA 5: p -> --p", "NGA 5: p -> 1"},
	},
	{
		name:  "NGA: a pointer that is written after its check",
		code:  "int f(int *p, int *q) {\n if (p) { p = q; return *p; }\n return 0; }",
		found: nil,
		not:   []string{"p -> !p"},
	},
	{
		name:  "NGA: a check on one of two ways stands where they meet, as printed",
		code:  "int f(int *p, int a) {\n if (a) {\n if (!p) return 0; }\n return *p; }",
		found: []string{"NGA 3: p -> !p", "NGA 3: p -> ++p", "NGA 3: p -> --p", "NGA 3: p -> 1"},
	},
	{
		name: "MPA, figure 4.4",
		code: `#include <stdlib.h>
struct point { int x, y; };
void foo(struct point *p, int a, _Bool cond) {
	if (cond) {
		p = malloc(sizeof(struct point));
		p->x = a;
	} else {
		p = malloc(2 * sizeof(struct point));
		p->x = a;
	}
	p->y = a; }`,
		found: []string{"MPA 11: p -> --p", "MPA 11: p -> p--", "MPA 6: p -> ++p", "MPA 6: p -> --p", "MPA 6: p -> p++", "MPA 6: p -> p--", "MPA 9: p -> --p", "MPA 9: p -> p--"},
	},
	{
		name: "MPA, figures 3.6 and 5.3",
		code: `#include <stdlib.h>
void *xmalloc(size_t); struct a_pattern { char *str; }; struct dep { int num, name; };
void f(char *p, struct dep **c, int a) {
	struct a_pattern *pat_y = xmalloc(sizeof(struct a_pattern));
	pat_y->str = p;
	struct a_pattern *pat_x = xmalloc(2 * sizeof(struct a_pattern));
	pat_x->str = p;
	c = malloc(2 * sizeof(struct dep));
	a = (c)[0]->num; }`,
		found: []string{"MPA 5: pat_y -> ++pat_y", "MPA 5: pat_y -> --pat_y", "MPA 5: pat_y -> pat_y++", "MPA 5: pat_y -> pat_y--", "MPA 7: pat_x -> --pat_x", "MPA 7: pat_x -> pat_x--", "MPA 9: c -> --c", "MPA 9: c -> c--", "SVA 9: (c)[0] -> c[-1]"},
	},
	{
		name:  "SVA, figures 3.1 and 3.2",
		code:  "int f(int x, int y, int n, int count) {\n x = y / 2;\n x = y % 2;\n if (y != 0)\n  x = x / y;\n x = n >> 4;\n return n << count; }",
		found: []string{"SVA 2: y / 2 -> y / 0", "SVA 3: y % 2 -> y % 0", "SVA 6: n >> 4 -> n >> -1", "SVA 6: n >> 4 -> n >> -4", "SVA 7: count -> -abs(count)"},
		not:   []string{"y != 0 -> y == 0", "n >> 4 -> n >> 1", "n >> 4 -> n >> 0", "n >> 4 -> n >> 5", "n >> 4 -> n >> 3", "count -> abs(count)"},
	},
	{
		name: "SVA, figures 3.3, 3.4 and 4.7, and 3.5 and 3.7, of which it finds the subscripts alone",
		code: `struct t { int usec; };
static int leaves[10];
int f(int a, int len, int n, int *arr, int t) {
	struct t *tt = (void *)0;
	struct t truncated[2];
	if (a) {
		tt = truncated;
		tt[0].usec = 0;
	}
	n += leaves[len];
	int i = t + 5;
	arr[i] = 1;
	for (int i = 0; i < n; i++)
		if (i != 0)
			arr[i] += 5;
	return n; }`,
		found: []string{"SVA 10: len -> -abs(len)", "SVA 12: i -> -abs(i)", "SVA 15: i -> -abs(i)", "SVA 8: tt[0] -> tt[-1]"},
		not:   []string{"i != 0 -> i < 0", "tt = truncated; -> ;", "t -> -abs(t)", "t + 5 -> t - 5"},
	},
	{
		name:  "figures 2.2 and 2.3: two equivalent programs are not undefined",
		code:  "int f(int flag) {\n int counter = 0;\n while (flag) {\n  if (counter > 10)\n   break;\n }\n return counter; }",
		found: nil,
		not:   []string{"counter > 10 -> counter >= 10"},
	},
}

func TestTheFaithfulAnalysesFindWhatTheThesisSays(t *testing.T) {
	for _, p := range published {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			var found, made []string
			for _, j := range faithful(t, p.code) {
				made = append(made, j.change())
				if j.Grade != ub.Unproven {
					found = append(found, j.Analysis+" "+strconv.Itoa(j.Mutant.Line)+": "+j.change())
				}
			}
			slices.Sort(found)
			if found = slices.Compact(found); !slices.Equal(found, p.found) {
				t.Errorf("found\n%s\nnot\n%s", strings.Join(found, "\n"), strings.Join(p.found, "\n"))
			}
			for _, change := range p.not {
				if !slices.Contains(made, change) {
					t.Errorf("no mutant makes %q", change)
				}
			}
		})
	}
}
