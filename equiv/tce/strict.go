package tce

import (
	"fmt"
	"math/big"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// maxLeaves is the size, in scalars, up to which a local variable is given its
// unknown contents by a store, which passes can take apart.
const maxLeaves = 16

// guard writes what comes before an instruction to define what it does on
// every operand: a shift amount is reduced as the machine does, and a division
// that may trap shows its operands to an unknown function first, so that it can
// neither vanish nor turn into any value that suits.
func (p *printer) guard(text *strings.Builder, inst llir.Instruction) {
	switch i := inst.(type) {
	case *llir.InstShl:
		i.Y = mask(text, i, i.Y)
	case *llir.InstLShr:
		i.Y = mask(text, i, i.Y)
	case *llir.InstAShr:
		i.Y = mask(text, i, i.Y)
	case *llir.InstUDiv:
		p.watch(text, i.X, i.Y, 0)
	case *llir.InstURem:
		p.watch(text, i.X, i.Y, 0)
	case *llir.InstSDiv:
		p.watch(text, i.X, i.Y, 0, -1)
	case *llir.InstSRem:
		p.watch(text, i.X, i.Y, 0, -1)
	}
}

// mask returns a shift's amount, reduced to the width of what is shifted where
// it is not known to be less.
func mask(text *strings.Builder, shift value.Named, amount value.Value) value.Value {
	t, ok := amount.Type().(*types.IntType)
	if !ok || t.BitSize&(t.BitSize-1) != 0 {
		return amount
	}
	if k, ok := amount.(*constant.Int); ok && k.X.Sign() >= 0 && k.X.Cmp(new(big.Int).SetUint64(t.BitSize)) < 0 {
		return amount
	}
	masked := llir.NewAnd(amount, constant.NewInt(t, int64(t.BitSize-1)))
	masked.SetName(shift.Name() + ".amount")
	line(text, masked.LLString())
	return masked
}

// watch calls an unknown function with a division's operands unless the
// divisor is a constant, and none of those with which the division traps.
func (p *printer) watch(text *strings.Builder, x, y value.Value, traps ...int64) {
	if _, ok := y.Type().(*types.IntType); !ok {
		return
	}
	if k, ok := y.(*constant.Int); ok {
		safe := true
		for _, trap := range traps {
			// NewInt keeps what was written: -1 may stand as 2^n - 1.
			difference := new(big.Int).Sub(k.X, big.NewInt(trap))
			safe = safe && new(big.Int).Mod(difference, modulus(k.Typ)).Sign() != 0
		}
		if safe {
			return
		}
	}
	name := fmt.Sprintf("@winnow.divide.%s", y.Type())
	p.declares[name] = fmt.Sprintf("declare void %s(%s, %s) inaccessiblememonly nounwind", name, x.Type(), y.Type())
	line(text, fmt.Sprintf("call void %s(%s, %s)", name, x, y))
}

func modulus(t *types.IntType) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(t.BitSize)) }

// initialise gives a local variable contents that no pass knows: the same in
// the original and in its mutants, since they would find the same stack.
func (p *printer) initialise(text *strings.Builder, slot *llir.InstAlloca) {
	if slot.AddrSpace != 0 {
		return
	}
	if slot.NElems == nil && leaves(slot.ElemType) <= maxLeaves {
		unknown := llir.NewGlobal(fmt.Sprintf("winnow.stack.%d.%s", p.function, slot.Name()), slot.ElemType)
		p.declares[unknown.Ident()] = fmt.Sprintf("%s = external constant %s", unknown.Ident(), slot.ElemType)
		load := llir.NewLoad(slot.ElemType, unknown)
		load.SetName(slot.Name() + ".unknown")
		line(text, load.LLString())
		line(text, llir.NewStore(load, slot).LLString())
		return
	}
	const fill = "@winnow.fill"
	p.declares[fill] = "declare void " + fill + "(i8* nocapture) argmemonly nounwind willreturn"
	bytes := llir.NewBitCast(slot, types.I8Ptr)
	bytes.SetName(slot.Name() + ".bytes")
	line(text, bytes.LLString())
	line(text, fmt.Sprintf("call void %s(i8* %s)", fill, bytes.Ident()))
}

// leaves counts the scalars of a type, up to a little more than maxLeaves.
func leaves(t types.Type) uint64 {
	switch t := t.(type) {
	case *types.ArrayType:
		if t.Len > maxLeaves {
			return maxLeaves + 1
		}
		return t.Len * leaves(t.ElemType)
	case *types.StructType:
		var n uint64
		for _, f := range t.Fields {
			n += leaves(f)
		}
		return n
	}
	return 1
}
