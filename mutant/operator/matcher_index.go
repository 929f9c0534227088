package operator

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// indexMatcher finds the index of a[f(i)], where no rule on variables, numbers
// or sums changes it.
var indexMatcher = Matcher{"INDEX", func(p *Place) []*match {
	gep, ok := p.Inst.(*llir.InstGetElementPtr)
	if !ok || p.fn.incrementOf[gep] != nil || !strings.HasPrefix(gep.Name(), "arrayidx") {
		return nil
	}
	last := len(gep.Indices) - 1
	if !p.fn.isComputed(gep.Indices[last]) {
		return nil
	}
	return []*match{{run: []llir.Instruction{gep}, touched: []llir.Instruction{gep}, result: gep, slot: last + 1,
		signs: []bool{false}, operands: []operand{p.operandFor(gep.Indices[last], p.Face.Index(gep))}}}
}}

// isComputed reports an index of which no part is changed by one elsewhere.
func (fn *function) isComputed(index value.Value) bool {
	if _, isInt := index.Type().(*types.IntType); !isInt {
		return false
	}
	inst, ok := index.(llir.Instruction)
	if !ok {
		return false
	}
	if from, ok := ir.ConvertedBy(inst); ok {
		return fn.isComputed(from)
	}
	switch inst.(type) {
	case *llir.InstLoad, *llir.InstAdd, *llir.InstSub:
		return false
	}
	return !fn.isArrayLength(inst)
}
