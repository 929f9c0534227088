package tce

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// maxLeaves is the size, in scalars, up to which a local variable is given its
// unknown contents by a store, which passes can take apart.
const maxLeaves = 16

// guard writes what comes before an instruction to define what it does on every
// operand, and returns the instruction to write then. A shift amount is reduced as
// the machine does. A division that may trap shows its operands to an unknown
// function first, so that it can neither vanish nor turn into any value that suits.
// Where the result itself depends on how the machine is asked, it is that of an
// unknown function.
func (p *printer) guard(text *strings.Builder, inst llir.Instruction) llir.Instruction {
	switch i := inst.(type) {
	case *llir.InstShl:
		return p.shift(text, "shl", i, &i.X, &i.Y)
	case *llir.InstLShr:
		return p.shift(text, "lshr", i, &i.X, &i.Y)
	case *llir.InstAShr:
		return p.shift(text, "ashr", i, &i.X, &i.Y)
	case *llir.InstUDiv:
		p.watch(text, i.X, i.Y, 0)
	case *llir.InstURem:
		p.watch(text, i.X, i.Y, 0)
	case *llir.InstSDiv:
		p.watch(text, i.X, i.Y, 0, -1)
	case *llir.InstSRem:
		p.watch(text, i.X, i.Y, 0, -1)
	case *llir.InstFPToSI:
		return p.truncate(text, i, i.From, "signed")
	case *llir.InstFPToUI:
		return p.truncate(text, i, i.From, "unsigned")
	case *llir.InstCall:
		return p.known(text, i)
	}
	return inst
}

// shift reduces the amount of a shift by a variable as the machine does. A number
// that is no amount leaves everything to the compiler, and so do vectors and
// numbers of a width that no register has: the shift becomes an unknown function.
func (p *printer) shift(text *strings.Builder, kind string, inst llir.Instruction, x, amount *value.Value) llir.Instruction {
	t, ok := (*x).Type().(*types.IntType)
	k, isNumber := (*amount).(*constant.Int)
	switch {
	case ok && isNumber && k.X.Sign() >= 0 && k.X.Cmp(new(big.Int).SetUint64(t.BitSize)) < 0:
		return inst
	case ok && !isNumber && (t.BitSize == 32 || t.BitSize == 64 || t.BitSize == 128):
		masked := llir.NewAnd(*amount, constant.NewInt(t, int64(t.BitSize-1)))
		masked.SetName(inst.(value.Named).Name() + ".amount")
		line(text, masked.LLString())
		*amount = masked
		return inst
	}
	return p.unknown(inst, kind, unknownEffects, *x, *amount)
}

const (
	// unknownEffects are those of a function that may do anything but touch the
	// program's memory: its calls stay, and in order.
	unknownEffects = "inaccessiblememonly nounwind"
	// noEffects are those of a function of its arguments alone.
	noEffects = "readnone nounwind willreturn"
)

// unknown is a call of an unknown function in the place of an instruction.
func (p *printer) unknown(inst llir.Instruction, what, effects string, args ...value.Value) llir.Instruction {
	named := inst.(value.Named)
	params, name := make([]*llir.Param, len(args)), "winnow."+what+"."+symbolOf(named.Type())
	for i, arg := range args {
		params[i] = llir.NewParam("", arg.Type())
	}
	if t := args[0].Type(); !t.Equal(named.Type()) {
		name += "." + symbolOf(t)
	}
	f := llir.NewFunc(name, named.Type(), params...)
	p.declares[f.Ident()] = f.LLString() + " " + effects
	call := llir.NewCall(f, args...)
	call.SetName(named.Name())
	return call
}

// symbolOf is a type as a part of a name.
func symbolOf(t types.Type) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '.'
	}, t.String())
}

// truncate makes an integer of a floating-point number. What the machine makes of
// one that is too large depends on the types alone, but no pass knows what.
func (p *printer) truncate(text *strings.Builder, inst llir.Instruction, from value.Value, sign string) llir.Instruction {
	to, isInt := inst.(value.Value).Type().(*types.IntType)
	t, isReal := from.Type().(*types.FloatType)
	far := p.unknown(inst, sign, noEffects, from).(*llir.InstCall)
	if !isInt || !isReal || to.BitSize > 64 || t.Kind != types.FloatKindFloat && t.Kind != types.FloatKindDouble {
		return far
	}
	low, high := -math.Ldexp(1, int(to.BitSize)-1), math.Ldexp(1, int(to.BitSize)-1)
	if sign == "unsigned" {
		low, high = 0, 2*high
	}
	name := inst.(value.Named).Name()
	near := mutant.CopyOf(inst)
	above := llir.NewFCmp(enum.FPredOGE, from, constant.NewFloat(t, low))
	below := llir.NewFCmp(enum.FPredOLT, from, constant.NewFloat(t, high))
	fits := llir.NewAnd(above, below)
	for suffix, part := range map[string]value.Named{".near": near.(value.Named), ".far": far, ".above": above, ".below": below, ".fits": fits} {
		part.SetName(name + suffix)
	}
	for _, part := range []llir.Instruction{near, far, above, below, fits} {
		line(text, part.LLString())
	}
	choice := llir.NewSelect(fits, near.(value.Value), far)
	choice.SetName(name)
	return choice
}

