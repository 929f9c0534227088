package pipeline

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/ir"
)

// fillings are what uninitialised variables may hold as well as anything else:
// nothing, a large number, and a negative one.
var fillings = []int64{0, 0x5a5a5a5a, -0x5a5a5a5a}

// fillVariables gives the local variables of a module a value to begin with:
// numbers the one given, pointers the null pointer for 0 and else the address
// of some memory. A program whose behaviour depends on it reads a variable that
// it has not set.
func fillVariables(m *ir.Module, value int64) {
	memory := m.LLVM.NewGlobalDef("winnow.filling", constant.NewZeroInitializer(types.NewArray(1<<16, types.I8)))
	for _, f := range m.Functions() {
		for _, b := range f.Blocks {
			var out []llir.Instruction
			for _, inst := range b.Insts {
				out = append(out, inst)
				if slot, ok := inst.(*llir.InstAlloca); ok && slot.NElems == nil {
					if c := fillingOf(slot.ElemType, value, memory); c != nil {
						out = append(out, llir.NewStore(c, slot))
					}
				}
			}
			b.Insts = out
		}
	}
}

// fillingOf is the constant that fills a variable; nil for structures, arrays
// and truth values.
func fillingOf(t types.Type, value int64, memory *llir.Global) constant.Constant {
	switch t := t.(type) {
	case *types.IntType:
		if t.BitSize > 8 && t.BitSize <= 64 {
			return constant.NewInt(t, value>>max(32-int(t.BitSize), 0))
		}
	case *types.FloatType:
		if t.Kind == types.FloatKindFloat || t.Kind == types.FloatKindDouble {
			return constant.NewFloat(t, float64(value))
		}
	case *types.PointerType:
		if value == 0 {
			return constant.NewNull(t)
		}
		return constant.NewBitCast(memory, t)
	}
	return nil
}
