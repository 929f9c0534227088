package ub

import (
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// start finds reads of a variable that the mutant leaves without a value, or that come before the
// first: they give what lay in memory (C11 6.3.2.1p2, 6.7.9p10). Potential, as no sanitizer that
// checks every run sees it.
func start(s *stretch) Verdict {
	e, ok := s.mutant.Edit.(mutant.Rewrite)
	if !ok {
		return Verdict{}
	}
	slot, line := s.readsTooEarly(e)
	how := "which has no value yet"
	if e.Emit == nil {
		slot, line = s.leavesEmpty(e)
		how = "which then has no value"
	}
	if slot == nil {
		return Verdict{}
	}
	return Verdict{
		Grade: Potential, Category: Uninitialised, Analysis: "start",
		Reason: fmt.Sprintf("line %d reads %s, %s", line, s.fn.name(slot), how), Line: line,
	}
}

// leavesEmpty is a variable that a deleted statement alone gave a value which something reads, and
// where it does; nil for none.
func (s *stretch) leavesEmpty(e mutant.Rewrite) (slot value.Value, line int) {
	for _, inst := range e.Insts {
		store, is := inst.(*llir.InstStore)
		if !is {
			continue
		}
		item, _ := s.fn.code.Number(store)
		slot := s.fn.slotOf(s.fn.ops.Ops[item].Args[0])
		if !s.fn.isPrivate(slot) {
			continue
		}
		if reader, ok := s.fn.onlyReader(item, slot); ok {
			return slot, lineOf(s.fn, reader)
		}
	}
	return nil, 0
}

// readsTooEarly is a variable that nothing has written on any way to the mutant, whose own code
// reads it, as ++x does in the place of x = y, where the original does not; nil for none.
func (s *stretch) readsTooEarly(e mutant.Rewrite) (slot value.Value, line int) {
	for k := range s.ops.Ops {
		o := &s.ops.Ops[k]
		if k >= len(s.was) || s.was[k] >= 0 {
			break
		}
		if o.Code == op.Store {
			return nil, 0 // what it writes has a value then
		}
		if o.Code != op.Load {
			continue
		}
		slot := s.fn.slotOf(o.Args[0])
		if s.fn.isPrivate(slot) && !s.fn.writtenBefore(s.at, slot) && !s.fn.loads(e.Insts, slot) {
			return slot, s.lineOf(k)
		}
	}
	return nil, 0
}

// loads reports that one of some instructions reads a variable.
func (fn *function) loads(insts []llir.Instruction, slot value.Value) bool {
	return slices.ContainsFunc(insts, func(inst llir.Instruction) bool {
		item, ok := fn.code.Number(inst)
		return ok && fn.ops.Ops[item].Code == op.Load && fn.slotOf(fn.ops.Ops[item].Args[0]) == slot
	})
}

// onlyReader is a load that reads what one item wrote, and would find nothing without it:
// no other write of the variable can come before the item.
func (fn *function) onlyReader(writer int, slot value.Value) (item int, ok bool) {
	if fn.writtenBefore(writer, slot) {
		return 0, false
	}
	fn.flow.Sinks(writer).Each(func(reader int) bool {
		if fn.ops.Ops[reader].Code == op.Load && len(fn.flow.Sources(reader).Items()) == 1 {
			item, ok = reader, true
		}
		return !ok
	})
	return item, ok
}

// writtenBefore reports whether control can come to an item after another that writes a
// variable.
func (fn *function) writtenBefore(item int, slot value.Value) bool {
	block := fn.code.Items[item].Block
	for i := fn.code.First[block]; i < item; i++ {
		if fn.overwrites(i, slot) {
			return true
		}
	}
	seen, next := map[int]bool{}, fn.graph.Preds[block]
	for len(next) > 0 {
		b := next[0]
		next = next[1:]
		if seen[b] {
			continue
		}
		seen[b] = true
		for i := fn.code.First[b]; i < fn.code.First[b+1]; i++ {
			if i != item && fn.overwrites(i, slot) {
				return true
			}
		}
		next = append(next[:len(next):len(next)], fn.graph.Preds[b]...)
	}
	return false
}

// lineOf is the line of an item; 0 where it has none.
func lineOf(fn *function, item int) int { return ir.PositionOf(fn.code.Items[item].Node()).Line }
