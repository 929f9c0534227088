package operator

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/face"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

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
	// source is the connective as the source has it.
	source    face.Connective
	hasSource bool
}

// sides are the two ways in which a branch can lead to a second operand.
func sides(branch *llir.TermCondBr) []shortCircuit {
	whenTrue, okT := branch.TargetTrue.(*llir.Block)
	whenFalse, okF := branch.TargetFalse.(*llir.Block)
	if !okT || !okF || whenTrue == whenFalse {
		return nil
	}
	return []shortCircuit{
		{branch: branch, second: whenTrue, decided: whenFalse, onTrue: true},
		{branch: branch, second: whenFalse, decided: whenTrue},
	}
}

func shortCircuitOf(p *Place, b *llir.Block, branch *llir.TermCondBr) (shortCircuit, bool) {
	source, isWritten := p.Face.ConnectiveOf(branch)
	hasSource := p.Face.HasSource(branch)
	if hasSource && !isWritten {
		return shortCircuit{}, false
	}
	for _, s := range sides(branch) {
		s.source, s.hasSource = source, hasSource
		if s.fillValue(b) || s.fillCondition(p.fn, b) || hasSource && s.fillNested(p.fn, b) {
			return s, true
		}
	}
	return shortCircuit{}, false
}

// fillCondition recognises a second operand that is one branch.
func (s *shortCircuit) fillCondition(fn *function, b *llir.Block) bool {
	next, ok := s.second.Term.(*llir.TermCondBr)
	if !ok || len(fn.flow.preds[s.second]) != 1 || s.second == b {
		return false
	}
	t, _ := next.TargetTrue.(*llir.Block)
	f, _ := next.TargetFalse.(*llir.Block)
	switch {
	case t == nil || f == nil || t == f:
		return false
	case s.decided == f:
		s.isAnd, s.other = true, t
	case s.decided == t:
		s.other = f
	default:
		return false
	}
	s.right = next.Cond
	s.stores, ok = phiStores(s.second, s.other)
	return ok && fn.flow.mayAdd(b, s.other)
}

// fillNested recognises a second operand that is a connective itself, by the
// blocks that hold its code: they leave to where the first operand's decision
// leads, and to one other block.
func (s *shortCircuit) fillNested(fn *function, b *llir.Block) bool {
	if s.second == b || !s.source.IsRight(startOf(s.second)) {
		return false
	}
	inside := map[*llir.Block]bool{}
	todo := []*llir.Block{s.second}
	for len(todo) > 0 {
		block := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if inside[block] {
			continue
		}
		inside[block] = true
		for _, next := range block.Term.Succs() {
			switch {
			case next == s.decided || next == s.other:
			case s.source.IsRight(startOf(next)):
				todo = append(todo, next)
			case s.other == nil:
				s.other = next
			default:
				return false
			}
		}
	}
	s.isAnd = s.source.Op == "&&"
	return s.other != nil && !readsPhi(s.other) && fn.flow.mayAdd(b, s.other)
}

// startOf is a block's first code that has a place.
func startOf(b *llir.Block) any {
	for _, inst := range b.Insts {
		if ir.PositionOf(inst).Known() && !ir.IsDebug(inst) {
			return inst
		}
	}
	return b.Term
}

// fillValue recognises a connective whose result is kept.
func (s *shortCircuit) fillValue(b *llir.Block) bool {
	if len(b.Insts) == 0 {
		return false
	}
	store, ok := b.Insts[len(b.Insts)-1].(*llir.InstStore)
	if !ok {
		return false
	}
	slot, ok := store.Dst.(*llir.InstAlloca)
	decision, isConst := store.Src.(*constant.Int)
	if !ok || !isConst || decision.Typ.BitSize != 1 || !isPhiSlot(slot) || !loads(s.decided, slot) || s.second == s.decided {
		return false
	}
	right, ok := lastStored(s.second, slot)
	if !ok && !(s.hasSource && s.source.IsRight(startOf(s.second)) && !s.isChain(slot)) {
		return false
	}
	s.slot, s.right, s.isAnd = slot, right, decision.X.Sign() == 0
	return true
}

// isChain reports that the second block decides the same result again: a && b
// in a && b && c.
func (s *shortCircuit) isChain(slot *llir.InstAlloca) bool {
	for _, inst := range s.second.Insts {
		if store, ok := inst.(*llir.InstStore); ok && store.Dst == value.Value(slot) {
			return true
		}
	}
	return false
}

