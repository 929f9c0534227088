package schemata

import (
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// withTraps makes a division by the number 0 do what the processor does. To
// the optimiser `n / 0` is undefined, and it would let the mutant do anything,
// most often what the original does; a tester who compiles the mutant sees the
// program die. The divisor is therefore read from memory behind the
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

// keepTraps makes the divisions of a function, its mutants among them, do what the processor does: to the
// optimiser a division by zero, or of the least number by -1, never happens, so that it computes `1 / n` and `n % n`
// without one, and leaves out a division whose result nobody needs; built as it is written, the program dies of it.
// What is divided, and by what, is not known to the optimiser, and neither is what becomes of the result.
func keepTraps(f *llir.Func) {
	for _, b := range f.Blocks {
		if !slices.ContainsFunc(b.Insts, keptDivision) {
			continue
		}
		var out []llir.Instruction
		for _, inst := range b.Insts {
			if !keptDivision(inst) {
				out = append(out, inst)
				continue
			}
			name := inst.(value.Named).Name()
			division := copyOfDivision(inst)
			for k, slot := range division.(interface{ Operands() []*value.Value }).Operands() {
				hidden := inlined((*slot).Type(), "=r,0", *slot)
				hidden.SetName(fmt.Sprintf("%s.kept.%d", name, k))
				out = append(out, hidden)
				*slot = hidden
			}
			needed := inlined(types.Void, "r", division.(value.Value))
			needed.Callee.(*llir.InlineAsm).SideEffect = true
			out = append(out, division, needed)
		}
		b.Insts = out
	}
}

// keptDivision reports a division that may end the program, of numbers that registers have room for.
func keptDivision(inst llir.Instruction) bool {
	y := divisorOf(inst)
	if y == nil || isHarmlessDivisor(*y) {
		return false
	}
	switch (*y).Type().(*types.IntType).BitSize {
	case 8, 16, 32, 64:
		return true
	}
	return false
}

// copyOfDivision is a division of the same name, so that the module's own stays as it is.
func copyOfDivision(inst llir.Instruction) llir.Instruction {
	switch i := inst.(type) {
	case *llir.InstSDiv:
		same := *i
		return &same
	case *llir.InstUDiv:
		same := *i
		return &same
	case *llir.InstSRem:
		same := *i
		return &same
	case *llir.InstURem:
		same := *i
		return &same
	}
	panic("no division")
}

// inlined is empty assembly that takes a value, and gives one of a type.
func inlined(result types.Type, constraint string, v value.Value) *llir.InstCall {
	return llir.NewCall(llir.NewInlineAsm(types.NewPointer(types.NewFunc(result, v.Type())), "", constraint), v)
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
