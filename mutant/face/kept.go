package face

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
)

// Kept renders operand k of a binary operator, v, in the place of the whole:
// with a cast where the surroundings would otherwise compute in another type,
// and after the effects of the other operand, which the IR has computed.
func (r *Renderer) Kept(inst llir.Instruction, k int, v value.Value) Text {
	kept := typed{r.Operand(inst, k, v), r.typed(v).cType}
	want := r.rebuild(inst.(value.Value)).cType
	e := r.exprOf(inst)
	if e != nil && e.Kind == csource.Binary {
		if t := namedType(e.TypeName); t.kind != unknownKind {
			want = t
		}
		if t := namedType(e.Operands[k].TypeName); t.kind != unknownKind {
			kept.cType = t
		}
	}
	if is := kept.promoted(); want.kind != unknownKind && is.kind != unknownKind && is != want &&
		(want.unsigned && !is.unsigned || isOperand(e)) {
		kept = r.castTo(kept, want)
	}
	if e != nil && e.Kind == csource.Binary {
		return after(e.Operands[1-k], kept.Text)
	}
	return kept.Text
}

// Entering renders operand k of a binary operator, v, whose text is given, as the
// operation takes it: with a cast where its own type is another one.
func (r *Renderer) Entering(inst llir.Instruction, k int, v value.Value, text Text) Text {
	x, want := r.operandType(inst, k, v)
	x.Text = text
	if is := x.promoted(); want.kind != unknownKind && is.kind != unknownKind && is != want {
		x.cType = is
		return r.castTo(x, want).Text
	}
	return x.Text
}

// operandType renders operand k of a binary operator with its type, and tells
// in what type the operator computes.
func (r *Renderer) operandType(inst llir.Instruction, k int, v value.Value) (operand typed, want cType) {
	operand = r.typed(v)
	want = r.rebuild(inst.(value.Value)).cType
	e := r.exprOf(inst)
	if e == nil || len(e.Operands) != 2 || e.Kind != csource.Binary && e.Kind != csource.CompoundAssign {
		return operand, want
	}
	if t := namedType(e.Operands[k].TypeName); t.kind != unknownKind {
		operand.cType = t
	}
	switch inst.(type) {
	case *llir.InstICmp, *llir.InstFCmp:
		return operand, common(namedType(e.Operands[0].TypeName), namedType(e.Operands[1].TypeName))
	}
	if t := namedType(e.TypeName); t.kind != unknownKind && e.Kind == csource.Binary {
		want = t
	}
	return operand, want
}

// Beside renders what is made of operand k of a binary operator alone, after
// the effects of the other one.
func (r *Renderer) Beside(inst llir.Instruction, k int, text Text) Text {
	e := r.exprOf(inst)
	switch {
	case e == nil || len(e.Operands) != 2:
		return text
	case e.Kind == csource.Binary || e.Kind == csource.CompoundAssign && k == 0:
		return after(e.Operands[1-k], text)
	}
	return text
}

// Fit renders a text of another type in the place of an arithmetic operator:
// of the type of the variable that is its operand k, or of a truth value for
// k < 0.
func (r *Renderer) Fit(inst llir.Instruction, k int, text Text) Text {
	is, want := intType, r.rebuild(inst.(value.Value)).cType
	e := r.exprOf(inst)
	if e == nil || e.Kind != csource.Binary || Symbol(inst) == "" && k >= 0 {
		return text // a comparison's operand is tested
	}
	if t := namedType(e.TypeName); t.kind != unknownKind {
		want = t
	}
	if k >= 0 {
		variable := e.Operands[k].Unparen()
		for variable.Kind == csource.Cast {
			variable = variable.Operands[0].Unparen()
		}
		is = namedType(variable.TypeName).promoted()
	}
	if want.kind != unknownKind && is.kind != unknownKind && is != want && (want.unsigned && !is.unsigned || isOperand(e)) {
		return r.castTo(typed{text, is}, want).Text
	}
	return text
}

// KeptOf renders operand k of a comparison, v, in the place of the whole: after
// the effects of the other operand.
func (r *Renderer) KeptOf(inst llir.Instruction, k int, v value.Value) Text {
	return r.Beside(inst, k, r.Operand(inst, k, v))
}

// isOperand reports an expression whose type decides how the one around it
// computes.
func isOperand(e *csource.Expr) bool {
	for e != nil && e.Parent != nil {
		switch e = e.Parent; e.Kind {
		case csource.Paren:
		case csource.Binary, csource.Unary, csource.Conditional, csource.CompoundAssign:
			return true
		default:
			return false
		}
	}
	return false
}

// after renders a text behind the effects of an expression that is dropped:
// `x++ * 2` without its left operand is `(x++, 2)`.
func after(dropped *csource.Expr, text Text) Text {
	if !hasSideEffect(dropped) {
		return text
	}
	return Text{"(" + textOf(dropped).In(Assignment) + ", " + text.In(Assignment) + ")", Primary}
}

// Null renders the null pointer in the place of an address, with its type where
// something is read through it.
func (r *Renderer) Null(v value.Value, isFollowed bool) Text {
	null := Text{"NULL", Primary}
	if inst, ok := v.(llir.Instruction); ok {
		if e := r.exprOf(inst); e != nil && strings.HasSuffix(e.TypeName, "*") && (isFollowed || needsType(e)) {
			return Text{"(" + e.TypeName + ")NULL", csource.CastPrecedence}
		}
	}
	return null
}

// needsType reports a pointer that is followed, or subtracted.
func needsType(e *csource.Expr) bool {
	for e = e.Parent; e != nil && e.Kind == csource.Paren; {
		e = e.Parent
	}
	if e == nil {
		return false
	}
	switch e.Kind {
	case csource.Member, csource.Index:
		return true
	case csource.Unary:
		return e.Op == "*"
	case csource.Binary:
		return e.Op == "-"
	}
	return false
}

// AfterEffects renders a text in the place of an expression whose effects the
// IR has computed.
func (r *Renderer) AfterEffects(inst llir.Instruction, text Text) Text {
	if e := r.exprOf(inst); e != nil {
		return after(e, text)
	}
	if load := tested(inst); load != nil {
		if e := r.exprOf(load); e != nil {
			return after(e, text)
		}
	}
	return text
}

// tested is the instruction whose value a truth test looks at.
func tested(inst llir.Instruction) llir.Instruction {
	switch i := inst.(type) {
	case *llir.InstICmp:
		x, _ := i.X.(llir.Instruction)
		return x
	case *llir.InstTrunc:
		x, _ := i.From.(llir.Instruction)
		return x
	}
	return nil
}

// Truth renders a text as the value 0 or 1 that a connective has.
func Truth(t Text) Text {
	switch t.Prec {
	case LogicalOr, LogicalAnd, Equality, Relational:
		return t
	}
	if len(t.C) > 0 && t.C[0] == '!' && t.Prec == Unary {
		return t
	}
	return Prefix("!", Prefix("!", t))
}

// Compounded renders what a compound assignment assigns: x + y for x += y.
func (a Assigned) Compounded() Text {
	return Binary(a.Left, a.Op[:len(a.Op)-1], a.Right)
}
