package operator

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
)

// logical replaces && and || by one another and by either operand (LCR).
var logical = Operator{
	Name: "logical",
	Doc:  "replaces a logical operator or keeps one operand: `a && b` becomes `a || b`, `a`, `b`",
	Match: func(p *Place) []Proposal {
		branch, ok := p.Term.(*llir.TermCondBr)
		if !ok {
			return nil
		}
		s, ok := shortCircuitOf(p.Block, branch, p.fn)
		if !ok {
			return nil
		}
		s.isInner = isSecond(p.Block, p.fn)
		return s.proposals(p)
	},
}

// shortCircuit is one && or ||, whose second operand is computed in a block of
// its own.
//
// As a condition, `a && b` is a branch on a whose other side is also where the
// branch on b goes when b is false; for `a || b`, when it is true. As a value,
// the block of a stores the result that a alone decides (false for &&, true
// for ||) into the slot of the phi that joins both (dissertation, section 8.1,
// after phi removal).
type shortCircuit struct {
	branch *llir.TermCondBr
	isAnd  bool
	second *llir.Block // computes the second operand
	// decided is where control goes when the first operand decides: false for
	// &&, true for ||. other is where the second operand's other value goes.
	decided, other *llir.Block
	// onTrue: the branch goes to second when its condition is true. It does
	// not for `!a && b`, of which clang makes a branch on a.
	onTrue bool
	// slot takes the result in the value form, else nil.
	slot  *llir.InstAlloca
	right value.Value // the second operand
	// stores are what the second operand's block leaves for the phis of other,
	// which the first operand's does where it goes there directly.
	stores []*llir.InstStore
	// isInner: the block is itself the second operand of another one, as b && c
	// is in a && b && c, so that its mutants group as a && (b || c).
	isInner bool
}

func shortCircuitOf(b *llir.Block, branch *llir.TermCondBr, fn *function) (shortCircuit, bool) {
	whenTrue, okT := branch.TargetTrue.(*llir.Block)
	whenFalse, okF := branch.TargetFalse.(*llir.Block)
	if !okT || !okF || whenTrue == whenFalse {
		return shortCircuit{}, false
	}
	if s, ok := valueForm(b, branch, whenTrue, whenFalse); ok {
		return s, true
	}
	for _, side := range []struct {
		second, decided *llir.Block
		onTrue          bool
	}{{whenTrue, whenFalse, true}, {whenFalse, whenTrue, false}} {
		next, ok := side.second.Term.(*llir.TermCondBr)
		if !ok || len(fn.flow.preds[side.second]) != 1 || side.second == b {
			continue
		}
		t, f := next.TargetTrue.(*llir.Block), next.TargetFalse.(*llir.Block)
		if t == f {
			continue
		}
		s := shortCircuit{branch: branch, second: side.second, decided: side.decided, onTrue: side.onTrue, right: next.Cond}
		switch side.decided {
		case f:
			s.isAnd, s.other = true, t
		case t:
			s.other = f
		default:
			continue
		}
		if s.stores, ok = phiStores(s.second, s.other); !ok || !fn.flow.mayAdd(b, s.other) {
			continue
		}
		return s, true
	}
	return shortCircuit{}, false
}

// isSecond reports the block of a second operand.
func isSecond(b *llir.Block, fn *function) bool {
	preds := fn.flow.preds[b]
	if len(preds) != 1 {
		return false
	}
	branch, ok := preds[0].Term.(*llir.TermCondBr)
	if !ok {
		return false
	}
	s, ok := shortCircuitOf(preds[0], branch, fn)
	return ok && s.second == b
}

