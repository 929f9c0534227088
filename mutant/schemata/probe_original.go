package schemata

import (
	"reflect"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// original is the code of a site, cut into stretches: an effect ends each but
// the last. Memory does not change within a stretch.
type original struct {
	insts   []llir.Instruction // empty for a terminator
	effects []llir.Instruction // one fewer than stretches
	// loads, by stretch.
	loads [][]*llir.InstLoad
	// traps are the instructions that may end the program.
	traps []llir.Instruction
}

func originalOf(insts []llir.Instruction) *original {
	o := &original{insts: insts, loads: make([][]*llir.InstLoad, 1)}
	for _, inst := range insts {
		if mayTrap(inst) {
			o.traps = append(o.traps, inst)
		}
		if hasEffect(inst) {
			o.effects = append(o.effects, inst)
			o.loads = append(o.loads, nil)
		} else if load, ok := inst.(*llir.InstLoad); ok {
			last := len(o.loads) - 1
			o.loads[last] = append(o.loads[last], load)
		}
	}
	return o
}

// hasEffect reports what changes memory, or is observed itself, or may.
func hasEffect(inst llir.Instruction) bool {
	switch i := inst.(type) {
	case *llir.InstLoad:
		return i.Volatile || i.Atomic
	case *llir.InstCall:
		return !isMarker(i) && !isTotalCall(i)
	case *llir.InstStore, *llir.InstAtomicRMW, *llir.InstCmpXchg, *llir.InstFence, *llir.InstVAArg,
		*llir.InstLandingPad, *llir.InstCatchPad, *llir.InstCleanupPad, *llir.InstAlloca:
		return true
	}
	return false
}

// mayTrap reports what can end the program by a signal, apart from calls.
func mayTrap(inst llir.Instruction) bool {
	switch i := inst.(type) {
	case *llir.InstLoad:
		return !isVariable(i.Src)
	case *llir.InstStore:
		return !isVariable(i.Dst)
	case *llir.InstAtomicRMW, *llir.InstCmpXchg, *llir.InstVAArg:
		return true
	}
	return mayEnd(inst)
}

// isVariable reports an address that is known to be good: a variable itself.
func isVariable(address value.Value) bool {
	switch address.(type) {
	case *llir.InstAlloca, *llir.Global:
		return true
	}
	return false
}

func isHarmlessDivisor(v value.Value) bool {
	c, ok := v.(*constant.Int)
	return ok && c.X.Sign() != 0 && !(c.X.IsInt64() && c.X.Int64() == -1)
}

// sameValue reports operands that are one value.
func sameValue(a, b value.Value) bool {
	a, b = ir.Unwrap(a), ir.Unwrap(b)
	if a == b {
		return true
	}
	_, ok := a.(constant.Constant)
	_, too := b.(constant.Constant)
	return ok && too && a.String() == b.String()
}

// sameOperation reports two instructions that compute the same from the same
// operands, if memory is the same.
func sameOperation(a, b llir.Instruction) bool {
	if reflect.TypeOf(a) != reflect.TypeOf(b) {
		return false
	}
	x, y := a.Operands(), b.Operands()
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if !sameValue(*x[i], *y[i]) {
			return false
		}
	}
	switch i := a.(type) {
	case *llir.InstLoad:
		return i.ElemType.Equal(b.(*llir.InstLoad).ElemType)
	case *llir.InstSDiv, *llir.InstUDiv, *llir.InstSRem, *llir.InstURem:
		return true
	}
	return false // what is total is cheap to compute again
}
