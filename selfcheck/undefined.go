package selfcheck

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// fillings are what uninitialised variables may hold as well as anything else:
// nothing, a large number, and a negative one.
var fillings = []int64{0, 0x5a5a5a5a, -0x5a5a5a5a}

// fillVariables gives the local variables of a module a value to begin with:
// numbers the one given, pointers the null pointer for 0 and else the address
// of some memory, structures and arrays a byte of the value everywhere. A
// program whose behaviour depends on it reads what it has not set.
func fillVariables(m *ir.Module, number int64) {
	memory := m.LLVM.NewGlobalDef("winnow.filling", constant.NewZeroInitializer(types.NewArray(1<<16, types.I8)))
	set := memset(m.LLVM)
	for _, f := range m.Functions() {
		truths := truthVariables(f)
		for _, b := range f.Blocks {
			var out []llir.Instruction
			for _, inst := range b.Insts {
				out = append(out, inst)
				slot, ok := inst.(*llir.InstAlloca)
				if !ok || slot.NElems != nil || truths[slot] {
					continue
				}
				if c := fillingOf(slot.ElemType, number, memory); c != nil {
					out = append(out, llir.NewStore(c, slot))
				} else if isAggregate(slot.ElemType) {
					bytes := llir.NewBitCast(slot, types.I8Ptr)
					out = append(out, bytes, llir.NewCall(set, bytes, constant.NewInt(types.I8, int64(int8(number))), sizeOf(slot.ElemType), constant.False))
				}
			}
			b.Insts = out
		}
	}
}

// truthVariables are the variables of type _Bool, which hold 0 or 1: bytes that are
// made of a bit or that one is made of.
func truthVariables(f *llir.Func) map[value.Value]bool {
	out := map[value.Value]bool{}
	isBit := func(t types.Type) bool { i, ok := t.(*types.IntType); return ok && i.BitSize == 1 }
	for _, b := range f.Blocks {
		for _, inst := range b.Insts {
			switch i := inst.(type) {
			case *llir.InstTrunc:
				if load, ok := i.From.(*llir.InstLoad); ok && isBit(i.To) {
					out[load.Src] = true
				}
			case *llir.InstStore:
				if wide, ok := i.Src.(*llir.InstZExt); ok && isBit(wide.From.Type()) {
					out[i.Dst] = true
				}
			}
		}
	}
	return out
}

func isAggregate(t types.Type) bool {
	switch t.(type) {
	case *types.StructType, *types.ArrayType:
		return true
	}
	return false
}

// sizeOf is the size of a type in bytes: the address of the second element of
// an array that begins at 0.
func sizeOf(t types.Type) constant.Constant {
	end := constant.NewGetElementPtr(t, constant.NewNull(types.NewPointer(t)), constant.NewInt(types.I32, 1))
	return constant.NewPtrToInt(end, types.I64)
}

// memset is the module's declaration of the intrinsic.
func memset(m *llir.Module) *llir.Func {
	const name = "llvm.memset.p0i8.i64"
	for _, f := range m.Funcs {
		if f.Name() == name {
			return f
		}
	}
	return m.NewFunc(name, types.Void, llir.NewParam("", types.I8Ptr), llir.NewParam("", types.I8), llir.NewParam("", types.I64), llir.NewParam("", types.I1))
}

// fillingOf is the constant that fills a variable; nil for structures and arrays.
func fillingOf(t types.Type, number int64, memory *llir.Global) constant.Constant {
	switch t := t.(type) {
	case *types.IntType:
		if t.BitSize >= 8 && t.BitSize <= 64 {
			return constant.NewInt(t, number>>max(32-int(t.BitSize), 0))
		}
	case *types.FloatType:
		if t.Kind == types.FloatKindFloat || t.Kind == types.FloatKindDouble {
			return constant.NewFloat(t, float64(number))
		}
	case *types.PointerType:
		if number == 0 {
			return constant.NewNull(t)
		}
		return constant.NewBitCast(memory, t)
	}
	return nil
}

// gap is the room, in bytes, that spreadVariables leaves beside a variable: more
// than a step past its end goes.
const gap = 208

// spreadVariables moves the variables of a module apart and into another order.
// A program whose behaviour depends on it reads or writes what lies beside an
// object, or compares addresses of two.
func spreadVariables(m *ir.Module) {
	room := types.NewArray(gap, types.I8)
	var globals []*llir.Global
	for i := len(m.LLVM.Globals) - 1; i >= 0; i-- {
		pad := llir.NewGlobalDef(fmt.Sprintf("winnow.gap.%d", i), constant.NewZeroInitializer(room))
		pad.Linkage = enum.LinkageInternal
		globals = append(globals, m.LLVM.Globals[i], pad)
	}
	m.LLVM.Globals = globals
	for _, f := range m.Functions() {
		ir.NameLocals(f)
		entry := f.Blocks[0]
		var slots, rest []llir.Instruction
		for _, inst := range entry.Insts {
			if slot, ok := inst.(*llir.InstAlloca); ok && slot.NElems == nil {
				pad := llir.NewAlloca(room)
				pad.SetName(fmt.Sprintf("winnow.gap.%d", len(slots)))
				slots = append([]llir.Instruction{slot, pad}, slots...)
				rest = append(rest, markUsed(pad)...)
				continue
			}
			rest = append(rest, inst)
		}
		entry.Insts = append(slots, rest...)
	}
}

// markUsed stores into a variable that nothing reads, so that it keeps its room.
func markUsed(slot *llir.InstAlloca) []llir.Instruction {
	first := llir.NewBitCast(slot, types.I8Ptr)
	first.SetName(slot.Name() + ".used")
	store := llir.NewStore(constant.NewInt(types.I8, 1), first)
	store.Volatile = true
	return []llir.Instruction{first, store}
}

// keepReads makes every read of memory happen. The compiler leaves out one whose
// value is not used, which can be told where the memory may not be read.
func keepReads(m *ir.Module) {
	for _, f := range m.Functions() {
		for _, b := range f.Blocks {
			for _, inst := range b.Insts {
				if load, ok := inst.(*llir.InstLoad); ok {
					load.Volatile = true
				}
			}
		}
	}
}

// otherShifts makes shifts by the width of their type or more, and by less than
// nothing, give another number than the processor does. C and LLVM let them give
// any.
func otherShifts(m *ir.Module) {
	for _, f := range m.Functions() {
		ir.NameLocals(f)
		uses := ir.UsesOf(f)
		for _, b := range f.Blocks {
			var out []llir.Instruction
			for _, inst := range b.Insts {
				out = append(out, inst)
				amount := shiftAmount(inst)
				if amount == nil {
					continue
				}
				shift := inst.(value.Named)
				width, ok := shift.Type().(*types.IntType)
				if !ok {
					continue
				}
				much := llir.NewICmp(enum.IPredUGE, amount, constant.NewInt(width, int64(width.BitSize)))
				much.SetName(shift.Name() + ".much")
				other := llir.NewSelect(much, constant.NewInt(width, 85), shift)
				other.SetName(shift.Name() + ".other")
				uses.Replace(shift, other)
				out = append(out, much, other)
			}
			b.Insts = out
		}
	}
}

func shiftAmount(inst llir.Instruction) value.Value {
	switch i := inst.(type) {
	case *llir.InstShl:
		return i.Y
	case *llir.InstLShr:
		return i.Y
	case *llir.InstAShr:
		return i.Y
	}
	return nil
}
