package schemata

import (
	"math/big"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant"
)

// reduceShifts makes the shifts of a function, its mutants among them, do what the processor does,
// which takes an amount by the width of the number: to the optimiser an amount that is too large
// never happens, so that it lets the result be anything, and `0xD800 << n` true in one mutant
// and false in another. On processors whose shifts do so by themselves it costs nothing.
// Shifts are replaced by copies, so that the module's own stay as they are.
func reduceShifts(f *llir.Func) {
	for _, b := range f.Blocks {
		if slices.ContainsFunc(b.Insts, shiftsFar) {
			b.Insts = withAmounts(b.Insts)
		}
	}
}

// withAmounts are instructions in which the amounts of shifts are less than the width.
func withAmounts(insts []llir.Instruction) []llir.Instruction {
	var out []llir.Instruction
	for _, inst := range insts {
		if shiftsFar(inst) {
			around := &mutant.Code{Prefix: inst.(value.Named).Name() + ".amount"}
			inst = mutant.CopyOf(inst)
			amount := amountOf(inst)
			t := (*amount).Type().(*types.IntType)
			most := constant.NewInt(t, int64(t.BitSize-1))
			if k, isNumber := (*amount).(*constant.Int); isNumber {
				*amount = &constant.Int{Typ: t, X: new(big.Int).And(k.X, most.X)}
			} else {
				*amount = mutant.Add(around, llir.NewAnd(*amount, most))
			}
			out = append(out, around.Insts...)
		}
		out = append(out, inst)
	}
	return out
}

// shiftsFar reports a shift in a register by an amount that may be too large.
func shiftsFar(inst llir.Instruction) bool {
	amount := amountOf(inst)
	if amount == nil {
		return false
	}
	t, ok := (*amount).Type().(*types.IntType)
	if !ok || t.BitSize != 32 && t.BitSize != 64 && t.BitSize != 128 {
		return false
	}
	k, isNumber := (*amount).(*constant.Int)
	return !isNumber || k.X.Sign() < 0 || k.X.Cmp(new(big.Int).SetUint64(t.BitSize)) >= 0
}

// amountOf returns the operand slot by which an instruction shifts, or nil.
func amountOf(inst llir.Instruction) *value.Value {
	switch i := inst.(type) {
	case *llir.InstShl:
		return &i.Y
	case *llir.InstLShr:
		return &i.Y
	case *llir.InstAShr:
		return &i.Y
	}
	return nil
}
