// Package face gives mutants their C face: it renders IR values as the C text
// that they were compiled from.
//
// The text comes from the C source where a syntax tree is at hand, and is otherwise rebuilt from the IR: variable names from the debug
// information, expression trees from the operand links, casts left out since C
// mostly makes them by itself. Precedences follow C, so that a text can be
// made part of a larger one with no parenthesis too few and few too many.
package face

import (
	"fmt"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
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
	names  map[value.Value]string
	source *csource.File
	memo   map[value.Value]Text
}

// New returns a renderer for a function; source, the syntax tree of the file
// it comes from, may be nil.
func New(f *llir.Func, source *csource.File) *Renderer {
	return &Renderer{names: ir.Variables(f), source: source, memo: map[value.Value]Text{}}
}

// Binary renders `x op y` with the operands parenthesised as needed.
func Binary(x Text, op string, y Text) Text {
	p := precedences[op]
	return Text{x.In(p) + " " + op + " " + y.In(p+1), p}
}

// Prefix renders a unary operator before its operand.
func Prefix(op string, x Text) Text {
	operand := x.In(Unary)
	if strings.HasPrefix(operand, op[:1]) {
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

var precedences = map[string]Prec{
	"||": LogicalOr, "&&": LogicalAnd, "|": BitOr, "^": BitXor, "&": BitAnd,
	"==": Equality, "!=": Equality, "<": Relational, ">": Relational, "<=": Relational, ">=": Relational,
	"<<": Shift, ">>": Shift, "+": Additive, "-": Additive, "*": Multiplicative, "/": Multiplicative, "%": Multiplicative,
}

// maxText bounds a rendered text, in bytes; longer ones are cut in the middle.
const maxText = 160

// Of renders a value.
func (r *Renderer) Of(v value.Value) Text {
	v = ir.Unwrap(v)
	if t, ok := r.memo[v]; ok {
		return t
	}
	r.memo[v] = Text{"…", Primary} // a value that depends on itself through a phi
	t := r.of(v)
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

func (r *Renderer) of(v value.Value) Text {
	if inst, ok := v.(llir.Instruction); ok {
		if t, ok := r.Written(inst); ok {
			return t
		}
	}
	switch v := v.(type) {
	case *constant.Int:
		return integer(v)
	case *constant.Float:
		return Text{v.X.Text('g', 10), Primary}
	case *constant.Null:
		return Text{"NULL", Primary}
	case constant.Constant:
		return r.address(v)
	case *llir.Param:
		return Text{v.Name(), Primary}
	case *llir.InstAlloca:
		return r.address(v)
	case *llir.InstLoad:
		return r.At(v.Src)
	case *llir.InstGetElementPtr:
		return r.address(v)
	case *llir.InstICmp:
		return r.comparison(v)
	case *llir.InstFCmp:
		return Binary(r.Of(v.X), ComparisonSymbol(v.Pred.String()), r.Of(v.Y))
	case *llir.InstCall:
		return r.call(v)
	case *llir.InstSelect:
		return Text{r.Of(v.Cond).In(LogicalOr) + " ? " + r.Of(v.ValueTrue).In(Assignment) + " : " + r.Of(v.ValueFalse).In(Conditional), Conditional}
	case *llir.InstFNeg:
		return Prefix("-", r.Of(v.X))
	case llir.Instruction:
		return r.operation(v)
	}
	return Text{v.Ident(), Primary}
}

func integer(v *constant.Int) Text {
	if v.Typ.BitSize == 1 {
		return Text{v.X.String(), Primary}
	}
	if v.X.Sign() < 0 {
		return Text{v.X.String(), Unary}
	}
	return Text{v.X.String(), Primary}
}

// At renders the object that a pointer points to.
func (r *Renderer) At(pointer value.Value) Text {
	pointer = ir.Unwrap(pointer)
	switch p := pointer.(type) {
	case *llir.InstAlloca:
		return Text{r.name(p), Primary}
	case *llir.Global:
		return Text{p.Name(), Primary}
	case *llir.InstGetElementPtr:
		return r.element(p.Src, p.ElemType, p.Indices)
	case *constant.ExprGetElementPtr:
		return r.element(p.Src, p.ElemType, constantsAsValues(p.Indices))
	case *llir.InstBitCast:
		return r.At(p.From)
	}
	return Prefix("*", r.Of(pointer))
}

func (r *Renderer) name(a *llir.InstAlloca) string {
	if n, ok := r.names[a]; ok {
		return n
	}
	n := strings.TrimSuffix(a.Name(), ".addr")
	if strings.HasPrefix(n, "phi.slot.") {
		return "…"
	}
	return n
}

// address renders a pointer value: `&x`, `a`, `p + i` or a string literal.
func (r *Renderer) address(v value.Value) Text {
	switch p := v.(type) {
	case *llir.InstAlloca:
		return addressOf(Text{r.name(p), Primary}, p.ElemType)
	case *llir.Func:
		return Text{p.Name(), Primary}
	case *llir.Global:
		if s, ok := literal(p); ok {
			return Text{s, Primary}
		}
		return addressOf(Text{p.Name(), Primary}, p.ContentType)
	case *llir.InstGetElementPtr:
		return r.elementAddress(p.Src, p.ElemType, p.Indices)
	case *constant.ExprGetElementPtr:
		return r.elementAddress(p.Src, p.ElemType, constantsAsValues(p.Indices))
	case *constant.ExprBitCast:
		return r.Of(p.From)
	}
	return Text{v.Ident(), Primary}
}

func addressOf(t Text, content types.Type) Text {
	if _, isArray := content.(*types.ArrayType); isArray {
		return t
	}
	return Prefix("&", t)
}

func (r *Renderer) elementAddress(src value.Value, elem types.Type, indices []value.Value) Text {
	if len(indices) == 1 {
		return Binary(r.Of(src), "+", r.Of(indices[0]))
	}
	if last, ok := indices[len(indices)-1].(*constant.Int); ok && last.X.Sign() == 0 {
		if _, isArray := pointee(elem, indices[:len(indices)-1]).(*types.ArrayType); isArray {
			if s, ok := src.(*llir.Global); ok && len(indices) == 2 {
				if text, ok := literal(s); ok {
					return Text{text, Primary}
				}
			}
			return r.element(src, elem, indices[:len(indices)-1]) // an array decays
		}
	}
	return Prefix("&", r.element(src, elem, indices))
}

// element renders the object that a getelementptr leads to.
func (r *Renderer) element(src value.Value, elem types.Type, indices []value.Value) Text {
	first := indices[0]
	zero := isZero(first)
	var object Text
	if zero && len(indices) > 1 {
		object = r.At(src)
	} else if zero {
		return Prefix("*", r.Of(src))
	} else {
		object = Text{r.Of(src).In(Postfix) + "[" + r.Of(first).C + "]", Postfix}
	}
	t := elem
	for _, index := range indices[1:] {
		switch aggregate := t.(type) {
		case *types.StructType:
			k, _ := index.(*constant.Int)
			object = member(object, k)
			if k != nil && k.X.IsInt64() && int(k.X.Int64()) < len(aggregate.Fields) {
				t = aggregate.Fields[k.X.Int64()]
			}
		case *types.ArrayType:
			object = Text{object.In(Postfix) + "[" + r.Of(index).C + "]", Postfix}
			t = aggregate.ElemType
		default:
			object = Text{object.In(Postfix) + "[" + r.Of(index).C + "]", Postfix}
		}
	}
	return object
}

func member(object Text, k *constant.Int) Text {
	field := "field"
	if k != nil {
		field = fmt.Sprintf("field%s", k.X)
	}
	if inner, ok := strings.CutPrefix(object.C, "*"); ok && object.Prec == Unary {
		return Text{inner + "->" + field, Postfix}
	}
	return Text{object.In(Postfix) + "." + field, Postfix}
}

func pointee(elem types.Type, indices []value.Value) types.Type {
	t := elem
	for _, index := range indices[1:] {
		switch aggregate := t.(type) {
		case *types.StructType:
			k, ok := index.(*constant.Int)
			if !ok || !k.X.IsInt64() || int(k.X.Int64()) >= len(aggregate.Fields) {
				return t
			}
			t = aggregate.Fields[k.X.Int64()]
		case *types.ArrayType:
			t = aggregate.ElemType
		}
	}
	return t
}

func isZero(v value.Value) bool {
	c, ok := v.(*constant.Int)
	return ok && c.X.Sign() == 0
}

func constantsAsValues(cs []constant.Constant) []value.Value {
	out := make([]value.Value, len(cs))
	for i, c := range cs {
		if index, ok := c.(*constant.Index); ok {
			c = index.Constant
		}
		out[i] = c
	}
	return out
}

// literal renders a global that holds a C string.
func literal(g *llir.Global) (string, bool) {
	chars, ok := g.Init.(*constant.CharArray)
	if !ok || !g.Immutable {
		return "", false
	}
	return fmt.Sprintf("%q", strings.TrimSuffix(string(chars.X), "\x00")), true
}

func (r *Renderer) comparison(v *llir.InstICmp) Text {
	if isTruthTest(v) {
		return r.Of(v.X)
	}
	return Binary(r.Of(v.X), ComparisonSymbol(v.Pred.String()), r.Of(v.Y))
}

func isTruthTest(v *llir.InstICmp) bool {
	return strings.HasPrefix(v.Name(), "tobool") && isZero(v.Y)
}

func (r *Renderer) call(v *llir.InstCall) Text {
	name := r.Of(v.Callee).C
	if f, ok := v.Callee.(*llir.Func); ok {
		name = strings.TrimPrefix(f.Name(), "__isoc99_")
	}
	args := make([]Text, len(v.Args))
	for i, a := range v.Args {
		args[i] = r.Of(a)
	}
	return Call(name, args...)
}
