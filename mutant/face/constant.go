package face

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
)

// Assigned is an assignment, compound assignment or initialisation.
type Assigned struct {
	Left  Text
	Op    string // "=", "+=", …
	Right Text
	// IsCompound: the operator also computes.
	IsCompound bool
	// IsChained: the right side is an assignment itself.
	IsChained bool
	// IsInitial: it is an initialisation.
	IsInitial bool
	// IsInner: it is the right side of another assignment.
	IsInner bool

	left, right *csource.Expr
}

// RepeatsEffects reports a left side that must not be written twice: a[i++].
func (a Assigned) RepeatsEffects() bool { return hasSideEffect(a.left) }

// OnlyLeft renders the left side as a value, after the effects of the right.
func (a Assigned) OnlyLeft() Text { return after(a.right, a.Left) }

// Dropped renders a text in the place of the assignment, after the effects of
// the right side.
func (a Assigned) Dropped(text Text) Text { return after(a.right, text) }

// With renders the assignment with another right side.
func (a Assigned) With(right Text) Text {
	return Text{a.Left.In(Unary) + " " + a.Op + " " + right.In(Assignment), Assignment}
}

// Assignment returns the assignment that a store, or the operation of a
// compound assignment, belongs to.
func (r *Renderer) Assignment(inst llir.Instruction) (Assigned, bool) {
	e := r.exprOf(inst)
	if e == nil || len(e.Operands) != 2 {
		return Assigned{}, false
	}
	switch e.Kind {
	case csource.Assignment, csource.CompoundAssign, csource.Initializer:
		right := e.Operands[1].Unparen()
		a := Assigned{Left: textOf(e.Operands[0]), Op: "=", Right: textOf(right),
			IsCompound: e.Kind == csource.CompoundAssign, IsInitial: e.Kind == csource.Initializer, IsChained: isAssignment(right), left: e.Operands[0], right: right}
		if a.IsCompound {
			a.Op = e.Op
		}
		for parent := e.Parent; parent != nil; parent = parent.Parent {
			if parent.Kind != csource.Paren {
				a.IsInner = isAssignment(parent)
				break
			}
		}
		return a, true
	}
	return Assigned{}, false
}

func isAssignment(e *csource.Expr) bool {
	return e.Kind == csource.Assignment || e.Kind == csource.CompoundAssign || e.Kind == csource.Initializer
}

// Literal returns operand k of an instruction, or the value of a return, as
// the source writes it, when it is a constant there that is more than digits:
// a character, a macro, an enumerator, a sizeof.
func (r *Renderer) Literal(inst any, k int) (Text, bool) {
	e := r.operandOf(inst, k)
	if e == nil {
		return Text{}, false
	}
	switch e = e.Unparen(); e.Kind {
	case csource.CharLiteral, csource.Identifier, csource.Sizeof:
		return textOf(e), true
	case csource.IntLiteral, csource.FloatLiteral:
		return textOf(e), e.InMacro
	}
	return Text{}, false
}

// IsHexadecimal reports an operand that the source writes as 0x….
func (r *Renderer) IsHexadecimal(inst any, k int) bool {
	e := r.operandOf(inst, k)
	if e == nil {
		return false
	}
	text := e.Unparen().Text()
	return strings.HasPrefix(text, "0x") || strings.HasPrefix(text, "0X")
}

// operandOf finds the expression of an operand: of a binary operator, a call,
// the right side of an assignment or initialisation, the index of an element.
func (r *Renderer) operandOf(user any, k int) *csource.Expr {
	inst, ok := user.(llir.Instruction)
	if !ok {
		return r.returned(user)
	}
	if gep, ok := inst.(*llir.InstGetElementPtr); ok {
		if e := r.elementOf(gep); e != nil && k == len(gep.Indices) {
			return e.Operands[1]
		}
		return nil
	}
	e := r.exprOf(inst)
	switch {
	case e == nil:
		if _, isStore := inst.(*llir.InstStore); isStore {
			return r.returned(inst)
		}
	case len(e.Operands) < 2:
	case hasOperands(e):
		if call, ok := inst.(*llir.InstCall); ok {
			k -= hiddenArguments(call)
		}
		if k >= 0 && k < len(e.Operands) {
			return e.Operands[k]
		}
	case e.Kind == csource.CompoundAssign || e.Kind == csource.Assignment || e.Kind == csource.Initializer:
		return e.Operands[1]
	}
	return nil
}

// Returned renders the value of the return statement that an instruction or
// terminator carries out.
func (r *Renderer) Returned(user any, v value.Value) Text {
	if e := r.returned(user); e != nil {
		return textOf(e)
	}
	return r.Of(v)
}

