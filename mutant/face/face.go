// Package face gives mutants their C face: it renders IR values as the C text
// that they were compiled from.
//
// The text comes from the C source where a syntax tree is at hand, and is
// otherwise rebuilt from the IR: names of variables and members from the debug
// information, expression trees from the operand links. C makes most
// conversions by itself; those that it would not make, or would make
// otherwise, are written as casts, for which the renderer follows the C type of
// each text (ctype.go). Precedences follow C, so that a text can be made part
// of a larger one with no parenthesis too few and few too many.
package face

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
)

// Text is a piece of C with the precedence of its outermost operator.
type Text struct {
	C    string
	Prec Prec
}

// Prec is a C precedence; a larger one binds more tightly.
type Prec = csource.Precedence

// The precedence levels of C that expressions rebuilt from IR can have.
const (
	Assignment     = csource.AssignmentPrecedence
	Conditional    = csource.ConditionalPrecedence
	LogicalOr      = csource.LogicalOrPrecedence
	LogicalAnd     = csource.LogicalAndPrecedence
	BitOr          = csource.OrPrecedence
	BitXor         = csource.XorPrecedence
	BitAnd         = csource.AndPrecedence
	Equality       = csource.EqualityPrecedence
	Relational     = csource.RelationalPrecedence
	Shift          = csource.ShiftPrecedence
	Additive       = csource.AdditivePrecedence
	Multiplicative = csource.MultiplicativePrecedence
	Unary          = csource.UnaryPrecedence
	Postfix        = csource.PostfixPrecedence
	Primary        = csource.PrimaryPrecedence
)

// In returns the text for use as an operand of an operator of precedence p.
func (t Text) In(p Prec) string {
	if t.Prec < p {
		return "(" + t.C + ")"
	}
	return t.C
}

// Renderer renders the values of one function.
type Renderer struct {
	function string
	names    map[value.Value]string
	declared map[value.Value]debugType
	source   *csource.File
	deciders map[value.Value][]llir.Terminator
	memo     map[value.Value]typed
	// first is the renderer of the mutants' ids where this one is of what users see (Shown),
	// which knows the tokens that instructions were made of.
	first   *Renderer
	origins map[any]csource.Token
	made    map[string]string // by macros, of their calls
}

// typed is a text with its type in C.
type typed struct {
	Text
	cType
}

// New returns a renderer for a function; source, the syntax tree of the file
// it comes from, may be nil.
func New(f *llir.Func, source *csource.File) *Renderer {
	return &Renderer{function: f.Name(), names: ir.Variables(f), declared: declarations(f), source: source,
		deciders: decidersOf(f), memo: map[value.Value]typed{}}
}

// Binary renders `x op y` with the operands parenthesised as needed.
func Binary(x Text, op string, y Text) Text {
	p := precedences[op]
	return Text{x.In(p) + " " + op + " " + y.In(p+1), p}
}

// Prefix renders a unary operator before its operand.
func Prefix(op string, x Text) Text {
	operand := x.In(Unary)
	if op != "!" && op != "~" && strings.HasPrefix(operand, op[:1]) {
		operand = "(" + operand + ")" // - -x, & &x
	}
	return Text{op + operand, Unary}
}

// Call renders a function call.
func Call(function string, args ...Text) Text {
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.In(Assignment)
	}
	return Text{function + "(" + strings.Join(texts, ", ") + ")", Postfix}
}

// Choice renders a conditional expression.
func Choice(condition, yes, no Text) Text {
	return Text{condition.In(LogicalOr) + " ? " + yes.In(Assignment) + " : " + no.In(Conditional), Conditional}
}

var precedences = map[string]Prec{
	"||": LogicalOr, "&&": LogicalAnd, "|": BitOr, "^": BitXor, "&": BitAnd,
	"==": Equality, "!=": Equality, "<": Relational, ">": Relational, "<=": Relational, ">=": Relational,
	"<<": Shift, ">>": Shift, "+": Additive, "-": Additive, "*": Multiplicative, "/": Multiplicative, "%": Multiplicative,
}

// maxText bounds a rendered text, in bytes; longer ones are cut in the middle.
const maxText = 160

// Of renders a value.
func (r *Renderer) Of(v value.Value) Text { return r.typed(v).Text }

func (r *Renderer) typed(v value.Value) typed {
	v = ir.Unwrap(v)
	if t, ok := r.memo[v]; ok {
		return t
	}
	r.memo[v] = typed{Text: Text{"…", Primary}} // a value that depends on itself through a phi
	t := r.render(v)
	t.C = shorten(t.C)
	r.memo[v] = t
	return t
}

func shorten(s string) string {
	if len(s) <= maxText {
		return s
	}
	runes := []rune(s)
	if len(runes) <= maxText {
		return s
	}
	return string(runes[:maxText/2]) + " … " + string(runes[len(runes)-maxText/2+3:])
}

// render finds the text of a value in the source, or rebuilds it.
func (r *Renderer) render(v value.Value) typed {
	inst, ok := v.(llir.Instruction)
	if !ok {
		return r.rebuild(v)
	}
	if e := r.expressionOf(inst); e != nil {
		t := typed{r.text(e), namedType(e.TypeName)}
		if t.kind == unknownKind {
			t.cType = r.rebuild(v).cType
		}
		return t
	}
	return r.rebuild(v)
}

// rebuild renders a value from the IR.
func (r *Renderer) rebuild(v value.Value) typed {
	switch v := v.(type) {
	case *constant.Int:
		return integer(v)
	case *constant.Float:
		return floating(v)
	case *constant.Null:
		return typed{Text: Text{"NULL", Primary}}
	case constant.Constant, *llir.InstAlloca, *llir.InstGetElementPtr:
		return typed{Text: r.address(v)}
	case *llir.Param:
		if name, ok := r.names[v]; ok {
			return typed{Text: Prefix("&", Text{name, Primary})}
		}
		return typed{Text{v.Name(), Primary}, signedOf(v.Type())}
	case *llir.InstLoad:
		return typed{r.At(v.Src), r.typeAt(v.Src, v.Type())}
	case *llir.InstICmp:
		return r.comparison(v)
	case *llir.InstFCmp:
		return r.floatComparison(v)
	case *llir.InstCall:
		return r.call(v)
	case *llir.InstSelect:
		return r.selection(v)
	case *llir.InstFNeg:
		x := r.typed(v.X)
		return typed{Prefix("-", x.Text), x.cType}
	case llir.Instruction:
		return r.operation(v)
	}
	return typed{Text: Text{v.Ident(), Primary}}
}
