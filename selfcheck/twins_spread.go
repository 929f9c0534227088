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
