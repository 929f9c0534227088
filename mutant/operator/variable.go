package operator

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// variable changes a value where it is read: plus and minus one, negated, and
// its absolute value (UOI, IVI and ABS).
var variable = Operator{
	Name: "variable",
	Doc:  "changes a value that is read: `x` becomes `x + 1`, `x - 1`, `-x`, `abs(x)`",
	Match: func(p *Place) []Proposal {
		v, ok := p.Inst.(value.Value)
		if !ok || !isScalar(v.Type()) {
			return nil
		}
		switch i := p.Inst.(type) {
		case *llir.InstLoad:
			if p.isPartOfUpdate(i) {
				return nil
			}
			matcher := "@"
			if isVariable(i.Src) {
				matcher = "V"
			}
			return append(p.neighbours(matcher, v), p.magnitude(v)...)
		case *llir.InstCall:
			if _, isFunction := i.Callee.(*llir.Func); len(p.fn.users[v]) == 0 || isIntrinsic(i) && isFunction {
				return nil
			}
			return p.magnitude(v)
		}
		if _, _, ok := p.writtenBinary(); ok {
			return p.magnitude(v)
		}
		return nil
	},
}

func isIntrinsic(call *llir.InstCall) bool {
	f, ok := call.Callee.(*llir.Func)
	return ok && len(f.Name()) > 5 && f.Name()[:5] == "llvm."
}

// isVariable reports a pointer to a whole local or global variable.
func isVariable(pointer value.Value) bool {
	switch p := pointer.(type) {
	case *llir.InstAlloca, *llir.Global:
		return true
	case *llir.InstBitCast:
		return isVariable(p.From)
	}
	return false
}

// isPartOfUpdate reports the load of `x++`, `x += e` and of a short-circuit's
// or conditional's result, which are not written as a use of a variable.
func (p *Place) isPartOfUpdate(load *llir.InstLoad) bool {
	if p.fn.isTemporary(load.Src) {
		return true
	}
	at := ir.PositionOf(load)
	for _, user := range p.fn.users[load] {
		inst, ok := user.(llir.Instruction)
		if !ok {
			continue
		}
		if p.fn.incrementOf[inst] != nil {
			return true
		}
		if _, _, ok := face.Operands(inst); ok && at.Known() && ir.PositionOf(inst) == at {
			return true
		}
	}
	return false
}

// isTemporary reports a pointer into a stack slot that the compiler made:
// results of && and ?:, the return slot, structures passed in registers.
func (fn *function) isTemporary(pointer value.Value) bool {
	switch p := pointer.(type) {
	case *llir.InstAlloca:
		_, declared := fn.variables[p]
		return !declared && (fn.hasDebug || isPhiSlot(p))
	case *llir.InstGetElementPtr:
		return fn.isTemporary(p.Src)
	case *llir.InstBitCast:
		return fn.isTemporary(p.From)
	}
	return false
}

func isPhiSlot(slot *llir.InstAlloca) bool {
	return len(slot.Name()) > 9 && slot.Name()[:9] == "phi.slot."
}

// neighbours proposes v + 1, v - 1 and -v.
func (p *Place) neighbours(matcher string, v value.Value) []Proposal {
	one := face.Text{C: "1", Prec: face.Primary}
	text := p.Face.Of(v)
	after := func(write func(c *mutant.Code, v value.Value) value.Value) func(*mutant.Code) value.Value {
		inst := p.Inst
		return func(c *mutant.Code) value.Value { return write(c, mutant.Add(c, mutant.CopyOf(inst)).(value.Value)) }
	}
	return []Proposal{
		p.replaceResult(matcher, "SUCC", face.Binary(text, "+", one), after(func(c *mutant.Code, v value.Value) value.Value {
			return mutant.Add(c, newBinary("+", v, number(v.Type(), 1), false)).(value.Value)
		})),
		p.replaceResult(matcher, "PRED", face.Binary(text, "-", one), after(func(c *mutant.Code, v value.Value) value.Value {
			return mutant.Add(c, newBinary("-", v, number(v.Type(), 1), false)).(value.Value)
		})),
		p.replaceResult(matcher, "NEG", face.Prefix("-", text), after(negate)),
	}
}

// magnitude proposes abs(v) for signed values.
func (p *Place) magnitude(v value.Value) []Proposal {
	for _, user := range p.fn.users[v] {
		switch user.(type) {
		case *llir.InstZExt, *llir.InstUIToFP:
			return nil // an unsigned value is its own magnitude
		}
	}
	if p.isUnsigned(p.Inst) {
		return nil
	}
	function := "abs"
	if isFloat(v.Type()) {
		function = "fabs"
	} else if t, ok := v.Type().(*types.IntType); ok && t.BitSize > 32 {
		function = "llabs"
	}
	inst := p.Inst
	return []Proposal{p.replaceResult("@", "ABS", face.Call(function, p.Face.Of(v)), func(c *mutant.Code) value.Value {
		v := mutant.Add(c, mutant.CopyOf(inst)).(value.Value)
		negative := isNegative(c, v)
		return mutant.Add(c, llir.NewSelect(negative, negate(c, v), v))
	})}
}

func isNegative(c *mutant.Code, v value.Value) value.Value {
	if isFloat(v.Type()) {
		return mutant.Add(c, llir.NewFCmp(enum.FPredOLT, v, number(v.Type(), 0)))
	}
	return mutant.Add(c, llir.NewICmp(enum.IPredSLT, v, number(v.Type(), 0)))
}

func negate(c *mutant.Code, v value.Value) value.Value {
	if isFloat(v.Type()) {
		return mutant.Add(c, llir.NewFNeg(v))
	}
	return mutant.Add(c, llir.NewSub(number(v.Type(), 0), v))
}

// number is a constant of an integer or floating-point type.
func number(t types.Type, k int64) constant.Constant {
	if f, ok := t.(*types.FloatType); ok {
		return constant.NewFloat(f, float64(k))
	}
	return constant.NewInt(t.(*types.IntType), k)
}