func (r *Renderer) returned(user any) *csource.Expr {
	s := r.statementOf(user)
	if s == nil || s.Kind != csource.Return || len(s.Exprs) != 1 {
		return nil
	}
	return s.Exprs[0]
}

func (r *Renderer) fileAt(at ir.Position) *csource.File {
	if r.source == nil || !at.Known() {
		return nil
	}
	return r.source.In(at.File).Within(r.function)
}

// elementOf finds `a[i]` by the address that is computed for it.
func (r *Renderer) elementOf(gep *llir.InstGetElementPtr) *csource.Expr {
	for _, e := range r.found(gep) {
		if e.Kind == csource.Index && len(e.Operands) == 2 && mayHold(e, gep.Type().(*types.PointerType).ElemType) {
			return e
		}
	}
	return nil
}

// Indexed renders the element or address that a getelementptr computes, and
// with another text for operand k, its last index.
func (r *Renderer) Indexed(gep *llir.InstGetElementPtr, k int, instead Text) (original, replacement Text) {
	if e := r.elementOf(gep); e != nil {
		array := textOf(e.Operands[0])
		return textOf(e), Text{array.In(Postfix) + "[" + instead.C + "]", Postfix}
	}
	last := len(gep.Indices) - 1
	if k == 1 && last == 0 && !r.isElement(gep) {
		return r.Of(gep), Binary(r.Of(gep.Src), "+", instead)
	}
	var array Text
	switch {
	case last == 0:
		array = r.Of(gep.Src)
	case last == 1 && isZero(gep.Indices[0]):
		array = r.At(gep.Src)
	default:
		array = r.element(gep.Src, gep.ElemType, gep.Indices[:last])
	}
	original = r.At(gep)
	return original, Text{array.In(Postfix) + "[" + instead.C + "]", Postfix}
}

// isElement reports an address that is computed for `p[i]`.
func (r *Renderer) isElement(gep *llir.InstGetElementPtr) bool {
	return len(gep.Name()) >= len("arrayidx") && gep.Name()[:len("arrayidx")] == "arrayidx"
}

// InList renders the initialiser list whose element a store fills, and with
// another text for that element.
func (r *Renderer) InList(store *llir.InstStore, instead Text) (original, replacement Text, ok bool) {
	gep, isMember := store.Dst.(*llir.InstGetElementPtr)
	if !isMember || len(gep.Indices) != 2 {
		return Text{}, Text{}, false
	}
	aggregate, isStruct := gep.ElemType.(*types.StructType)
	if !isStruct {
		return Text{}, Text{}, false
	}
	k, ok := fieldIndex(aggregate, gep.Indices[1])
	for _, e := range r.found(store) {
		if e.Kind == csource.InitList && ok && len(e.Operands) == len(aggregate.Fields) {
			return Text{e.Text(), Primary}, Text{e.Splice(e.Operands[k], instead.In(Assignment)), Primary}, true
		}
	}
	return Text{}, Text{}, false
}

// AfterIndex renders a text in the place of a[i] or p + i, after the effects of
// the index.
func (r *Renderer) AfterIndex(gep *llir.InstGetElementPtr, text Text) Text {
	if e := r.elementOf(gep); e != nil {
		return after(e.Operands[1], text)
	}
	if _, index, ok := r.sumOf(gep); ok {
		return after(index, text)
	}
	return text
}

// sumOf finds the operands of the p + i, i + p or p - i that an address is.
func (r *Renderer) sumOf(gep *llir.InstGetElementPtr) (base, index *csource.Expr, ok bool) {
	e := r.exprOf(gep)
	if e == nil || e.Kind != csource.Binary || len(e.Operands) != 2 {
		return nil, nil, false
	}
	base, index = e.Operands[0], e.Operands[1]
	if strings.ContainsAny(index.TypeName, "*[") {
		base, index = index, base
	}
	return base, index, true
}

// Base renders the pointer that a getelementptr starts from, with the cast
// that says how far an element is.
func (r *Renderer) Base(gep *llir.InstGetElementPtr) Text {
	if _, isCast := gep.Src.(*llir.InstBitCast); isCast {
		if e := r.elementOf(gep); e != nil {
			return textOf(e.Operands[0])
		}
		if base, _, ok := r.sumOf(gep); ok {
			return textOf(base)
		}
	}
	return r.Of(gep.Src)
}

// Index renders the last index of a getelementptr.
func (r *Renderer) Index(gep *llir.InstGetElementPtr) Text {
	if e := r.elementOf(gep); e != nil {
		return textOf(e.Operands[1])
	}
	return r.Of(gep.Indices[len(gep.Indices)-1])
}
