package operator

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// promoted returns the load of a char or short that the place's instruction
// makes an int of. C computes with the int, so that is what changes: -c is
// negative for an unsigned char.
func (p *Place) promoted(from value.Value) *llir.InstLoad {
	load, ok := from.(*llir.InstLoad)
	if !ok || p.isPartOfUpdate(load) || p.isCompilerMade(load) || !isNarrow(load) || p.fn.isTruth(load) {
		return nil
	}
	return load
}

func isNarrow(load *llir.InstLoad) bool {
	t, ok := load.Type().(*types.IntType)
	return ok && t.BitSize > 1 && t.BitSize < 32
}

// isTruthOrPromoted reports the loads that are changed elsewhere: of a _Bool,
// where it is tested, and of a narrow integer, where it is promoted.
func (fn *function) isTruthOrPromoted(load *llir.InstLoad) bool {
	if !isNarrow(load) {
		return false
	}
	for _, user := range fn.users[load] {
		switch user.(type) {
		case *llir.InstSExt, *llir.InstZExt:
			return true
		}
	}
	return fn.isTruth(load)
}

// isTruth reports the load of a _Bool, a byte that is cut to its lowest bit.
func (fn *function) isTruth(load *llir.InstLoad) bool {
	for _, user := range fn.users[load] {
		if cut, ok := user.(*llir.InstTrunc); ok && cut.Type().Equal(types.I1) {
			return true
		}
	}
	return false
}

func isIntrinsic(call *llir.InstCall) bool {
	f, ok := call.Callee.(*llir.Func)
	return ok && strings.HasPrefix(f.Name(), "llvm.")
}

// isStructure reports a structure that a function returns in a register.
func (fn *function) isStructure(v value.Value) bool {
	for _, user := range fn.users[v] {
		store, ok := user.(*llir.InstStore)
		if !ok {
			continue
		}
		if from, ok := store.Dst.(*llir.InstBitCast); ok {
			if pointer, ok := from.From.Type().(*types.PointerType); ok && !isScalar(pointer.ElemType) {
				return true
			}
		}
		if slot, ok := store.Dst.(*llir.InstAlloca); ok && fn.isTemporary(slot) && !isPhiSlot(slot) && !fn.results[slot] {
			return true
		}
	}
	return false
}

// isVariable reports a pointer to a whole local or global variable.
func isVariable(pointer value.Value) bool {
	switch p := pointer.(type) {
	case *llir.InstAlloca, *llir.Global:
		return true
	case *llir.InstBitCast:
		return isVariable(p.From)
	}
	return false
}

// isPartOfUpdate reports the load of `x++`, `x += e` and of a short-circuit's
// or conditional's result, which are not written as a use of a variable.
func (p *Place) isPartOfUpdate(load *llir.InstLoad) bool {
	if p.fn.isTemporary(load.Src) || p.isCompilerMade(load) {
		return true
	}
	at := ir.PositionOf(load)
	for _, user := range p.fn.users[load] {
		inst, ok := user.(llir.Instruction)
		if !ok {
			continue
		}
		if p.fn.incrementOf[inst] != nil {
			return true
		}
		if _, isCast := ir.ConvertedBy(inst); isCast && len(p.fn.users[inst.(value.Value)]) == 1 {
			inst, _ = p.fn.users[inst.(value.Value)][0].(llir.Instruction) // the promotion of a narrow one
		}
		if _, _, ok := face.Operands(inst); ok && at.Known() && ir.PositionOf(inst) == at && p.fn.isStoredTo(inst.(value.Value), load.Src) {
			return true
		}
	}
	return false
}

// isStoredTo reports a result that goes, perhaps narrowed, to a place.
func (fn *function) isStoredTo(v value.Value, pointer value.Value) bool {
	for _, user := range fn.users[v] {
		if store, ok := user.(*llir.InstStore); ok && store.Dst == pointer {
			return true
		}
		inst, ok := user.(llir.Instruction)
		if !ok {
			continue
		}
		if _, isCast := ir.ConvertedBy(inst); isCast && fn.isStoredTo(inst.(value.Value), pointer) {
			return true
		}
	}
	return false
}

// isUnsignedValue reports a value that is its own magnitude.
func (p *Place) isUnsignedValue(v value.Value) bool {
	for _, user := range p.fn.users[v] {
		switch user.(type) {
		case *llir.InstZExt, *llir.InstUIToFP:
			return true
		}
	}
	return p.Face.IsUnsignedValue(v)
}

func isNegative(c *mutant.Code, v value.Value) value.Value {
	if isFloat(v.Type()) {
		return mutant.Add(c, llir.NewFCmp(enum.FPredOLT, v, number(v.Type(), 0)))
	}
	return mutant.Add(c, llir.NewICmp(enum.IPredSLT, v, number(v.Type(), 0)))
}

func negate(c *mutant.Code, v value.Value) value.Value {
	if isFloat(v.Type()) {
		return mutant.Add(c, llir.NewFNeg(v))
	}
	return mutant.Add(c, llir.NewSub(number(v.Type(), 0), v))
}

// number is a constant of an integer or floating-point type.
func number(t types.Type, k int64) constant.Constant {
	if f, ok := t.(*types.FloatType); ok {
		return constant.NewFloat(f, float64(k))
	}
	if isTruth(t) {
		return constant.NewBool(k&1 != 0)
	}
	return constant.NewInt(t.(*types.IntType), k)
}
