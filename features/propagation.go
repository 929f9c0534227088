package features

import (
	"math"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/expr"
)

// sliceBound is how many expressions a slice may have: what is far away says
// little, and the time for each site stays bounded.
const sliceBound = 48

var propagation = Family{
	Name: "propagation",
	Doc: "What stands between the mutant and what a test can see: conditions to pass, operators that may hide a difference, and the forward slice, " +
		"which is what depends through data on the mutated expression, directly or not, up to 48 expressions.",
	Columns: []Column{
		{Name: "condition_depth", Unit: "conditions", Source: "own", Doc: "dominating conditions that must hold for the mutant to run, at most 4"},
		{Name: "output_distance", Unit: "edges", Source: "own", Doc: "least number of edges to a block that calls a C library function which writes to a stream; missing when none is reached"},
		{Name: "mask_bits", Unit: "expressions", Source: "own", Doc: "bitwise operators around the mutated expression"},
		{Name: "mask_division", Unit: "expressions", Source: "own", Doc: "divisions and remainders around the mutated expression"},
		{Name: "mask_comparison", Unit: "expressions", Source: "own", Doc: "comparisons around the mutated expression"},
		{Name: "mask_logical", Unit: "expressions", Source: "own", Doc: "!, &&, || and ?: around the mutated expression"},
		{Name: "mask_call", Unit: "expressions", Source: "own", Doc: "calls around the mutated expression"},
		{Name: "slice_size", Unit: "expressions", Source: "own", Doc: "expressions in the forward slice"},
		{Name: "slice_depth", Unit: "steps", Source: "own", Doc: "steps to the farthest expression of the slice"},
		{Name: "slice_outputs", Unit: "expressions", Source: "own", Doc: "calls of the slice that write to a stream"},
		{Name: "slice_output_distance", Unit: "steps", Source: "own", Doc: "steps of the slice to the nearest such call; missing when there is none"},
		{Name: "slice_conditions", Unit: "expressions", Source: "own", Doc: "branches and switches of the slice"},
		{Name: "slice_condition_distance", Unit: "steps", Source: "own", Doc: "steps to the nearest branch or switch; missing when there is none"},
		{Name: "slice_returns", Unit: "expressions", Source: "own", Doc: "returns of the slice"},
		{Name: "slice_calls", Unit: "expressions", Source: "own", Doc: "calls of the slice"},
		{Name: "slice_divisions", Unit: "expressions", Source: "own", Doc: "divisions and remainders of the slice"},
		{Name: "slice_elements", Unit: "expressions", Source: "own", Doc: "elements and dereferences of the slice"},
		{Name: "slice_loops", Unit: "expressions", Source: "own", Doc: "expressions of the slice in a deeper loop than the mutant"},
	},
	Requires: []Requirement{conditionsAround, distances, loopNest, forwardUses},
	PerSite: func(s *site, row []float64) {
		f := s.fn
		row[0] = float64(len(conditionsAround.of(f).of(s.block)))
		row[1] = orMissing(distances.of(f).toOutput[s.block])
		for _, n := range relations.of(f).ancestors(s.nodes) {
			if k := maskOf(f.forest.Nodes[n].Kind); k > 0 {
				row[1+k]++
			}
		}
		f.describeSlice(s, row[7:])
	},
}

// maskOf numbers the kinds of operators that may hide a difference from 1.
func maskOf(k expr.Kind) int {
	switch k {
	case expr.And, expr.Or, expr.Xor, expr.Shl, expr.Shr:
		return 1
	case expr.Div, expr.Rem:
		return 2
	case expr.Eq, expr.Ne, expr.Lt, expr.Gt, expr.Le, expr.Ge:
		return 3
	case expr.Not, expr.Logical, expr.Conditional:
		return 4
	case expr.Call:
		return 5
	}
	return 0
}

// describeSlice follows the mutated expression's value, breadth first.
func (f *function) describeSlice(s *site, row []float64) {
	row[3], row[5] = math.NaN(), math.NaN()
	uses, loops := forwardUses.of(f), loopNest.of(f).Depth
	steps := map[int]int{}
	queue := append([]int(nil), s.nodes...)
	for _, n := range queue {
		steps[n] = 0
	}
	for at := 0; at < len(queue); at++ {
		n := queue[at]
		step := steps[n]
		if at >= len(s.nodes) {
			f.noteInSlice(n, step, row)
			if loops[f.forest.Nodes[n].Block] > loops[s.block] {
				row[10]++
			}
		}
		for _, next := range uses.of(n) {
			if _, seen := steps[next]; !seen && len(queue) < sliceBound+len(s.nodes) {
				steps[next] = step + 1
				queue = append(queue, next)
			}
		}
	}
}

func (f *function) noteInSlice(n, step int, row []float64) {
	row[0]++
	row[1] = max(row[1], float64(step))
	node := &f.forest.Nodes[n]
	switch node.Kind {
	case expr.Call:
		row[7]++
		for _, i := range node.Items {
			if call, ok := f.code.Items[i].Inst.(*llir.InstCall); ok && isOutput(call.Callee) > 0 {
				row[2]++
				if math.IsNaN(row[3]) {
					row[3] = float64(step)
				}
			}
		}
	case expr.Branch, expr.Switch:
		row[4]++
		if math.IsNaN(row[5]) {
			row[5] = float64(step)
		}
	case expr.Return:
		row[6]++
	case expr.Div, expr.Rem:
		row[8]++
	case expr.Element, expr.Dereference:
		row[9]++
	}
}

// nextUses are, by expression, those that use its value next: its parents, and what
// reads the memory that it writes. No more are kept than a slice can hold.
type nextUses struct {
	f    *function
	uses [][]int // on demand
}

var forwardUses = &analysis[*function, *nextUses]{
	name: "next uses", requires: []Requirement{relations},
	find: func(f *function) *nextUses { return &nextUses{f, make([][]int, len(f.forest.Nodes))} },
}

func (u *nextUses) of(n int) []int {
	if u.uses[n] == nil {
		out := append(make([]int, 0, 4), u.f.forest.Nodes[n].Parents...)
		out = append(out, relations.of(u.f).sinks([]int{n})...)
		u.uses[n] = append(make([]int, 0, 1), out[:min(len(out), sliceBound)]...)
	}
	return u.uses[n]
}
