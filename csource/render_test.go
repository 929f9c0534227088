package csource

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// tree is an expression as its structure, written with every parenthesis.
type tree struct {
	Fragment
	full string
}

func leaf(r *rand.Rand) tree {
	s := []string{"a", "b", "c", "1", "2"}[r.IntN(5)]
	return tree{Fragment{Text: s}, s}
}

var infixOperators = []string{
	"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^", "<", ">", "<=", ">=", "==", "!=", "&&", "||", ",",
}

// grow makes a random expression, rendered and fully parenthesised.
func grow(r *rand.Rand, depth int) tree {
	if depth == 0 {
		return leaf(r)
	}
	x, y := grow(r, r.IntN(depth)), grow(r, r.IntN(depth))
	switch r.IntN(10) {
	case 0:
		op := []string{"-", "+", "~", "!"}[r.IntN(4)]
		return tree{RenderPrefix(op, x.Fragment), op + " (" + x.full + ")"}
	case 1:
		z := grow(r, r.IntN(depth))
		return tree{renderConditional(x.Fragment, y.Fragment, z.Fragment), "(" + x.full + ") ? (" + y.full + ") : (" + z.full + ")"}
	case 2:
		return tree{renderCast("int", x.Fragment), "(int)(" + x.full + ")"}
	case 3:
		return tree{renderCall(Fragment{Text: "g"}, x.Fragment, y.Fragment), "g((" + x.full + "), (" + y.full + "))"}
	case 4:
		return tree{renderIndex(Fragment{Text: "p"}, x.Fragment), "p[(" + x.full + ")]"}
	case 5:
		op := []string{"=", "+=", "<<="}[r.IntN(3)]
		base := Fragment{"*p", UnaryPrecedence}
		return tree{RenderInfix(op, base, x.Fragment), "(*p) " + op + " (" + x.full + ")"}
	case 6:
		base := Fragment{"*p", UnaryPrecedence}
		return tree{RenderPostfix(base, "++"), "(*p)++"}
	}
	op := infixOperators[r.IntN(len(infixOperators))]
	return tree{RenderInfix(op, x.Fragment, y.Fragment), "(" + x.full + ") " + op + " (" + y.full + ")"}
}

// structure writes an expression without regard to its parentheses.
func structure(e *Expr) string {
	e = e.Unparen()
	if len(e.Operands) == 0 {
		return e.Text()
	}
	var operands []string
	for _, o := range e.Operands {
		s := structure(o)
		if e.Kind == Comma && o.Unparen().Kind == Comma {
			s = strings.TrimSuffix(strings.TrimPrefix(s, ",["), "]") // a, b, c is one node, (a, b), c is two
		}
		operands = append(operands, s)
	}
	return e.Op + "[" + strings.Join(operands, " ") + "]"
}

func TestRenderedTextParsesToTheExpressionItWasRenderedFrom(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var trees []tree
	var source strings.Builder
	source.WriteString("int g(int, int);\nvoid f(int a, int b, int c, int *p) {\n")
	for range 400 {
		x := grow(r, 5)
		trees = append(trees, x)
		fmt.Fprintf(&source, "%s;\n%s;\n", x.Text, x.full)
	}
	source.WriteString("}\n")
	f := parseText(t, source.String())
	statements := f.functions[0].Body.Children
	for i, x := range trees {
		rendered, full := statements[2*i].Exprs[0], statements[2*i+1].Exprs[0]
		if structure(rendered) != structure(full) {
			t.Fatalf("%s is rendered as %s", x.full, x.Text)
		}
		if rendered.Precedence() != x.Precedence && x.Precedence != 0 {
			t.Errorf("%s: precedence %d, parsed as %d", x.Text, x.Precedence, rendered.Precedence())
		}
	}
}

func TestNoParenthesisIsRenderedThatCouldBeLeftOut(t *testing.T) {
	a, b, c := Fragment{Text: "a"}, Fragment{Text: "b"}, Fragment{Text: "c"}
	cases := []struct {
		got  Fragment
		want string
	}{
		{RenderInfix("-", RenderInfix("-", a, b), c), "a - b - c"},
		{RenderInfix("-", a, RenderInfix("-", b, c)), "a - (b - c)"},
		{RenderInfix("*", RenderInfix("+", a, b), c), "(a + b) * c"},
		{RenderInfix("+", RenderInfix("*", a, b), c), "a * b + c"},
		{RenderInfix("=", a, RenderInfix("=", b, c)), "a = b = c"},
		{RenderPrefix("-", RenderPrefix("-", a)), "- -a"},
		{RenderPrefix("-", RenderPrefix("--", a)), "- --a"},
		{RenderPrefix("!", RenderInfix("<", a, b)), "!(a < b)"},
		{RenderPrefix("&", RenderPrefix("&", a)), "& &a"},
		{RenderPrefix("sizeof", a), "sizeof a"},
		{RenderPrefix("sizeof", RenderInfix("+", a, b)), "sizeof(a + b)"},
		{RenderPrefix("!", RenderPrefix("!", a)), "!!a"},
		{RenderPostfix(RenderPrefix("*", a), "++"), "(*a)++"},
		{renderCast("char", RenderInfix("+", a, b)), "(char)(a + b)"},
		{renderConditional(a, b, renderConditional(b, c, a)), "a ? b : b ? c : a"},
		{renderCall(a, RenderInfix(",", b, c)), "a((b, c))"},
	}
	for _, c := range cases {
		if c.got.Text != c.want {
			t.Errorf("rendered %q, want %q", c.got.Text, c.want)
		}
	}
}

