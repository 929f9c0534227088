package schemata

import (
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant"
)

// keepTraps makes the divisions of a function, its mutants among them, do what the processor does: to the
// optimiser a division by zero, or of the least number by -1, never happens, so that it lets `n / 0` be anything, computes
// `1 / n` and `n % n` without a division, and leaves out one whose result nobody needs; built as it is written, the program
// dies of it. What is divided, and by what, is not known to the optimiser, and neither is what becomes of the result.
// Divisions are replaced by copies, so that the module's own stay as they are.
func keepTraps(f *llir.Func) {
	for _, b := range f.Blocks {
		if !slices.ContainsFunc(b.Insts, mayEnd) {
			continue
		}
		var out []llir.Instruction
		for _, inst := range b.Insts {
			if !mayEnd(inst) {
				out = append(out, inst)
				continue
			}
			around := &mutant.Code{Prefix: inst.(value.Named).Name() + ".kept"}
			division := mutant.CopyOf(inst)
			for _, slot := range division.(value.User).Operands() {
				*slot = hidden(around, *slot)
			}
			around.Insts = append(around.Insts, division) // with the name that it has
			need(around, division.(value.Value))
			out = append(out, around.Insts...)
		}
		b.Insts = out
	}
}

// mayEnd reports an integer division of at most 64 bits that may end the program.
func mayEnd(inst llir.Instruction) bool {
	y := divisorOf(inst)
	return y != nil && !isHarmlessDivisor(*y)
}

// hidden is a number that the optimiser knows nothing of: it comes from assembly, which is empty.
func hidden(c *mutant.Code, v value.Value) value.Value {
	call := mutant.Add(c, llir.NewCall(assembly(types.I64, "=r,0"), wide(c, v)))
	if v.Type().Equal(types.I64) {
		return call
	}
	return mutant.Add(c, llir.NewTrunc(call, v.Type()))
}

// need has a number be computed where it stands.
func need(c *mutant.Code, v value.Value) {
	needs := assembly(types.Void, "r")
	needs.SideEffect = true
	mutant.Add(c, llir.NewCall(needs, wide(c, v)))
}

// wide is a number as one of 64 bits, for which there are registers.
func wide(c *mutant.Code, v value.Value) value.Value {
	if v.Type().Equal(types.I64) {
		return v
	}
	return mutant.Add(c, llir.NewZExt(v, types.I64))
}

// assembly is none, of a number of 64 bits.
func assembly(result types.Type, constraints string) *llir.InlineAsm {
	return llir.NewInlineAsm(types.NewPointer(types.NewFunc(result, types.I64)), "", constraints)
}

// withTraps makes a division by the number 0 do what the processor does, in a mutant by itself, which has
// no assembly, for compilers to read: the divisor is read from memory behind the
// optimiser's back.
func withTraps(m *llir.Module, insts []llir.Instruction, prefix string) []llir.Instruction {
	var out []llir.Instruction
	for _, inst := range insts {
		divisor := divisorOf(inst)
		if divisor == nil || !isZero(*divisor) {
			out = append(out, inst)
			continue
		}
		load := readZero(m, fmt.Sprintf("%s.zero.%d", prefix, len(out)))
		out = append(out, load)
		*divisor = load
		if t := inst.(value.Value).Type().(*types.IntType); t.BitSize < 64 {
			narrow := llir.NewTrunc(load, t)
			narrow.SetName(fmt.Sprintf("%s.zero.%d", prefix, len(out)))
			out = append(out, narrow)
			*divisor = narrow
		}
		out = append(out, inst)
	}
	return out
}

// withNull makes a mutant's null pointer one that the optimiser does not know, for
// the same reason: what is read or written through a null pointer is undefined to
// it, so that it would go on with the pointer of the original.
func withNull(m *llir.Module, insts []llir.Instruction, result value.Value, prefix string) ([]llir.Instruction, value.Value) {
	null, ok := result.(*constant.Null)
	if !ok {
		return insts, result
	}
	load := readZero(m, fmt.Sprintf("%s.zero.%d", prefix, len(insts)))
	pointer := llir.NewIntToPtr(load, null.Typ)
	pointer.SetName(fmt.Sprintf("%s.null.%d", prefix, len(insts)))
	return append(insts, load, pointer), pointer
}

// readZero reads the number 0 behind the optimiser's back.
func readZero(m *llir.Module, name string) *llir.InstLoad {
	load := llir.NewLoad(types.I64, zeroOf(m))
	load.Volatile = true
	load.SetName(name)
	return load
}

// zeroOf returns the module's global that holds the number 0.
func zeroOf(m *llir.Module) *llir.Global {
	const name = "winnow_zero"
	for _, g := range m.Globals {
		if g.Name() == name {
			return g
		}
	}
	zero := m.NewGlobalDef(name, constant.NewInt(types.I64, 0))
	zero.Linkage = enum.LinkageInternal
	return zero
}

// divisorOf returns the operand slot that an integer division of at most 64
// bits divides by, or nil.
func divisorOf(inst llir.Instruction) *value.Value {
	var slot *value.Value
	switch i := inst.(type) {
	case *llir.InstSDiv:
		slot = &i.Y
	case *llir.InstUDiv:
		slot = &i.Y
	case *llir.InstSRem:
		slot = &i.Y
	case *llir.InstURem:
		slot = &i.Y
	default:
		return nil
	}
	if t, ok := (*slot).Type().(*types.IntType); !ok || t.BitSize > 64 {
		return nil
	}
	return slot
}

func isZero(v value.Value) bool {
	c, ok := v.(*constant.Int)
	return ok && c.X.Sign() == 0
}
