package features

import "github.com/winnow-mutants/winnow/analysis/concrete"

const (
	// statesTried are drawn for each block, of which the first statesKept that
	// pass the conditions around it are used.
	statesTried, statesKept = 48, 16
	// conditionsTried is how many conditions around a block are looked at, from
	// the innermost.
	conditionsTried = 4
)

// drawnStates are the states that a function's blocks are tried on.
type drawnStates struct {
	f        *function
	code     *concrete.Code
	around   *guards
	byBlock  []blockStates
	dominate func(a, b int) bool
}

// blockStates are those of a block.
type blockStates struct {
	tried  bool
	passed []uint64 // their seeds
	// share of the states tried that pass the conditions around the block.
	share float64
}

var states = &analysis[*function, *drawnStates]{
	name: "drawn states", requires: []Requirement{interpreted, dominators, conditionsAround},
	find: func(f *function) *drawnStates {
		return &drawnStates{f: f, code: interpreted.of(f), around: conditionsAround.of(f), dominate: dominators.of(f).Has,
			byBlock: make([]blockStates, len(f.code.First)-1)}
	},
}

// of draws the states of a block. The conditions around it are those of
// dominating blocks that decide whether it runs; what is written between them
// and the block is not followed.
func (d *drawnStates) of(b int) *blockStates {
	t := &d.byBlock[b]
	if t.tried {
		return t
	}
	t.tried = true
	gates := d.around.of(b)
	var run concrete.Run
	passed := 0
	for seed := range uint64(statesTried) {
		ok := true
		for _, g := range gates {
			d.code.Start(&run, seed)
			d.code.Items(&run, g.from, g.to)
			to := int(run.Target)
			ok = ok && to >= 0 && to < len(d.byBlock) && d.dominate(to, b)
		}
		if ok {
			passed++
			if len(t.passed) < statesKept {
				t.passed = append(t.passed, seed)
			}
		}
	}
	t.share = share(passed, statesTried)
	// Too few states say nothing: the conditions are dropped.
	for seed := uint64(0); len(t.passed) < statesKept/2; seed++ {
		t.passed = append(t.passed, seed)
	}
	return t
}

// gate is a condition's code: the statement that ends a block.
type gate struct{ from, to int }

// guards find the conditions around blocks.
type guards struct{ f *function }

var conditionsAround = &analysis[*function, *guards]{
	name: "conditions around blocks", requires: []Requirement{graph, dominators, controlDependence},
	find: func(f *function) *guards { return &guards{f} },
}

// of lists the conditions that decide whether a block runs, the innermost first.
func (g *guards) of(b int) []gate {
	var out []gate
	f, control, tree := g.f, controlDependence.of(g.f), dominators.of(g.f)
	for at := b; len(out) < conditionsTried; {
		next := -1
		for _, a := range control.Controllers[at] {
			if a != at && a != b && tree.Has(a, at) && (next < 0 || tree.Has(next, a)) {
				next = a
			}
		}
		if next < 0 {
			return out
		}
		at = next
		decides := false
		for _, s := range graph.of(f).Succs[at] {
			decides = decides || tree.Has(s, b)
		}
		if decides {
			to := f.code.First[at+1]
			out = append(out, gate{f.startOfRun(to - 1), to})
		}
	}
	return out
}
