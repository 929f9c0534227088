package face

import (
	"fmt"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// At renders the object that a pointer points to.
func (r *Renderer) At(pointer value.Value) Text {
	pointer = ir.Unwrap(pointer)
	switch p := pointer.(type) {
	case *llir.InstAlloca:
		if p.NElems == nil {
			return Text{r.name(p), Primary}
		}
	case *llir.Param:
		if name, ok := r.names[p]; ok {
			return Text{name, Primary} // a structure in the caller's memory
		}
	case *llir.Global:
		return Text{nameOfGlobal(p), Primary}
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
	if isPhiSlot(a) {
		return "…"
	}
	return strings.TrimSuffix(a.Name(), ".addr")
}

// isPhiSlot reports the stack slot of a phi that was demoted: the result of a
// short-circuit or conditional.
func isPhiSlot(a *llir.InstAlloca) bool { return strings.HasPrefix(a.Name(), "phi.slot.") }

// address renders a pointer value: `&x`, `a`, `p + i` or a string literal.
func (r *Renderer) address(v value.Value) Text {
	switch p := v.(type) {
	case *llir.InstAlloca:
		if p.NElems != nil {
			return Text{r.name(p), Primary} // an array of variable length decays
		}
		return addressOf(Text{r.name(p), Primary}, p.ElemType)
	case *llir.Func:
		return Text{p.Name(), Primary}
	case *llir.Global:
		if s, ok := literal(p); ok {
			return Text{s, Primary}
		}
		return addressOf(Text{nameOfGlobal(p), Primary}, p.ContentType)
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
		if back, ok := indices[0].(*llir.InstSub); ok && isNegation(back, back.X) {
			return Binary(r.Of(src), "-", r.Of(back.Y))
		}
		return Binary(r.Of(src), "+", r.Of(indices[0]))
	}
	if last, ok := indices[len(indices)-1].(*constant.Int); ok && last.X.Sign() == 0 {
		if _, isArray := elementAt(elem, indices[:len(indices)-1]).(*types.ArrayType); isArray {
			if s, ok := src.(*llir.Global); ok && len(indices) == 2 {
				if text, ok := literal(s); ok {
					return Text{text, Primary}
				}
			}
			if len(indices) == 2 && isZero(indices[0]) {
				return r.At(src)
			}
			return r.element(src, elem, indices[:len(indices)-1]) // an array decays
		}
	}
	return Prefix("&", r.element(src, elem, indices))
}

// element renders the object that a getelementptr leads to.
func (r *Renderer) element(src value.Value, elem types.Type, indices []value.Value) Text {
	var object Text
	switch zero := isZero(indices[0]); {
	case zero && len(indices) > 1:
		object = r.At(src)
	case zero:
		return Prefix("*", r.Of(src))
	default:
		object = r.indexed(r.Of(src), indices[0])
	}
	t := r.pointee(src)
	for _, index := range indices[1:] {
		switch aggregate := elem.(type) {
		case *types.StructType:
			k, ok := fieldIndex(aggregate, index)
			if !ok {
				return Text{"…", Primary}
			}
			var name string
			if name, t = t.member(k, len(aggregate.Fields)); name == "" {
				name = fmt.Sprintf("field%d", k)
			}
			object, elem = member(object, name), aggregate.Fields[k]
		case *types.ArrayType:
			object, elem, t = r.indexed(object, index), aggregate.ElemType, t.element()
		}
	}
	return object
}

func (r *Renderer) indexed(object Text, index value.Value) Text {
	return Text{object.In(Postfix) + "[" + r.Of(index).C + "]", Postfix}
}

func member(object Text, name string) Text {
	if inner, ok := strings.CutPrefix(object.C, "*"); ok && object.Prec == Unary {
		return Text{inner + "->" + name, Postfix}
	}
	return Text{object.In(Postfix) + "." + name, Postfix}
}

// elementAt is the IR type that all but the first index lead to.
func elementAt(elem types.Type, indices []value.Value) types.Type {
	t := elem
	for _, index := range indices[1:] {
		switch aggregate := t.(type) {
		case *types.StructType:
			k, ok := fieldIndex(aggregate, index)
			if !ok {
				return t
			}
			t = aggregate.Fields[k]
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
	return quote(strings.TrimSuffix(string(chars.X), "\x00")), true
}

// quote writes a string literal of C. Bytes that do not print are octal, which
// unlike hexadecimal ends after three digits.
func quote(s string) string {
	escapes := map[byte]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\t': `\t`, '\r': `\r`}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch escape, ok := escapes[s[i]]; {
		case ok:
			b.WriteString(escape)
		case s[i] < ' ' || s[i] > '~':
			fmt.Fprintf(&b, "\\%03o", s[i])
		default:
			b.WriteByte(s[i])
		}
	}
	b.WriteByte('"')
	return b.String()
}
