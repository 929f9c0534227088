package ub

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dataflow"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/dominance"
	"github.com/winnow-mutants/winnow/analysis/loop"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
	"github.com/winnow-mutants/winnow/ir"
)

// function is what the analyses know of the original.
type function struct {
	ops    *op.Function
	code   *defuse.Code
	graph  *cfg.Graph
	flow   *dataflow.Flow
	ranges *ranges.Facts
	// names are what the variables are called in C.
	names map[value.Value]string
	// blocks are, by basic block, the variables that point into a block of memory that
	// the function allocated; guards are the dereferences that a check for null guards.
	blocks []pointers
	guards []guarded
	// leaves are blocks' variables when control leaves it.
	leaves []pointers
	// watched are, by block, the operations that a change elsewhere can make undefined; towards
	// are the blocks that control can come from to one of them.
	watched   [][]watched
	towards   []bool
	places    []map[int]place // by block, see accesses
	ready     *machine        // see until
	summaries *summaries
}

func newFunction(known *summaries, f *llir.Func) *function {
	fn := &function{ops: known.lowered.Function(f), graph: cfg.New(f), names: ir.Variables(f), summaries: known}
	fn.code = fn.ops.Code
	fn.flow = dataflow.Of(fn.code, fn.graph)
	fn.ranges = ranges.Of(fn.ops, fn.graph, loop.Of(fn.graph, dominance.Dominators(fn.graph)), fn.flow)
	fn.blocks, fn.leaves = findAllocations(fn)
	fn.guards = findGuards(fn)
	fn.watched = findWatched(fn)
	fn.towards = fn.findTowards()
	fn.places = make([]map[int]place, fn.graph.Len())
	return fn
}

// isPrivate reports a slot whose address nobody else can know.
func (fn *function) isPrivate(slot value.Value) bool {
	_, local := slot.(*llir.InstAlloca)
	return local && !fn.flow.Exposed(slot)
}

// overwrites reports whether an item may change what a variable holds.
func (fn *function) overwrites(item int, slot value.Value) bool {
	touched := false
	all := fn.flow.Writes(item, func(object value.Value, _ bool) { touched = touched || object == slot })
	return touched || all && !fn.isPrivate(slot)
}

// name is what a variable is called, for reasons.
func (fn *function) name(slot value.Value) string {
	if name := fn.names[slot]; name != "" {
		return name
	}
	if g, ok := slot.(*llir.Global); ok {
		return g.Name()
	}
	return "a pointer"
}

// slotOf is the variable whose own address an operand is; nil for other addresses.
func (fn *function) slotOf(a op.Operand) value.Value {
	switch p := fn.ops.PlaceOf(a, nil); {
	case a.Kind == op.Scratch || !p.Whole():
		return nil
	default:
		return p.Object
	}
}

// solve flows facts about variables forward until nothing changes: in is what holds
// at the start of each block, nil for blocks that control does not come to. What comes
// with one more edge is met with what came before; it may only take away.
func solve[F comparable](g *cfg.Graph, through func(block int, facts map[value.Value]F, edge int) map[value.Value]F,
	meet func(before, further map[value.Value]F) (changed bool)) []map[value.Value]F {
	in := make([]map[value.Value]F, g.Len())
	in[0] = map[value.Value]F{}
	order := g.ReversePostorder()
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			if in[b] == nil {
				continue
			}
			for k, next := range g.Succs[b] {
				out := through(b, in[b], k)
				if in[next] == nil {
					in[next], changed = out, true
					continue
				}
				changed = meet(in[next], out) || changed
			}
		}
	}
	return in
}

// same keeps the facts that are the same on both ways.
func same[F comparable](before, further map[value.Value]F) (changed bool) {
	for slot, fact := range before {
		if further[slot] != fact {
			delete(before, slot)
			changed = true
		}
	}
	return changed
}
