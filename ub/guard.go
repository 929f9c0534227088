package ub

import (
	"fmt"
	"maps"

	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
)

// guarded is a dereference that one check keeps null from: on every way to it the same
// branch was taken because the pointer was not null, and the pointer was not
// written since.
type guarded struct {
	check
	slot  value.Value
	deref int // item
}

// check is what is known of a pointer: whether it is null, by the branch at the end of a
// block (the guard state and the action point of Ebrahimipour 2016, section 4.3), which
// looks at what an item has loaded.
type check struct {
	null     bool
	by, load int
}

// findGuards is null guard analysis (Ebrahimipour 2016, algorithms 3 to 6) with what it
// needs to be sound: a pointer that is written is forgotten, and where two ways meet a
// fact stays if both bring it.
func findGuards(fn *function) []guarded {
	return fn.guardedIn(solve(fn.graph, fn.checkedOn, same))
}

// guardedIn are the dereferences at which facts say that their pointer is not null.
func (fn *function) guardedIn(in []map[value.Value]check) []guarded {
	var out []guarded
	for block, facts := range in {
		facts = maps.Clone(facts)
		for item := fn.code.First[block]; len(facts) > 0 && item < fn.code.First[block+1]; item++ {
			if slot := fn.dereferenced(item); slot != nil {
				if c, ok := facts[slot]; ok && !c.null {
					out = append(out, guarded{c, slot, item})
				}
			}
			fn.forget(item, facts)
		}
	}
	return out
}

func (fn *function) forget(item int, facts map[value.Value]check) {
	for slot := range facts {
		if fn.overwrites(item, slot) {
			delete(facts, slot)
		}
	}
}

// checked is the pointer that a block's branch compares with null, nil for none, and what
// is known of it on one of the branch's two edges.
func (fn *function) checked(block, edge int) (value.Value, check) {
	end := fn.code.Terminator(block)
	o := &fn.ops.Ops[end]
	if o.Code != op.Branch || len(fn.graph.Succs[block]) != 2 {
		return nil, check{}
	}
	null := edge == 0 // where the condition holds
	for a := o.Args[0]; a.Kind == op.Item; {
		by := &fn.ops.Ops[a.X]
		switch {
		case by.Code == op.ZExt, by.Code == op.Trunc:
		case by.Code == op.Load:
			from, ok := fn.heldTruth(int(a.X), end)
			if !ok {
				return nil, check{}
			}
			a = from
			continue
		case by.Code == op.Xor && by.Args[1].IsNumber():
			null = !null
		case by.Code == op.CompareInts && by.Args[1].IsNumber() && by.Args[1].X == 0:
			if by.Pred != enum.IPredEQ && by.Pred != enum.IPredNE {
				return nil, check{}
			}
			pointer := by.Args[0].Type.Class == op.Pointer
			if pointer == (by.Pred == enum.IPredNE) { // p != null and !(truth) turn it round
				null = !null
			}
			if pointer {
				return fn.loaded(by.Args[0], end), check{null, block, int(by.Args[0].X)}
			}
		default:
			return nil, check{}
		}
		a = by.Args[0]
	}
	return nil, check{}
}

// heldTruth is what an item loads of a variable that one store gave its value, in the
// block of another item.
func (fn *function) heldTruth(load, until int) (op.Operand, bool) {
	slot := fn.slotOf(fn.ops.Ops[load].Args[0])
	if slot == nil || !fn.isPrivate(slot) {
		return op.Operand{}, false
	}
	for item := load - 1; item >= fn.code.First[fn.code.Items[until].Block]; item-- {
		if o := &fn.ops.Ops[item]; o.Code == op.Store && fn.slotOf(o.Args[0]) == slot {
			return o.Args[1], true
		}
		if fn.overwrites(item, slot) {
			break
		}
	}
	return op.Operand{}, false
}