// isSecond reports the block of a second operand of the other connective.
func isSecond(p *Place, isAnd bool) (inner, mixed bool) {
	preds := p.fn.flow.preds[p.Block]
	if len(preds) != 1 {
		return false, false
	}
	branch, ok := preds[0].Term.(*llir.TermCondBr)
	if !ok {
		return false, false
	}
	s, ok := shortCircuitOf(p, preds[0], branch)
	if !ok || s.second != p.Block {
		return false, false
	}
	return true, s.isAnd != isAnd
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

// texts renders both operands. The IR does not tell !(a || b) from !a && !b;
// the source does.
func (s *shortCircuit) texts(p *Place) (left, right face.Text, isAnd bool) {
	if s.hasSource {
		return s.source.Left, s.source.Right, s.source.Op == "&&"
	}
	left = p.Face.Of(s.branch.Cond)
	if s.onTrue != s.isAnd {
		left = face.Prefix("!", left)
	}
	return left, p.Face.Of(s.right), s.isAnd
}

func (s shortCircuit) proposals(p *Place) []Proposal {
	left, right, isAnd := s.texts(p)
	isInner := s.source.IsInner
	if !s.hasSource {
		var mixed bool
		if isInner, mixed = isSecond(p, s.isAnd); mixed {
			return nil // the && of (a || b) && c, of which b decides only half
		}
	}
	matcher, replacer, symbol, opposite := "OR", "AND", "||", "&&"
	if isAnd {
		matcher, replacer, symbol, opposite = replacer, matcher, opposite, symbol
	}
	original := face.Binary(left, symbol, right)
	replaced := face.Binary(left, opposite, right)
	if isInner { // the mutant of a && b && c is a && (b || c)
		replaced = face.Text{C: "(" + replaced.C + ")", Prec: face.Primary}
	}
	onlyLeft, onlyRight := left, right
	if s.hasSource {
		onlyRight = s.source.OnlyRight()
	}
	if s.slot != nil && !s.source.IsTested {
		onlyLeft, onlyRight = face.Truth(onlyLeft), face.Truth(onlyRight)
	}
	propose := func(replacer string, text face.Text, emit func(*mutant.Code) llir.Terminator) Proposal {
		return Proposal{Matcher: matcher, Replacer: replacer, Original: original, Replacement: text,
			Edit: mutant.Redirect{Term: s.branch, Emit: emit}}
	}
	out := []Proposal{
		propose("OPERAND", onlyRight, func(*mutant.Code) llir.Terminator { return llir.NewBr(s.second) }),
	}
	if s.slot != nil {
		return append(out,
			propose(replacer, replaced, s.oppositeValue),
			propose("OPERAND", onlyLeft, s.leftValue))
	}
	return append(out,
		// The opposite operator looks at the second operand exactly when the
		// original does not.
		propose(replacer, replaced, func(c *mutant.Code) llir.Terminator {
			s.fillPhis(c)
			return s.branchTo(s.other, s.second)
		}),
		propose("OPERAND", onlyLeft, func(c *mutant.Code) llir.Terminator {
			s.fillPhis(c)
			return s.branchTo(s.other, s.decided)
		}))
}

// replaced is the proposal of a rule.
func (s shortCircuit) replaced(p *Place, r rule.Rule) []Proposal {
	if r.Replace.Fragment == "CONSTVAL" {
		return s.fixed(p, r.Replace.Args[0].Text != "0")
	}
	var out []Proposal
	for k, proposal := range s.proposals(p) {
		// proposals gives the second operand, the other operator, the first.
		if proposal.Replacer == r.Replace.Fragment && (k == 1 || k == 2-2*r.Replace.Args[0].Operand) {
			out = append(out, proposal)
		}
	}
	return out
}

// fixed gives the connective one truth value, without its operands' effects.
func (s shortCircuit) fixed(p *Place, truth bool) []Proposal {
	all := s.proposals(p)
	if len(all) == 0 {
		return nil
	}
	text := face.Text{C: "0", Prec: face.Primary}
	if truth {
		text.C = "1"
	}
	return []Proposal{{Original: all[0].Original, Replacement: text, Edit: mutant.Redirect{Term: s.branch, Emit: func(c *mutant.Code) llir.Terminator {
		if s.slot != nil {
			mutant.Add(c, llir.NewStore(constant.NewBool(truth), s.slot))
			return llir.NewBr(s.decided)
		}
		if truth != s.isAnd {
			return llir.NewBr(s.decided)
		}
		s.fillPhis(c)
		return llir.NewBr(s.other)
	}}}}
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
