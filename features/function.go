package features

import (
	"slices"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/bits"
	"github.com/winnow-mutants/winnow/analysis/block"
	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/control"
	"github.com/winnow-mutants/winnow/analysis/dataflow"
	"github.com/winnow-mutants/winnow/analysis/defuse"
	"github.com/winnow-mutants/winnow/analysis/dominance"
	"github.com/winnow-mutants/winnow/analysis/expr"
	"github.com/winnow-mutants/winnow/analysis/loop"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
	"github.com/winnow-mutants/winnow/ir"
)

// function is what is known of one function and of the mutants in it.
type function struct {
	code    *defuse.Code
	forest  *expr.Forest
	flow    *dataflow.Flow
	graph   *cfg.Graph
	control control.Dependence
	loops   *loop.Nest
	kinds   []block.Kind
	depth   []int // edges from the entry, by block; -1 where there is no path
	toExit  []int // edges to the end of the function, likewise
	size    int   // instructions, without debug intrinsics

	sites      []*site
	onItem     [][]int // by instruction: the sites that touch it
	onNode     [][]int // by expression: the sites that touch one of its instructions
	onBlock    [][]int // by block
	statements map[int]*statementGroup
	mutants    int
	operator   map[string]int
	types      map[kindOfMutant]int
	rank       int   // among the module's functions with mutants
	lines      []int // distinct lines with mutants, ascending

	// condition is, by branching block, the expressions that are its condition:
	// the branch, what it tests, and what that negates.
	condition [][]int
	// run numbers the statements, by instruction: instructions that registers
	// link within a block.
	run []int
	// fromParameter and returned mark slots that hold a parameter's value and
	// the function's result.
	fromParameter, returned map[value.Value]bool

	dominators *dominance.Tree
	module     *op.Module      // of all functions
	concrete   *concrete.Code  // made on demand
	ranges     *ranges.Facts   // likewise
	bits       *bits.Facts     // likewise
	heads      *heads          // likewise, of loops
	trials     []trialSeeds    // by block, likewise
	tried      *functionTrials // likewise
	toOutput   []int           // edges to the nearest output, by block; -1 where none is reached
	metrics    []float64       // of the family metrics, on demand
	slices     [][]int         // by expression: what depends on it, on demand

	outControl, inControl []tally // by block, computed on demand
	seenItem, seenSite    stamps
	seenNode, seenSet     stamps // of expressions
}

func newFunction(f *llir.Func, m *op.Module) *function {
	g := cfg.New(f)
	dominators, post := dominance.Dominators(g), dominance.PostDominators(g)
	code := defuse.Of(f)
	fn := &function{
		module: m, code: code, forest: expr.Build(code), flow: dataflow.Of(code, g),
		dominators: dominators, toOutput: outputDistance(code, g), graph: g, control: control.Of(g, post), loops: loop.Of(g, dominators), depth: g.Depths(), toExit: exitDistance(g),
		onItem: make([][]int, len(code.Items)), onBlock: make([][]int, g.Len()),
		statements: map[int]*statementGroup{}, operator: map[string]int{}, types: map[kindOfMutant]int{},
		fromParameter: map[value.Value]bool{}, returned: map[value.Value]bool{},
		outControl: make([]tally, g.Len()), inControl: make([]tally, g.Len()),
		seenItem: newStamps(len(code.Items)),
	}
	fn.kinds = block.Classify(block.Facts{Graph: g, PostDominators: post, Loops: fn.loops})
	fn.onNode = make([][]int, len(fn.forest.Nodes))
	fn.seenNode, fn.seenSet = newStamps(len(fn.forest.Nodes)), newStamps(len(fn.forest.Nodes))
	fn.findConditions()
	fn.findRuns()
	fn.findSlots()
	return fn
}

// operations are the function's.
func (f *function) operations() *op.Function { return f.module.Function(f.code.Func) }

// exitDistance is the least number of edges from each block to one without
// successors; -1 where there is none.
func exitDistance(g *cfg.Graph) []int {
	return distanceTo(g, func(b int) bool { return len(g.Succs[b]) == 0 })
}

// outputDistance is the same to the nearest block that calls a library function
// which writes to a stream.
func outputDistance(code *defuse.Code, g *cfg.Graph) []int {
	return distanceTo(g, func(b int) bool {
		for i := code.First[b]; i < code.First[b+1]; i++ {
			if call, ok := code.Items[i].Inst.(*llir.InstCall); ok && isOutput(call.Callee) > 0 {
				return true
			}
		}
		return false
	})
}

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

func (f *function) findConditions() {
	f.condition = make([][]int, f.graph.Len())
	for b := range f.condition {
		if len(f.graph.Succs[b]) < 2 {
			continue
		}
		f.condition[b] = []int{f.forest.Of[f.code.Terminator(b)]}
		for k := 0; k < len(f.condition[b]); k++ {
			n := &f.forest.Nodes[f.condition[b][k]]
			if n.Kind == expr.Branch || n.Kind == expr.Switch || n.Kind == expr.Not {
				f.condition[b] = append(f.condition[b], n.Children...)
			}
		}
	}
}

// findRuns numbers the statements: instructions of a block that registers link,
// and what stands between them (dissertation, section 8.1).
func (f *function) findRuns() {
	f.run = make([]int, len(f.code.Items))
	run := 0
	for b := range f.graph.Len() {
		first, last := f.code.First[b], f.code.First[b+1]
		reach := make([]int, last-first)
		for i := first; i < last; i++ {
			reach[i-first] = max(reach[i-first], i)
			for _, k := range f.code.Uses[i] {
				if k >= first && k < i && !isSlot(f.code.Items[k].Node()) {
					reach[k-first] = i
				}
			}
		}
		for i := first; i < last; run++ {
			end := reach[i-first]
			for ; i <= end; i++ {
				end = max(end, reach[i-first])
				f.run[i] = run
			}
		}
	}
}

func (f *function) findSlots() {
	for i, item := range f.code.Items {
		if item.Inst == nil || !ir.IsDebug(item.Inst) {
			f.size++
		}
		switch inst := item.Inst.(type) {
		case *llir.InstStore:
			if _, ok := inst.Src.(*llir.Param); ok {
				f.fromParameter[inst.Dst] = true
			}
		case *llir.InstLoad:
			for _, u := range f.code.Users[i] {
				if _, ok := f.code.Items[u].Term.(*llir.TermRet); ok && isSlot(inst.Src) {
					f.returned[inst.Src] = true
				}
			}
		}
	}
}

func isSlot(v any) bool { _, ok := v.(*llir.InstAlloca); return ok }

// finish is called when all sites are known.
func (f *function) finish(p *program) {
	f.seenSite = newStamps(len(f.sites))
	for _, s := range f.sites {
		for _, i := range s.mutants {
			if line := p.mutants[i].Line; line > 0 {
				f.lines = append(f.lines, line)
			}
		}
	}
	slices.Sort(f.lines)
	f.lines = slices.Compact(f.lines)
}

// isCondition reports whether a set of expressions holds part of the condition
// of its block.
func (f *function) isCondition(set []int) bool {
	for _, n := range set {
		if slices.Contains(f.condition[f.forest.Nodes[n].Block], n) {
			return true
		}
	}
	return false
}
