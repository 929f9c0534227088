package csource_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/csource"
)

func TestThePrecedenceOfATextIsThatOfItsLoosestOperator(t *testing.T) {
	for text, want := range map[string]csource.Precedence{
		"x": csource.PrimaryPrecedence, `"a" "b"`: csource.PrimaryPrecedence, "(a, b)": csource.PrimaryPrecedence,
		"a[i + 1]": csource.PostfixPrecedence, "f(a, b)": csource.PostfixPrecedence, "p->q.r": csource.PostfixPrecedence, "a++": csource.PostfixPrecedence,
		"-x": csource.UnaryPrecedence, "!f(x)": csource.UnaryPrecedence, "sizeof x": csource.UnaryPrecedence, "- -x": csource.UnaryPrecedence, "*p++": csource.UnaryPrecedence,
		"(int)x": csource.CastPrecedence, "(unsigned char)(x)": csource.CastPrecedence,
		"a * b": csource.MultiplicativePrecedence, "a - -b": csource.AdditivePrecedence, "a++ + ++b": csource.AdditivePrecedence,
		"a << 1 < b": csource.RelationalPrecedence, "a == b": csource.EqualityPrecedence, "a & b && c": csource.LogicalAndPrecedence,
		"a ? b : c": csource.ConditionalPrecedence, "a = b == c": csource.AssignmentPrecedence, "a += 1": csource.AssignmentPrecedence, "a, b": csource.CommaPrecedence,
		"f(a": csource.CommaPrecedence,
	} {
		if got := csource.FragmentOf(text).Precedence; got != want {
			t.Errorf("%s: precedence %d, want %d", text, got, want)
		}
	}
}

// TestEveryExpressionReplacedByItsOwnTextIsTheSameProgram holds extents and
// precedences to the parser: the changed file has the same expressions.
func TestEveryExpressionReplacedByItsOwnTextIsTheSameProgram(t *testing.T) {
	const text = `#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SET(x, v) do { x = v; } while (0)
#define N 3
int g(int, int);
int f(int a, int *p) {
  int b = a * (N + 2), c[N] = {1, a, MAX(a, 2)};
  SET(a, b - N);
  for (int i = 0; i < N && c[i]; i++, a--)
    *p++ = g(a, MAX(c[i], -b)) % (a ? 2 : N);
  return sizeof c / sizeof *c - - a;
}
`
	path := filepath.Join(t.TempDir(), "a.c")
	shape := func(text []byte) (exprs []*csource.Expr, all string) {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		file, err := csource.Parse(path, nil)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, function := range file.Functions() {
			function.Body.Walk(func(s *csource.Stmt) bool {
				for _, e := range s.Exprs {
					e.Walk(func(e *csource.Expr) bool { exprs = append(exprs, e); return true })
				}
				return true
			})
			all = function.Body.Expanded()
		}
		return exprs, squeezed(all)
	}
	exprs, want := shape([]byte(text))
	changes := 0
	for _, e := range exprs {
		if e.Parent != nil && e.Parent.Kind == csource.Initializer && e.Parent.Operands[0] == e {
			continue // the declared name
		}
		c, ok := e.Replace(e.Expanded())
		if !ok {
			t.Errorf("%s cannot be replaced", e.Text())
			continue
		}
		changes++
		changed := text[:c.Start] + c.Text + text[c.End:]
		if _, got := shape([]byte(changed)); got != want {
			t.Errorf("%s replaced by itself:\n%s\nwant\n%s", e.Text(), got, want)
		}
	}
	if changes < 60 {
		t.Errorf("only %d expressions", changes)
	}
}

func squeezed(s string) string {
	var out []byte
	for i := range len(s) {
		if s[i] != ' ' {
			out = append(out, s[i])
		}
	}
	return string(out)
}
