package block

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/types"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dominance"
	"github.com/winnow-mutants/winnow/analysis/expr"
	"github.com/winnow-mutants/winnow/analysis/loop"
)

// Facts are what kinds are computed from, all of one function.
type Facts struct {
	Graph          *cfg.Graph
	PostDominators *dominance.Tree
	Loops          *loop.Nest
}

// Classify returns the kind of every block, by number. The time is linear in
// blocks, edges and instructions.
func Classify(facts Facts) []Kind {
	c := classifier{Facts: facts, conditions: map[int]bool{}, bodyOf: map[int]bool{}, endOf: map[int]bool{}}
	for i := range facts.Loops.Loops {
		c.loop(i)
	}
	out := make([]Kind, facts.Graph.Len())
	for b := range out {
		out[b] = c.kind(b)
	}
	return out
}

type classifier struct {
	Facts
	conditions    map[int]bool // blocks that decide whether to stay in a loop
	bodyOf, endOf map[int]bool // blocks entered on staying in a loop, and on leaving it
}

// loop finds the condition of a loop and what it leads to.
func (c *classifier) loop(i int) {
	l := &c.Loops.Loops[i]
	condition, found := c.conditionOf(l)
	if !found {
		c.bodyOf[l.Header] = true
		return
	}
	c.conditions[condition] = true
	if condition != l.Header && c.joins(condition, l.Header) {
		c.conditions[l.Header] = true // while (a && b): the header computes a
	}
	for _, s := range c.Graph.Succs[condition] {
		switch {
		case l.Has(s):
			c.bodyOf[s] = true // the header itself when the condition comes last
		default:
			c.endOf[s] = true
		}
	}
}

// conditionOf follows the post-dominators of a loop's header to the first with
// an edge out of the loop.
func (c *classifier) conditionOf(l *loop.Loop) (int, bool) {
	b := l.Header
	for b != dominance.None && b != c.PostDominators.Exit && l.Has(b) {
		for _, s := range c.Graph.Succs[b] {
			if !l.Has(s) {
				return b, true
			}
		}
		b = c.PostDominators.Immediate[b]
		if b == l.Header {
			break
		}
	}
	return 0, false
}

// joins reports that a block branches on the result of a short circuit whose
// first operand the other block computes.
func (c *classifier) joins(b, first int) bool {
	if c.Graph.Blocks == nil {
		return false
	}
	branch, ok := c.Graph.Blocks[b].Term.(*llir.TermCondBr)
	if !ok {
		return false
	}
	load, ok := branch.Cond.(*llir.InstLoad)
	return ok && expr.IsJoinSlot(load.Src) && joinSlot(c.Graph.Blocks[first]) == load.Src
}

func (c *classifier) kind(b int) Kind {
	switch {
	case b == 0:
		return Entry
	case len(c.Graph.Preds[b]) == 0 || c.PostDominators.Immediate[b] == dominance.None:
		return Dead
	case len(c.Graph.Succs[b]) == 0:
		return Exit
	case c.conditions[b]:
		return LoopCondition
	}
	if k, ok := c.operand(b); ok {
		return k
	}
	if k, ok := c.switchPart(b); ok {
		return k
	}
	switch {
	case c.bodyOf[b]:
		return LoopBody
	case c.isLatch(b):
		return LoopLatch
	case c.endOf[b]:
		return LoopEnd
	}
	if k, ok := c.arm(b); ok {
		return k
	}
	if len(c.Graph.Preds[b]) > 1 {
		return Join
	}
	return Straight
}

// isLatch reports a block whose only successor is the header of its loop.
func (c *classifier) isLatch(b int) bool {
	i := c.Loops.Innermost[b]
	return i >= 0 && len(c.Graph.Succs[b]) == 1 && c.Graph.Succs[b][0] == c.Loops.Loops[i].Header
}