func valueForm(b *llir.Block, branch *llir.TermCondBr, whenTrue, whenFalse *llir.Block) (shortCircuit, bool) {
	if len(b.Insts) == 0 {
		return shortCircuit{}, false
	}
	store, ok := b.Insts[len(b.Insts)-1].(*llir.InstStore)
	if !ok {
		return shortCircuit{}, false
	}
	slot, ok := store.Dst.(*llir.InstAlloca)
	decision, isConst := store.Src.(*constant.Int)
	if !ok || !isConst || decision.Typ.BitSize != 1 || !isPhiSlot(slot) {
		return shortCircuit{}, false
	}
	s := shortCircuit{branch: branch, isAnd: decision.X.Sign() == 0, slot: slot}
	for _, side := range []struct {
		second, decided *llir.Block
		onTrue          bool
	}{{whenTrue, whenFalse, true}, {whenFalse, whenTrue, false}} {
		right, ok := lastStored(side.second, slot)
		if ok && loads(side.decided, slot) {
			s.second, s.decided, s.onTrue, s.right = side.second, side.decided, side.onTrue, right
			return s, true
		}
	}
	return shortCircuit{}, false
}

func lastStored(b *llir.Block, slot *llir.InstAlloca) (value.Value, bool) {
	for i := len(b.Insts) - 1; i >= 0; i-- {
		if store, ok := b.Insts[i].(*llir.InstStore); ok && store.Dst == value.Value(slot) {
			if _, isConst := store.Src.(constant.Constant); !isConst {
				return store.Src, true
			}
		}
	}
	return nil, false
}

func loads(b *llir.Block, slot *llir.InstAlloca) bool {
	for _, inst := range b.Insts {
		if load, ok := inst.(*llir.InstLoad); ok && load.Src == value.Value(slot) {
			return true
		}
	}
	return false
}

func (s shortCircuit) proposals(p *Place) []Proposal {
	left := p.Face.Of(s.branch.Cond)
	if s.onTrue != s.isAnd {
		left = face.Prefix("!", left)
	}
	right := p.Face.Of(s.right)
	matcher, replacer, symbol, opposite := "OR", "AND", "||", "&&"
	if s.isAnd {
		matcher, replacer, symbol, opposite = replacer, matcher, opposite, symbol
	}
	original := face.Binary(left, symbol, right)
	replaced := face.Binary(left, opposite, right)
	if s.isInner {
		replaced = face.Text{C: "(" + replaced.C + ")", Prec: face.Primary}
	}
	propose := func(replacer string, text face.Text, emit func(*mutant.Code) llir.Terminator) Proposal {
		return Proposal{Matcher: matcher, Replacer: replacer, Original: original, Replacement: text,
			Edit: mutant.Redirect{Term: s.branch, Emit: emit}}
	}
	out := []Proposal{
		propose("OPERAND", right, func(*mutant.Code) llir.Terminator { return llir.NewBr(s.second) }),
	}
	if s.slot != nil {
		return append(out,
			propose(replacer, replaced, s.oppositeValue),
			propose("OPERAND", left, s.leftValue))
	}
	return append(out,
		// The opposite operator looks at the second operand exactly when the
		// original does not.
		propose(replacer, replaced, func(c *mutant.Code) llir.Terminator {
			s.fillPhis(c)
			return s.branchTo(s.other, s.second)
		}),
		propose("OPERAND", left, func(c *mutant.Code) llir.Terminator {
			s.fillPhis(c)
			return s.branchTo(s.other, s.decided)
		}))
}

func (s shortCircuit) fillPhis(c *mutant.Code) {
	for _, store := range s.stores {
		mutant.Add(c, llir.NewStore(store.Src, store.Dst))
	}
}

// branchTo branches on the first operand: to undecided where the original goes
// to the second operand, else to decided.
func (s shortCircuit) branchTo(undecided, decided *llir.Block) llir.Terminator {
	if s.onTrue {
		return llir.NewCondBr(s.branch.Cond, undecided, decided)
	}
	return llir.NewCondBr(s.branch.Cond, decided, undecided)
}

func (s shortCircuit) oppositeValue(c *mutant.Code) llir.Terminator {
	mutant.Add(c, llir.NewStore(constant.NewBool(s.isAnd), s.slot))
	return s.branchTo(s.decided, s.second)
}

func (s shortCircuit) leftValue(c *mutant.Code) llir.Terminator {
	var result value.Value = s.branch.Cond
	if s.onTrue != s.isAnd {
		result = mutant.Add(c, llir.NewXor(result, constant.True))
	}
	mutant.Add(c, llir.NewStore(result, s.slot))
	return llir.NewBr(s.decided)
}