// loaded is the variable that a pointer was read from in the block of an item, unless it
// was written between.
func (fn *function) loaded(a op.Operand, until int) value.Value {
	if a.Kind != op.Item || fn.ops.Ops[a.X].Code != op.Load || fn.code.Items[a.X].Block != fn.code.Items[until].Block {
		return nil
	}
	slot := fn.slotOf(fn.ops.Ops[a.X].Args[0])
	for item := int(a.X) + 1; slot != nil && item < until; item++ {
		if fn.overwrites(item, slot) {
			return nil
		}
	}
	return slot
}

// dereferenced is the variable whose pointer an item reads or writes through.
func (fn *function) dereferenced(item int) value.Value {
	slot, _ := fn.dereferencedAt(item)
	return slot
}

// dereferencedAt also says which item loads the pointer.
func (fn *function) dereferencedAt(item int) (slot value.Value, load int) {
	o := &fn.ops.Ops[item]
	switch o.Code {
	case op.Load, op.Store:
		return fn.pointerOf(o.Args[0], item)
	case op.Call:
		for k, a := range o.Args[1:] {
			if fn.summaries.dereferences(o, k) {
				if slot, load := fn.pointerOf(a, item); slot != nil {
					return slot, load
				}
			}
		}
	}
	return nil, -1
}

// pointerOf is the variable that an item's address was loaded from, and the item that did.
func (fn *function) pointerOf(a op.Operand, item int) (slot value.Value, load int) {
	for a.Kind == op.Item {
		by := &fn.ops.Ops[a.X]
		switch by.Code {
		case op.Address, op.BitCast:
			a = by.Args[0]
			continue
		case op.Load:
			return fn.loaded(a, item), int(a.X)
		}
		break
	}
	return nil, -1
}

// guard finds mutants of a check that let null come to what it guards: it runs the
// mutant's block with the pointer null, then the blocks that control can go to from
// there, until the pointer is written.
func guard(s *stretch) Verdict {
	for _, g := range s.fn.guards {
		if g.by != s.block {
			continue
		}
		held := maps.Clone(s.fn.blocks[s.block])
		held[g.slot] = place{null: true, offset: ranges.Exactly(0)}
		if !s.letsThrough(held, g) {
			continue
		}
		return Verdict{
			Grade: Potential, Category: NullDereference, Analysis: "guard",
			Reason: fmt.Sprintf("where %s is null, line %d uses it", s.fn.name(g.slot), lineOf(s.fn, g.deref)),
			Line:   lineOf(s.fn, g.deref),
		}
	}
	return Verdict{}
}

// letsThrough reports that control can come to a dereference with a pointer that is null
// at the start of the block.
func (s *stretch) letsThrough(held pointers, g guarded) bool {
	m := newMachine(s.fn, s, held)
	m.pinned, m.pinnedTo = g.slot, g.load
	m.original(s.block, s.at, nil)
	m.mutated()
	if m.ended {
		return false
	}
	end := &s.ops.Ops[len(s.ops.Ops)-1]
	seen := map[int]bool{}
	var walk func(block int, held pointers) bool
	walk = func(block int, held pointers) bool {
		if block >= s.fn.graph.Len() || seen[block] || !held[g.slot].null {
			return false
		}
		seen[block] = true
		m, hit := newMachine(s.fn, nil, held), false
		m.original(block, s.fn.code.First[block+1], func(item int, o *op.Op) {
			hit = hit || item == g.deref && s.fn.usesNull(m, o)
		})
		if hit {
			return true
		}
		for _, next := range m.next(&s.fn.ops.Ops[s.fn.code.Terminator(block)]) {
			if walk(next, m.held) {
				return true
			}
		}
		return false
	}
	for _, next := range m.next(end) {
		if walk(next, m.held) {
			return true
		}
	}
	return false
}

// next are the blocks that a terminator can go to.
func (m *machine) next(o *op.Op) []int {
	if o.Code == op.Branch {
		if t := m.of(o.Args[0]); t.counts {
			return o.Targets[1-t.number&1 : 2-t.number&1]
		}
	}
	return o.Targets
}
