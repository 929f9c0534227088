package face

import (
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
		kept = castTo(kept, want)
	}
	if e != nil && e.Kind == csource.Binary {
		return after(e.Operands[1-k], kept.Text)
	}
	return kept.Text
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
