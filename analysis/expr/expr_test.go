package expr_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/expr"
	"github.com/winnow-mutants/winnow/ir"
)

// tree prints the expressions of the function f that stand on one line of the
// source, roots only, as kind(child, …) with v for variables and # for literals.
func tree(t *testing.T, source string, line int) string {
	t.Helper()
	code := defuse.Of(analysistest.Function(t, source, "f"))
	f := expr.Build(code)
	var print func(n int) string
	print = func(n int) string {
		node := f.Nodes[n]
		if node.Kind == expr.Identifier {
			return "v"
		}
		var parts []string
		for _, c := range node.Children {
			parts = append(parts, print(c))
		}
		for _, o := range node.Operands[len(node.Children):] {
			parts = append(parts, map[expr.OperandKind]string{expr.Variable: "v", expr.Literal: "#"}[o.Kind])
		}
		return fmt.Sprintf("%v(%s)", node.Kind, strings.Join(parts, ", "))
	}
	var out []string
	for n, node := range f.Nodes {
		isOn := slices.ContainsFunc(node.Items, func(i int) bool { return ir.PositionOf(code.Items[i].Node()).Line == line })
		if isOn && len(node.Parents) == 0 && node.Kind != expr.Other {
			out = append(out, print(n))
		}
	}
	return strings.Join(out, "; ")
}

func TestTreesAreThoseOfTheSource(t *testing.T) {
	for _, c := range []struct{ statement, want string }{
		{"x = y + 1;", "assignment(add(v, #), v)"},
		{"x += y;", "update(v, v)"},
		{"x = x + 1;", "assignment(add(v, #), v)"},
		{"x++;", "update(v)"},
		{"c++;", "update(v)"},
		{"c += 3;", "update(v, #)"},
		{"a[x]++;", "update(element(v, v))"},
		{"if (x-- > 0) g(x);", "branch(gt(update(v), #)); call(v)"},
		{"if (x--) g(x);", "branch(update(v)); call(v)"},
		{"if (x != 0) g(x);", "branch(ne(v, #)); call(v)"},
		{"if (!x) g(x);", "branch(v); call(v)"},
		{"y = !x;", "assignment(not(v), v)"},
		{"l = x;", "assignment(v, v)"},
		{"x = a[y] * 2;", "assignment(mul(element(v, v), #), v)"},
		{"x = a[0];", "assignment(element(v, #), v)"},
		{"a[y] = x;", "assignment(v, element(v, v))"},
		{"x = *p;", "assignment(dereference(v), v)"},
		{"*p++ = 7;", "assignment(update(v), #)"},
		{"x = s->m;", "assignment(member(v), v)"},
		{"x = -y / ~x;", "assignment(div(neg(v), complement(v)), v)"},
		{"g(g(x) + 3);", "call(add(call(v), #))"},
		{"return x + 1;", "return(add(v, #))"},
		{"x = y > 1 ? 5 : c;", "branch(gt(v, #)); assignment(conditional(v), v)"},
		{"x = y && x;", "branch(v); assignment(logical(v, v), v)"},
		{"d = x * 2.5;", "assignment(mul(v, #), v)"},
		{"switch (x + y) { case 1: g(2); }", "switch(add(v, v)); call(#)"},
	} {
		source := `struct S { int k, m; };
int g(int);
int f(int x, int y, int *p, struct S *s, char c, long l, double d) {
  int a[9];
` + c.statement + `
  return 0;
}`
		if got := tree(t, source, 5); got != c.want {
			t.Errorf("%s is\n\t%s, want\n\t%s", c.statement, got, c.want)
		}
	}
}

func TestReformattingChangesNoTree(t *testing.T) {
	for _, pair := range [][2]string{
		{"int f(int n) {\n  while (n-- > 0 && n % 3) n -= 2;\n  return n;\n}", "int f(int n)\n{ while(n--\n>0\n&&n%3)\nn-=\n2; return   n; }"},
	} {
		var kinds [2]string
		for i, source := range pair {
			f := expr.Build(defuse.Of(analysistest.Function(t, source, "f")))
			for _, n := range f.Nodes {
				kinds[i] += fmt.Sprintln(n.Kind, n.Parents, n.Children, len(n.Operands))
			}
		}
		if kinds[0] != kinds[1] {
			t.Errorf("%q and %q differ:\n%s\n%s", pair[0], pair[1], kinds[0], kinds[1])
		}
	}
}

func TestParentsAndChildrenMirrorEachOther(t *testing.T) {
	for _, fn := range analysistest.Module(t, mixed).Functions() {
		code := defuse.Of(fn)
		f := expr.Build(code)
		counted := 0
		for n, node := range f.Nodes {
			counted += len(node.Items)
			for _, p := range node.Parents {
				if !slices.Contains(f.Nodes[p].Children, n) {
					t.Errorf("%s: %d is no child of its parent %d", fn.Name(), n, p)
				}
			}
			for _, c := range node.Children {
				if !slices.Contains(f.Nodes[c].Parents, n) {
					t.Errorf("%s: %d is no parent of its child %d", fn.Name(), n, c)
				}
			}
			for _, i := range node.Items {
				if f.Of[i] != n {
					t.Errorf("%s: item %d belongs to %d and %d", fn.Name(), i, n, f.Of[i])
				}
			}
			if len(node.Sources)+len(node.Consumers) > 0 {
				t.Errorf("%s: unoptimised code links %d with another block by a register", fn.Name(), n)
			}
		}
		for _, n := range f.Of {
			if n == expr.None {
				counted++
			}
		}
		if counted != len(code.Items) {
			t.Errorf("%s: nodes hold %d of %d items", fn.Name(), counted, len(code.Items))
		}
	}
}

const mixed = `#include <stdio.h>
struct P { int x, y; } points[4];
int total;
static int pick(int a, int b, int *out) {
  if (a > b && out) { *out = a; return 1; }
  return a ? b : a || b;
}
int main(void) {
  int m, k[8] = {0};
  for (int i = 0; i < 8; i++) k[i] += i * 2;
  while (scanf("%d", &m) == 1 && m-- > 0) {
    points[m & 3].x = k[m & 7]++;
    total -= pick(m, k[1], &k[2]);
    switch (m) { case 1: total++; case 2: break; default: total = -total; }
  }
  do printf("%d\n", points[total & 3].y); while (--total > 0);
  return 0;
}
`

func TestEveryKindHasANameOfItsOwn(t *testing.T) {
	var seen []string
	for _, k := range expr.Kinds() {
		if k.String() == "" || slices.Contains(seen, k.String()) {
			t.Errorf("kind %d is named %q", k, k)
		}
		seen = append(seen, k.String())
	}
}
