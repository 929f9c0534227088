package ub

import (
	"fmt"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// start finds deleted statements that alone gave a variable a value which something
// reads: it then reads what lay in memory (C11 6.3.2.1p2, 6.7.9p10). Potential, as no
// sanitizer that checks every run sees it.
func start(s *stretch) Verdict {
	e, ok := s.mutant.Edit.(mutant.Rewrite)
	if !ok || e.Emit != nil {
		return Verdict{}
	}
	for _, inst := range e.Insts {
		store, is := inst.(*llir.InstStore)
		if !is {
			continue
		}
		item, _ := s.fn.code.Number(store)
		o := &s.fn.ops.Ops[item]
		slot, local := s.fn.slotOf(o.Args[0]).(*llir.InstAlloca)
		if !local || !s.fn.isPrivate(slot) {
			continue
		}
		if reader, ok := s.fn.onlyReader(item, slot); ok {
			return Verdict{
				Grade: Potential, Category: Uninitialised, Analysis: "start",
				Reason: fmt.Sprintf("line %d reads %s, which then has no value", lineOf(s.fn, reader), s.fn.name(slot)),
				Line:   lineOf(s.fn, reader),
			}
		}
	}
	return Verdict{}
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