// operand recognises the blocks that compute an operand of && || or ?:. As a
// condition, the second operand's branch shares a target with the first's; as
// a value, the block stores into the slot where both results meet.
func (c *classifier) operand(b int) (Kind, bool) {
	if len(c.Graph.Preds[b]) != 1 {
		return 0, false
	}
	first := c.Graph.Preds[b][0]
	if len(c.Graph.Succs[first]) != 2 || c.isSwitch(first) {
		return 0, false
	}
	if len(c.Graph.Succs[b]) == 2 && !c.isSwitch(b) {
		for _, s := range c.Graph.Succs[first] {
			if s != b && slices.Contains(c.Graph.Succs[b], s) {
				return ShortCircuit, true
			}
		}
	}
	if c.Graph.Blocks == nil || len(c.Graph.Succs[b]) != 1 {
		return 0, false
	}
	slot, ok := joinSlot(c.Graph.Blocks[b]).(*llir.InstAlloca)
	if !ok {
		return 0, false
	}
	if t, ok := slot.ElemType.(*types.IntType); ok && t.BitSize == 1 {
		return ShortCircuit, true
	}
	return ConditionalArm, true
}

// joinSlot is the join slot that the last store of a block writes, else nil.
func joinSlot(b *llir.Block) value.Value {
	for i := len(b.Insts) - 1; i >= 0; i-- {
		if store, ok := b.Insts[i].(*llir.InstStore); ok {
			if expr.IsJoinSlot(store.Dst) {
				return store.Dst
			}
			return nil
		}
	}
	return nil
}

func (c *classifier) isSwitch(b int) bool {
	if c.Graph.Blocks == nil {
		return len(c.Graph.Succs[b]) > 2
	}
	_, ok := c.Graph.Blocks[b].Term.(*llir.TermSwitch)
	return ok
}

// switchPart recognises the targets of a switch.
func (c *classifier) switchPart(b int) (Kind, bool) {
	isCase, isDefault := false, false
	for _, p := range c.Graph.Preds[b] {
		if !c.isSwitch(p) || c.PostDominators.Immediate[p] == b {
			continue
		}
		if c.Graph.Blocks == nil {
			isCase = true
			continue
		}
		if c.Graph.Blocks[p].Term.(*llir.TermSwitch).TargetDefault == c.Graph.Blocks[b] {
			isDefault = true
		} else {
			isCase = true
		}
	}
	switch {
	case isDefault:
		return SwitchDefault, true
	case isCase:
		return SwitchCase, true
	}
	return 0, false
}

// arm recognises the arms of an if: entered only from a two-way branch that is
// no loop's condition, and not where the branch's sides meet again.
func (c *classifier) arm(b int) (Kind, bool) {
	if len(c.Graph.Preds[b]) != 1 {
		return c.sharedArm(b)
	}
	p := c.Graph.Preds[b][0]
	succs := c.Graph.Succs[p]
	if len(succs) != 2 || c.isSwitch(p) || c.conditions[p] {
		return 0, false
	}
	other := succs[0]
	if other == b {
		other = succs[1]
	}
	meet := c.PostDominators.Immediate[p]
	if meet == b {
		return 0, false
	}
	if b == succs[0] || other == meet {
		return IfThen, true
	}
	return IfElse, true
}

// sharedArm recognises an arm of an if whose condition is an && or ||: all its
// predecessors are the operands' blocks, each a branch that dominates the next.
func (c *classifier) sharedArm(b int) (Kind, bool) {
	preds := c.Graph.Preds[b]
	sides := [2]bool{}
	meets := true
	for _, p := range preds {
		succs := c.Graph.Succs[p]
		if len(succs) != 2 || c.isSwitch(p) || c.conditions[p] || c.PostDominators.Immediate[p] == b {
			return 0, false
		}
		sides[slices.Index(succs, b)] = true
		meets = meets && slices.Contains(succs, c.PostDominators.Immediate[p])
	}
	if sides[0] && sides[1] {
		return 0, false
	}
	if sides[0] || meets {
		return IfThen, true
	}
	return IfElse, true
}
