package schemata

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"
)

// target compares where two terminators lead, or what they return.
func (e *evaluation) target(theirs, ours llir.Terminator) bool {
	for _, slot := range ours.Operands() {
		if stands, ok := e.stands[*slot]; ok {
			*slot = stands
		}
	}
	if t, ok := theirs.(*llir.TermRet); ok {
		o, ok := ours.(*llir.TermRet)
		if !ok || (t.X == nil) != (o.X == nil) {
			return false
		}
		return t.X == nil || e.compare(t.X, o.X)
	}
	numbers := map[value.Value]int64{}
	a, ok := e.choice(theirs, numbers)
	if !ok {
		return false
	}
	b, ok := e.choice(ours, numbers)
	e.ways = true
	return ok && e.compare(a, b)
}

// choice is the number of the block that a terminator goes to.
func (e *evaluation) choice(term llir.Terminator, numbers map[value.Value]int64) (value.Value, bool) {
	number := func(block value.Value) constant.Constant {
		if _, ok := numbers[block]; !ok {
			numbers[block] = int64(len(numbers))
		}
		return constant.NewInt(types.I32, numbers[block])
	}
	switch t := term.(type) {
	case *llir.TermBr:
		return number(t.Target), true
	case *llir.TermCondBr:
		return e.emit(llir.NewSelect(t.Cond, number(t.TargetTrue), number(t.TargetFalse))), true
	case *llir.TermSwitch:
		var chosen value.Value = number(t.TargetDefault)
		for _, c := range t.Cases {
			chosen = e.emit(llir.NewSelect(e.emit(llir.NewICmp(enum.IPredEQ, t.X, c.X)), number(c.Target), chosen))
		}
		return chosen, true
	}
	return nil, false
}
