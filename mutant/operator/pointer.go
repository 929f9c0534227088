package operator

import (
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// pointer changes address arithmetic. Indices that are variables, numbers or
// sums are changed by other families already.
var pointer = Operator{
	Name: "pointer",
	Doc:  "changes address arithmetic: `p + i` becomes `p - i` or `p`, `a[f(i)]` becomes `a[f(i) + 1]`, `a[f(i) - 1]`",
	Match: func(p *Place) []Proposal {
		gep, ok := p.Inst.(*llir.InstGetElementPtr)
		if !ok || p.fn.incrementOf[gep] != nil || !isIndexed(gep) {
			return nil
		}
		if strings.HasPrefix(gep.Name(), "arrayidx") {
			return p.neighbouringElements(gep)
		}
		return p.otherWay(gep)
	},
}

// otherWay turns p + i into p - i and the reverse, and drops i.
func (p *Place) otherWay(gep *llir.InstGetElementPtr) []Proposal {
	if len(gep.Indices) != 1 {
		return nil
	}
	index, matcher, replacer, symbol := gep.Indices[0], "PADD", "PSUB", "-"
	if negated, ok := index.(*llir.InstSub); ok && isNegation(negated) && strings.HasPrefix(negated.Name(), "idx.neg") {
		index, matcher, replacer, symbol = negated.Y, "PSUB", "PADD", "+"
	}
	base, distance := p.Face.Of(gep.Src), p.Face.Of(index)
	return []Proposal{
		p.replaceResult(matcher, replacer, face.Binary(base, symbol, distance), func(c *mutant.Code) value.Value {
			distance := index
			if matcher == "PADD" {
				distance = negate(c, index)
			}
			return mutant.Add(c, moved(gep, distance))
		}),
		p.replaceResult(matcher, "OPERAND", base, func(*mutant.Code) value.Value { return gep.Src }),
	}
}

func (p *Place) neighbouringElements(gep *llir.InstGetElementPtr) []Proposal {
	last := len(gep.Indices) - 1
	if !p.fn.isComputed(gep.Indices[last]) {
		return nil
	}
	one := face.Text{C: "1", Prec: face.Primary}
	propose := func(replacer, symbol string) Proposal {
		index := p.Face.Index(gep)
		original, replacement := p.Face.Indexed(gep, last+1, face.Binary(index, symbol, one))
		return Proposal{
			Matcher: "PADD", Replacer: replacer, Original: original, Replacement: replacement,
			Edit: mutant.Rewrite{Insts: []llir.Instruction{gep}, Emit: func(c *mutant.Code) value.Value {
				index := mutant.Add(c, newBinary(symbol, gep.Indices[last], number(gep.Indices[last].Type(), 1), false))
				return mutant.Add(c, moved(gep, index.(value.Value)))
			}},
		}
	}
	return []Proposal{propose("SUCC", "+"), propose("PRED", "-")}
}

// moved is a copy of an address computation with another last index.
func moved(gep *llir.InstGetElementPtr, index value.Value) *llir.InstGetElementPtr {
	twin := mutant.CopyOf(gep).(*llir.InstGetElementPtr)
	mutant.DropPromises(twin)
	twin.Indices[len(twin.Indices)-1] = index
	return twin
}

// isComputed reports an index of which no part is changed by one elsewhere.
func (fn *function) isComputed(index value.Value) bool {
	if _, isInt := index.Type().(*types.IntType); !isInt {
		return false
	}
	inst, ok := index.(llir.Instruction)
	if !ok {
		return false
	}
	if from, ok := face.CastFrom(inst); ok {
		return fn.isComputed(from)
	}
	switch inst.(type) {
	case *llir.InstLoad, *llir.InstAdd, *llir.InstSub:
		return false
	}
	return !fn.isArrayLength(inst)
}