// known spells out calls of which passes know more than the machine does. The
// zeros of the number 0, which the machine counts by what a register held, are
// those of an unknown function; abs is what the library's code does, for the
// smallest number too.
func (p *printer) known(text *strings.Builder, call *llir.InstCall) llir.Instruction {
	f, ok := call.Callee.(*llir.Func)
	if !ok || len(call.Args) == 0 {
		return call
	}
	x := ir.Unwrap(call.Args[0])
	switch name := f.Name(); {
	case strings.HasPrefix(name, "llvm.ctlz."), strings.HasPrefix(name, "llvm.cttz."):
		if flag, ok := ir.Unwrap(call.Args[1]).(*constant.Int); ok && flag.X.Sign() == 0 {
			return call
		}
		return p.unknown(call, name[len("llvm."):len("llvm.ctlz")], unknownEffects, x)
	case absolute[name] && !p.header.world.isOwn(f) && len(call.Args) == 1:
		t, ok := x.Type().(*types.IntType)
		if !ok || !t.Equal(call.Type()) {
			return call
		}
		zero := constant.NewInt(t, 0)
		minus, negative := llir.NewSub(zero, x), llir.NewICmp(enum.IPredSLT, x, zero)
		minus.SetName(call.Name() + ".minus")
		negative.SetName(call.Name() + ".negative")
		line(text, minus.LLString())
		line(text, negative.LLString())
		choice := llir.NewSelect(negative, minus, x)
		choice.SetName(call.Name())
		return choice
	}
	return call
}

var absolute = setOf("abs labs llabs imaxabs")

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
	p.declares[name] = fmt.Sprintf("declare void %s(%s, %s) %s", name, x.Type(), y.Type(), unknownEffects)
	line(text, fmt.Sprintf("call void %s(%s, %s)", name, x, y))
}

func modulus(t *types.IntType) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(t.BitSize)) }

// initialise gives a local variable contents that no pass knows: the same in
// the original and in its mutants, since they would find the same stack.
func (p *printer) initialise(text *strings.Builder, slot *llir.InstAlloca) {
	if slot.AddrSpace != 0 {
		return
	}
	if slot.NElems == nil && leaves(slot.ElemType) <= maxLeaves && !padded(slot.ElemType) {
		unknown := llir.NewGlobal(fmt.Sprintf("winnow.stack.%d.%s", p.function, slot.Name()), slot.ElemType)
		p.declares[unknown.Ident()] = fmt.Sprintf("%s = external constant %s", unknown.Ident(), slot.ElemType)
		load := llir.NewLoad(slot.ElemType, unknown)
		load.SetName(slot.Name() + ".unknown")
		line(text, load.LLString())
		line(text, llir.NewStore(load, slot).LLString())
		return
	}
	if slot.NElems != nil {
		p.declares[room(slot)] = fmt.Sprintf("declare void %s(%s) %s", room(slot), slot.NElems.Type(), unknownEffects)
		line(text, fmt.Sprintf("call void %s(%s)", room(slot), slot.NElems))
	}
	const fill = "@winnow.fill"
	p.declares[fill] = "declare void " + fill + "(i8* nocapture) argmemonly nounwind willreturn"
	bytes := llir.NewBitCast(slot, types.I8Ptr)
	bytes.SetName(slot.Name() + ".bytes")
	line(text, bytes.LLString())
	line(text, fmt.Sprintf("call void %s(i8* %s)", fill, bytes.Ident()))
}

// room is an unknown function that is told for how many elements the stack is to
// have room, since it may not have as much.
func room(slot *llir.InstAlloca) string { return "@winnow.room." + symbolOf(slot.NElems.Type()) }

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

// padded reports a type with bytes that a load or store of it leaves out. They are
// memory like the rest: a copy of the bytes reads them.
func padded(t types.Type) bool {
	_, _, gaps := layout(t)
	return gaps
}

// layout is the size and alignment of a type on a 64-bit machine, in bytes, and
// whether it has bytes without a value. What it does not know has some.
func layout(t types.Type) (size, align uint64, gaps bool) {
	switch t := t.(type) {
	case *types.PointerType:
		return 8, 8, false
	case *types.IntType:
		size = (t.BitSize + 7) / 8
		align = min(8, uint64(1)<<bits.Len64(size-1))
		return size, align, t.BitSize%8 != 0 || size%align != 0
	case *types.FloatType:
		switch t.Kind {
		case types.FloatKindFloat:
			return 4, 4, false
		case types.FloatKindDouble:
			return 8, 8, false
		}
	case *types.ArrayType:
		size, align, gaps = layout(t.ElemType)
		return t.Len * size, align, gaps
	case *types.VectorType:
		size, _, gaps = layout(t.ElemType)
		size *= t.Len
		return size, size, gaps || size&(size-1) != 0
	case *types.StructType:
		align = 1
		for _, f := range t.Fields {
			s, a, g := layout(f)
			if t.Packed {
				a = 1
			}
			gaps = gaps || g || size%a != 0
			size, align = size+s, max(align, a)
		}
		return size, align, gaps || size%align != 0
	}
	return 0, 1, true
}
