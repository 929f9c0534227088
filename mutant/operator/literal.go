package operator

import (
	"fmt"
	"math/big"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// writtenNumbers returns, by operand, the constants of the place's instruction
// that stand in the C source.
func (p *Place) writtenNumbers() []constant.Constant {
	if p.Inst == nil {
		return nil
	}
	operands := operandsOf(p.Inst)
	out := make([]constant.Constant, len(operands))
	keep := func(k int) {
		switch c := ir.Unwrap(*operands[k]).(type) {
		case *constant.Int:
			if c.Typ.BitSize > 1 {
				out[k] = c
			}
		case *constant.Float:
			out[k] = c
		}
	}
	switch i := p.Inst.(type) {
	case *llir.InstICmp:
		if !isTruthTest(i) && !p.isCompilerMade(i) {
			keep(0)
			keep(1)
		}
	case *llir.InstFCmp:
		if !isTruthTest(i) {
			keep(0)
			keep(1)
		}
	case *llir.InstStore:
		if slot, ok := i.Dst.(*llir.InstAlloca); ok && isPhiSlot(slot) || p.isChained(i) {
			break
		}
		keep(0)
	case *llir.InstSelect:
		keep(1)
		keep(2)
	case *llir.InstCall:
		if !isIntrinsic(i) {
			for k := 1; k < len(operands); k++ {
				keep(k)
			}
		}
	case *llir.InstGetElementPtr:
		if isIndexed(i) {
			keep(len(operands) - 1)
		}
	default:
		if _, _, ok := p.writtenBinary(); ok {
			keep(0)
			keep(1)
		}
	}
	return out
}

// change is one replacement of a number.
type change struct {
	replacer string
	number   constant.Constant
}

// isIndexed reports `a[i]` and `p + i`, as opposed to the decay of an array and
// the choice of a member.
func isIndexed(i *llir.InstGetElementPtr) bool {
	return strings.HasPrefix(i.Name(), "arrayidx") || strings.HasPrefix(i.Name(), "add.ptr")
}

// isChained reports the outer store of `a = b = 5`, whose number stands at the
// inner one.
func (p *Place) isChained(store *llir.InstStore) bool {
	a, ok := p.Face.Assignment(store)
	return ok && a.IsChained
}

// numberText renders a change: of 'a' as 'a' + 1, of LIMIT as LIMIT - 1, of
// digits as digits.
func (p *Place) numberText(inst any, k int, ch change) face.Text {
	written, ok := p.Face.Literal(inst, k)
	one := face.Text{C: "1", Prec: face.Primary}
	switch {
	case ok && ch.replacer == "SUCC":
		return face.Binary(written, "+", one)
	case ok && ch.replacer == "PRED":
		return face.Binary(written, "-", one)
	case ok && ch.replacer == "NEG":
		return face.Prefix("-", written)
	}
	if n, isInt := ch.number.(*constant.Int); isInt && n.X.Cmp(big.NewInt(9)) > 0 && p.Face.IsHexadecimal(inst, k) {
		return face.Text{C: fmt.Sprintf("%#x", n.X), Prec: face.Primary}
	}
	return p.Face.Of(ch.number)
}

// withNumber renders the instruction as it is and with another number.
func (p *Place) withNumber(k int, old constant.Constant, instead face.Text) (original, replacement face.Text) {
	r := p.Face
	text := func(n int, v value.Value) face.Text {
		if n == k {
			return instead
		}
		return r.Operand(p.Inst, n, v)
	}
	switch i := p.Inst.(type) {
	case *llir.InstICmp:
		return r.Of(i), face.Binary(text(0, i.X), face.ComparisonSymbol(i.Pred.String()), text(1, i.Y))
	case *llir.InstFCmp:
		return r.Of(i), face.Binary(text(0, i.X), face.ComparisonSymbol(i.Pred.String()), text(1, i.Y))
	case *llir.InstStore:
		return p.storeWithNumber(i, old, instead)
	case *llir.InstCall:
		return r.Of(i), r.CallWith(i, func(args []face.Text) { args[k-1] = instead })
	case *llir.InstGetElementPtr:
		return r.Indexed(i, k, instead)
	case *llir.InstSelect:
		return r.Of(i), face.Choice(text(0, i.Cond), text(1, i.ValueTrue), text(2, i.ValueFalse))
	}
	x, y, ok := face.Operands(p.Inst)
	if !ok {
		return r.Of(old), instead
	}
	if a, ok := r.Assignment(p.Inst); ok {
		return a.With(a.Right), a.With(instead)
	}
	return r.Of(p.Inst.(value.Value)), face.Binary(text(0, x), face.Symbol(p.Inst), text(1, y))
}

func (p *Place) storeWithNumber(store *llir.InstStore, old constant.Constant, instead face.Text) (original, replacement face.Text) {
	if p.fn.results[store.Dst] {
		return returnText(p.Face.Returned(store, old)), returnText(instead)
	}
	if a, ok := p.Face.Assignment(store); ok {
		return a.With(a.Right), a.With(instead)
	}
	if list, with, ok := p.Face.InList(store, instead); ok {
		return list, with
	}
	a := face.Assigned{Left: p.Face.At(store.Dst), Op: "="}
	return a.With(p.Face.Of(old)), a.With(instead)
}

func returnText(value face.Text) face.Text {
	return face.Text{C: "return " + value.C, Prec: face.Assignment}
}
