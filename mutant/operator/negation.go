package operator

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// negation adds and removes !, - and ~ where they are written, and negates
// conditions that are no comparison (OCNG; a comparison's negation is one of
// the relational mutants).
var negation = Operator{
	Name: "negation",
	Doc:  "drops a `-`, `~` or `!`, exchanges `-` and `~`, and negates a condition: `if (p)` becomes `if (!p)`",
	Match: func(p *Place) []Proposal {
		switch i := p.Inst.(type) {
		case *llir.InstSub:
			if isNegation(i) && !p.isCompilerMade(i) {
				return p.unary("NEG", "BITNOT", "~", i.Y, func(c *mutant.Code) value.Value {
					return mutant.Add(c, llir.NewXor(i.Y, number(i.Y.Type(), -1)))
				})
			}
		case *llir.InstFNeg:
			if !p.isCompilerMade(i) {
				return []Proposal{p.keep("NEG", i.X)}
			}
		case *llir.InstXor:
			switch {
			case isLogicalNot(i):
				return append([]Proposal{p.keep("NOT", i.X)}, p.constants("NOT")...)
			case isComplement(i) && isScalar(i.X.Type()):
				return p.unary("BITNOT", "NEG", "-", i.X, func(c *mutant.Code) value.Value { return negate(c, i.X) })
			}
		case *llir.InstICmp, *llir.InstFCmp, *llir.InstTrunc: // the latter of a _Bool
			if isTruthTest(i.(value.Named)) && !p.fn.isOnlyNegated(i.(value.Value)) {
				return p.condition()
			}
		}
		return nil
	},
}

// unary proposes another unary operator, and the bare operand.
func (p *Place) unary(matcher, replacer, symbol string, x value.Value, emit func(*mutant.Code) value.Value) []Proposal {
	return []Proposal{
		p.replaceResult(matcher, replacer, face.Prefix(symbol, p.Face.Of(x)), emit),
		p.keep(matcher, x),
	}
}

func (p *Place) keep(matcher string, x value.Value) Proposal {
	return p.replaceResult(matcher, "OPERAND", p.Face.Of(x), func(*mutant.Code) value.Value { return x })
}

// condition negates the truth value that the place computes, and fixes it.
func (p *Place) condition() []Proposal {
	test := p.Inst
	negated := p.replaceResult("COND", "NOT", face.Prefix("!", p.Face.Of(test.(value.Value))), func(c *mutant.Code) value.Value {
		return mutant.Add(c, llir.NewXor(mutant.Add(c, mutant.CopyOf(test)).(value.Value), constant.True))
	})
	return append([]Proposal{negated}, p.constants("COND")...)
}

// isOnlyNegated reports a truth value that `!` alone uses: its mutants are
// those of the negation.
func (fn *function) isOnlyNegated(v value.Value) bool {
	for _, user := range fn.users[v] {
		if xor, ok := user.(*llir.InstXor); !ok || !isLogicalNot(xor) {
			return false
		}
	}
	return len(fn.users[v]) > 0
}

// isLogicalNot reports `xor i1 x, true`, which clang makes of `!x`.
func isLogicalNot(i *llir.InstXor) bool {
	c, ok := i.Y.(*constant.Int)
	return ok && c.Typ.BitSize == 1 && c.X.Sign() != 0
}
