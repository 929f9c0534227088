package features

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/bits"
	"github.com/winnow-mutants/winnow/analysis/block"
	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/control"
	"github.com/winnow-mutants/winnow/analysis/dataflow"
	"github.com/winnow-mutants/winnow/analysis/dominance"
	"github.com/winnow-mutants/winnow/analysis/expr"
	"github.com/winnow-mutants/winnow/analysis/loop"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
)

// What package analysis knows of a function.
var (
	graph = &analysis[*function, *cfg.Graph]{
		name: "control-flow graph",
		find: func(f *function) *cfg.Graph { return cfg.New(f.code.Func) },
	}
	dominators = &analysis[*function, *dominance.Tree]{
		name: "dominators", requires: []Requirement{graph},
		find: func(f *function) *dominance.Tree { return dominance.Dominators(graph.of(f)) },
	}
	postDominators = &analysis[*function, *dominance.Tree]{
		name: "post-dominators", requires: []Requirement{graph},
		find: func(f *function) *dominance.Tree { return dominance.PostDominators(graph.of(f)) },
	}
	controlDependence = &analysis[*function, control.Dependence]{
		name: "control dependence", requires: []Requirement{graph, postDominators},
		find: func(f *function) control.Dependence { return control.Of(graph.of(f), postDominators.of(f)) },
	}
	loopNest = &analysis[*function, *loop.Nest]{
		name: "loops", requires: []Requirement{graph, dominators},
		find: func(f *function) *loop.Nest { return loop.Of(graph.of(f), dominators.of(f)) },
	}
	blockKinds = &analysis[*function, []block.Kind]{
		name: "kinds of blocks", requires: []Requirement{graph, postDominators, loopNest},
		find: func(f *function) []block.Kind {
			return block.Classify(block.Facts{Graph: graph.of(f), PostDominators: postDominators.of(f), Loops: loopNest.of(f)})
		},
	}
	dataFlow = &analysis[*function, *dataflow.Flow]{
		name: "data flow", requires: []Requirement{graph},
		find: func(f *function) *dataflow.Flow { return dataflow.Of(f.code, graph.of(f)) },
	}
	operations = &analysis[*function, *op.Function]{
		name: "operations",
		find: func(f *function) *op.Function { return f.p.lowered.Function(f.code.Func) },
	}
	valueRanges = &analysis[*function, *ranges.Facts]{
		name: "value ranges", requires: []Requirement{operations, graph, loopNest, dataFlow},
		find: func(f *function) *ranges.Facts {
			return ranges.Of(operations.of(f), graph.of(f), loopNest.of(f), dataFlow.of(f))
		},
	}
	alwaysBits = &analysis[*function, *bits.Facts]{
		name: "known bits", requires: []Requirement{operations},
		find: func(f *function) *bits.Facts { return bits.Of(operations.of(f)) },
	}
	interpreted = &analysis[*function, *concrete.Code]{
		name: "code to interpret",
		find: func(f *function) *concrete.Code {
			if f.isRoot() {
				return concrete.Root(f.code.Func, &f.p.lowered)
			}
			return concrete.Of(f.code.Func, &f.p.lowered)
		},
	}
)

// pathLengths are numbers of edges, by block; -1 where there is no path.
type pathLengths struct {
	fromEntry []int
	toExit    []int // to the end of the function
	toOutput  []int // to the nearest block that calls a library function which writes to a stream
}

var distances = &analysis[*function, *pathLengths]{
	name: "distances", requires: []Requirement{graph},
	find: func(f *function) *pathLengths {
		g := graph.of(f)
		return &pathLengths{
			fromEntry: g.Depths(),
			toExit:    distanceTo(g, func(b int) bool { return len(g.Succs[b]) == 0 }),
			toOutput:  distanceTo(g, f.writesOutput),
		}
	},
}

func (f *function) writesOutput(b int) bool {
	for i := f.code.First[b]; i < f.code.First[b+1]; i++ {
		if call, ok := f.code.Items[i].Inst.(*llir.InstCall); ok && isOutput(call.Callee) > 0 {
			return true
		}
	}
	return false
}

// distanceTo is the least number of edges from each block to one that is a goal.
func distanceTo(g *cfg.Graph, goal func(b int) bool) []int {
	out := make([]int, g.Len())
	var queue []int
	for b := range out {
		out[b] = -1
		if goal(b) {
			out[b] = 0
			queue = append(queue, b)
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, p := range g.Preds[queue[0]] {
			if out[p] < 0 {
				out[p] = out[queue[0]] + 1
				queue = append(queue, p)
			}
		}
	}
	return out
}

// conditions are, by branching block, the expressions that are its condition: the
// branch, what it tests, and what that negates.
var conditions = &analysis[*function, [][]int]{
	name: "conditions", requires: []Requirement{graph},
	find: func(f *function) [][]int {
		g := graph.of(f)
		out := make([][]int, g.Len())
		for b := range out {
			if len(g.Succs[b]) < 2 {
				continue
			}
			out[b] = []int{f.forest.Of[f.code.Terminator(b)]}
			for k := 0; k < len(out[b]); k++ {
				n := &f.forest.Nodes[out[b][k]]
				if n.Kind == expr.Branch || n.Kind == expr.Switch || n.Kind == expr.Not {
					out[b] = append(out[b], n.Children...)
				}
			}
		}
		return out
	},
}

// slotRoles mark the slots that hold a parameter's value and the function's result.
type slotRoles struct{ fromParameter, returned map[value.Value]bool }

var slots = &analysis[*function, *slotRoles]{
	name: "slots",
	find: func(f *function) *slotRoles {
		out := &slotRoles{map[value.Value]bool{}, map[value.Value]bool{}}
		for i, item := range f.code.Items {
			switch inst := item.Inst.(type) {
			case *llir.InstStore:
				if _, ok := inst.Src.(*llir.Param); ok {
					out.fromParameter[inst.Dst] = true
				}
			case *llir.InstLoad:
				for _, u := range f.code.Users[i] {
					if _, ok := f.code.Items[u].Term.(*llir.TermRet); ok && isSlot(inst.Src) {
						out.returned[inst.Src] = true
					}
				}
			}
		}
		return out
	},
}
