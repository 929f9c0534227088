package face

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/ir"
)

// conversion renders what a conversion instruction converts: as it stands
// where C converts by itself, else behind a cast.
func (r *Renderer) conversion(inst llir.Instruction) (typed, bool) {
	from, ok := ir.ConvertedBy(inst)
	if !ok {
		return typed{}, false
	}
	x, bits := r.typed(from), signedOf(from.Type()).bits
	switch i := inst.(type) {
	case *llir.InstTrunc:
		if to := signedOf(i.To); to.bits < bits && !isTruth(i.To) {
			return r.castTo(x, to), true
		}
	case *llir.InstZExt:
		return extended(r, x, from, bits, true), true
	case *llir.InstUIToFP:
		return extended(r, x, from, bits, true), true
	case *llir.InstSExt:
		return extended(r, x, from, bits, false), true
	case *llir.InstSIToFP:
		return extended(r, x, from, bits, false), true
	case *llir.InstFPTrunc:
		return r.castTo(x, signedOf(i.To)), true
	case *llir.InstFPToSI:
		return r.castTo(x, signedOf(i.To)), true
	case *llir.InstFPToUI:
		to := signedOf(i.To)
		to.unsigned = true
		return r.castTo(x, to), true
	case *llir.InstPtrToInt:
		to := signedOf(i.To)
		return typed{Text{"(" + to.name(r.first != nil) + ")" + x.In(csource.CastPrecedence), csource.CastPrecedence}, to}, true
	}
	return x, true
}

// extended renders a widening: without a cast where the text's own type has no
// value that is read differently.
func extended(r *Renderer, x typed, from value.Value, bits int, unsigned bool) typed {
	if isTruth(from.Type()) || x.kind != integerKind || x.fitsIn(bits, unsigned) {
		return x
	}
	if inner, ok := from.(*llir.InstTrunc); ok {
		x = r.typed(inner.From) // one cast in the place of two
	}
	return r.castTo(x, cType{integerKind, bits, unsigned})
}

func isTruth(t types.Type) bool {
	i, ok := t.(*types.IntType)
	return ok && i.BitSize == 1
}

// Assigned renders a value as the right side of an assignment to an object of
// its type, where a narrowing needs no cast.
func (r *Renderer) Assigned(v value.Value) Text {
	if inst, ok := v.(llir.Instruction); ok && r.expressionOf(inst) == nil {
		switch i := inst.(type) {
		case *llir.InstTrunc:
			return r.Of(i.From)
		case *llir.InstFPTrunc:
			return r.Of(i.From)
		}
	}
	return r.Of(v)
}

// IsPointerDifference reports the subtraction of `p - q` on pointers and the
// division by the size of what they point to, which are no arithmetic on
// numbers.
func IsPointerDifference(inst llir.Instruction) bool {
	lhs, _ := difference(inst)
	return lhs != nil
}

func difference(inst llir.Instruction) (lhs, rhs value.Value) {
	if div, ok := inst.(*llir.InstSDiv); ok && div.Exact {
		inst, _ = div.X.(llir.Instruction)
	}
	sub, ok := inst.(*llir.InstSub)
	if !ok {
		return nil, nil
	}
	p, okP := sub.X.(*llir.InstPtrToInt)
	q, okQ := sub.Y.(*llir.InstPtrToInt)
	if !okP || !okQ {
		return nil, nil
	}
	return p.From, q.From
}
