package operator

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// emitter writes the code of one replacement.
type emitter struct {
	*mutant.Code
	// run is what is replaced: a value from there is computed again.
	run    map[value.Value]llir.Instruction
	copies map[value.Value]value.Value
	// unsigned is one of match.signs.
	unsigned bool
	mart     bool
}

func newEmitter(c *mutant.Code, m *match, unsigned bool) *emitter {
	e := &emitter{Code: c, run: map[value.Value]llir.Instruction{}, copies: map[value.Value]value.Value{}, unsigned: unsigned, mart: m.mart}
	for _, inst := range m.run {
		if v, ok := inst.(value.Value); ok {
			e.run[v] = inst
		}
	}
	for _, o := range m.operands {
		if o.own {
			e.run[o.value] = o.value.(llir.Instruction)
		}
	}
	return e
}

// value returns v as it is known in the replacement.
func (e *emitter) value(v value.Value) value.Value {
	inst, inside := e.run[v]
	if !inside {
		return v
	}
	if twin, ok := e.copies[v]; ok {
		return twin
	}
	twin := mutant.CopyOf(inst)
	for _, slot := range operandsOf(twin) {
		if arg, ok := (*slot).(*llir.Arg); ok {
			slot = &arg.Value
		}
		*slot = e.value(*slot)
	}
	mutant.Add(e.Code, twin)
	e.copies[v] = twin.(value.Value)
	return e.copies[v]
}

// read returns the value of an operand.
func (e *emitter) read(o operand) value.Value {
	if o.value != nil {
		return e.value(o.value)
	}
	return mutant.Add(e.Code, llir.NewLoad(elementOf(o.place), e.value(o.place)))
}

func (e *emitter) add(inst llir.Instruction) value.Value {
	return mutant.Add(e.Code, inst).(value.Value)
}

// convert makes a value of another type of it, as C does: truth values are 0
// and 1, and anything is true that is not 0.
func (e *emitter) convert(v value.Value, want types.Type) value.Value {
	from := v.Type()
	if from.Equal(want) {
		return v
	}
	if c, ok := v.(*constant.Int); ok && isSimple(want) {
		if isTruth(want) {
			return constant.NewBool(c.X.Sign() != 0)
		}
		return number(want, c.X.Int64())
	}
	if isTruth(want) {
		return e.truth(v)
	}
	switch {
	case isInteger(from) && isInteger(want):
		return e.resize(v, want)
	case isInteger(from) && isFloat(want):
		if e.unsigned || isTruth(from) {
			return e.add(llir.NewUIToFP(v, want))
		}
		return e.add(llir.NewSIToFP(v, want))
	case isFloat(from) && isInteger(want):
		if e.unsigned {
			return e.add(llir.NewFPToUI(v, want))
		}
		return e.add(llir.NewFPToSI(v, want))
	case isFloat(from) && isFloat(want):
		if floatBits(from) < floatBits(want) {
			return e.add(llir.NewFPExt(v, want))
		}
		return e.add(llir.NewFPTrunc(v, want))
	case isInteger(from) && isPointer(want):
		return e.add(llir.NewIntToPtr(v, want))
	case isPointer(from) && isInteger(want):
		return e.add(llir.NewPtrToInt(v, want))
	case isPointer(from) && isPointer(want):
		return e.add(llir.NewBitCast(v, want))
	}
	panic(fmt.Sprintf("%v cannot become %v", from, want)) // the generator names the rule
}

// reread converts the new value of an operand's variable as the old one was.
func (e *emitter) reread(o operand, v value.Value, want types.Type) value.Value {
	if e.mart {
		return e.convert(v, want)
	}
	twin := *e
	twin.unsigned = o.isZeroExtended()
	return twin.convert(v, want)
}

// isZeroExtended reports a variable whose value is widened without its sign.
func (o operand) isZeroExtended() bool {
	v := o.value
	for v != nil {
		inst, ok := ir.Unwrap(v).(llir.Instruction)
		if !ok {
			return false
		}
		switch inst.(type) {
		case *llir.InstZExt, *llir.InstUIToFP:
			return true
		}
		v, _ = ir.ConvertedBy(inst)
	}
	return false
}

func (e *emitter) truth(v value.Value) value.Value {
	switch t := v.Type().(type) {
	case *types.FloatType:
		return e.add(llir.NewFCmp(enum.FPredUNE, v, number(t, 0)))
	case *types.PointerType:
		return e.add(llir.NewICmp(enum.IPredNE, v, constant.NewNull(t)))
	}
	return e.add(llir.NewICmp(enum.IPredNE, v, number(v.Type(), 0)))
}

func (e *emitter) resize(v value.Value, want types.Type) value.Value {
	from, to := v.Type().(*types.IntType).BitSize, want.(*types.IntType).BitSize
	switch {
	case from > to:
		return e.add(llir.NewTrunc(v, want))
	case from == 1 || e.unsigned:
		return e.add(llir.NewZExt(v, want))
	}
	return e.add(llir.NewSExt(v, want))
}

func isTruth(t types.Type) bool {
	i, ok := t.(*types.IntType)
	return ok && i.BitSize == 1
}

func isInteger(t types.Type) bool { _, ok := t.(*types.IntType); return ok }

// floatBits orders the floating-point types by how much they hold.
func floatBits(t types.Type) int {
	switch t.(*types.FloatType).Kind {
	case types.FloatKindHalf:
		return 16
	case types.FloatKindFloat:
		return 32
	case types.FloatKindDouble:
		return 64
	case types.FloatKindX86_FP80:
		return 80
	}
	return 128
}