func TestAnOperatorIsReplacedInItsPlace(t *testing.T) {
	f := parseText(t, `
#define ADD(x, y) x + y
#define TEN 10
int f(int a, int b, int c) {
	a = c + a * b;
	a = (a + b) * c;
	if (a <= TEN && !b) c++;
	a = ADD(b, c) * 2;
	a = b + ADD(b, c);
	return - -a;
}`)
	cases := []struct {
		line, column int
		op, text     string
		statement    string
	}{
		{5, 12, "-", "(a - b)", "a = c + (a - b);"},
		{5, 12, "/", "a / b", "a = c + a / b;"},
		{5, 8, "<<", "c << a * b", "a = c << a * b;"},
		{6, 9, "||", "a || b", "a = (a || b) * c;"},
		{7, 8, ">", "a > TEN", "if (a > TEN && !b) c++;"},
		{7, 15, "||", "a <= TEN || !b", "if (a <= TEN || !b) c++;"},
		{7, 18, "~", "~b", "if (a <= TEN && ~b) c++;"},
		{7, 23, "--", "c--", "c--;"},
		{8, 6, "-", "b - c * 2", "a = b - c * 2;"},
		{9, 8, "-", "b - b", "a = b - b + c;"},
		{10, 9, "+", "+-a", "return +-a;"},
	}
	for _, c := range cases {
		var e *Expr
		for _, candidate := range f.At(c.line, c.column) {
			if candidate.Kind == Binary || candidate.Kind == Logical || candidate.Kind == Unary || candidate.Kind == PostfixIncrement {
				e = candidate
				break
			}
		}
		if e == nil {
			t.Errorf("nothing at %d:%d", c.line, c.column)
			continue
		}
		if got := e.WithOperator(c.op); got != c.text {
			t.Errorf("%s with %s is %q, want %q", e.Text(), c.op, got, c.text)
		}
		if got := e.Stmt.Splice(e, e.WithOperator(c.op)); got != c.statement {
			t.Errorf("the statement with %s is %q, want %q", c.op, got, c.statement)
		}
	}
}

// FuzzScan holds the words of any bytes to their contract.
func FuzzScan(f *testing.F) {
	for _, s := range []string{"a+b", "/* */ x // y\n", "\\\n\\\r\n", "\"a\\\n\"b", "L'x' u8\"é\" 1e+5 .5 ...", "#a\\\nb\nc", "/*", "'\\", "\xef\xbb\xbfx"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		text := newText("fuzz.c", b)
		end := 0
		for _, w := range text.words {
			if w.start < end || w.end <= w.start || w.end > len(b) {
				t.Fatalf("word %d-%d after %d of %d", w.start, w.end, end, len(b))
			}
			end = w.end
			if p := text.position(w.start); p.Column < 1 || p.Line < 1 || p.Line > len(text.lines) {
				t.Fatalf("position %v", p)
			}
			text.presumed(w.start)
		}
		if got := text.forParser(); len(got) != len(b) {
			t.Fatalf("%d bytes for the parser, not %d", len(got), len(b))
		}
		text.slice(0, len(b))
	})
}

// renderConditional renders condition ? yes : no.
func renderConditional(condition, yes, no Fragment) Fragment {
	text := condition.Paren(LogicalOrPrecedence) + " ? " + yes.Paren(CommaPrecedence) + " : " + no.Paren(ConditionalPrecedence)
	return Fragment{text, ConditionalPrecedence}
}

// renderCast renders (typeName)operand.
func renderCast(typeName string, operand Fragment) Fragment {
	return Fragment{"(" + typeName + ")" + operand.Paren(CastPrecedence), CastPrecedence}
}

// renderIndex renders base[subscript].
func renderIndex(base, subscript Fragment) Fragment {
	return Fragment{base.Paren(PostfixPrecedence) + "[" + subscript.Text + "]", PostfixPrecedence}
}

// renderCall renders callee(arguments).
func renderCall(callee Fragment, arguments ...Fragment) Fragment {
	texts := make([]string, len(arguments))
	for i, a := range arguments {
		texts[i] = a.Paren(AssignmentPrecedence)
	}
	return Fragment{callee.Paren(PostfixPrecedence) + "(" + strings.Join(texts, ", ") + ")", PostfixPrecedence}
}
