package features

import (
	"math"

	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/analysis/concrete"
)

const (
	// statesTried are drawn for each block, of which the first statesKept that
	// pass the conditions around it are used.
	statesTried, statesKept = 48, 16
	// conditionsTried is how many conditions around a block are looked at, from
	// the innermost.
	conditionsTried = 4
	// itemsAfter bounds how far the code after the statement is run.
	itemsAfter = 64
)

// trialSeeds are the states that a block is tried on.
type trialSeeds struct {
	tried  bool
	passed []uint64
	// share of the states tried that pass the conditions around the block.
	share float64
}

// concreteCode is the function made ready to be run.
func (f *function) concreteCode() *concrete.Code {
	if f.concrete == nil {
		f.concrete = concrete.Of(f.code.Func, f.module)
	}
	return f.concrete
}

// seedsOf draws the states of a block. The conditions around it are those of
// dominating blocks that decide whether it runs; what is written between them
// and the block is not followed.
func (f *function) seedsOf(b int) *trialSeeds {
	if f.trials == nil {
		f.trials = make([]trialSeeds, f.graph.Len())
		f.concreteCode()
	}
	t := &f.trials[b]
	if t.tried {
		return t
	}
	t.tried = true
	gates := f.gatesOf(b)
	var run concrete.Run
	passed := 0
	for seed := range uint64(statesTried) {
		ok := true
		for _, g := range gates {
			f.concrete.Start(&run, seed)
			f.concrete.Items(&run, g.from, g.to)
			to := int(run.Target)
			ok = ok && to >= 0 && to < f.graph.Len() && f.dominators.Has(to, b)
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

// gatesOf lists the conditions that decide whether a block runs, the innermost
// first.
func (f *function) gatesOf(b int) []gate {
	var out []gate
	for at := b; len(out) < conditionsTried; {
		next := -1
		for _, a := range f.control.Controllers[at] {
			if a != at && a != b && f.dominators.Has(a, at) && (next < 0 || f.dominators.Has(next, a)) {
				next = a
			}
		}
		if next < 0 {
			return out
		}
		at = next
		decides := false
		for _, s := range f.graph.Succs[at] {
			decides = decides || f.dominators.Has(s, b)
		}
		if decides {
			to := f.code.First[at+1]
			out = append(out, gate{f.startOfRun(to - 1), to})
		}
	}
	return out
}

func (f *function) startOfRun(item int) int {
	first := f.code.First[f.code.Items[item].Block]
	for item > first && f.run[item-1] == f.run[item] {
		item--
	}
	return item
}

// window is the stretch of code that a trial runs: from the start of the
// statement, over the replaced items at to last, to the statement's end and on.
type window struct {
	from, at, last, end, stop int
	result                    int // the item whose value is replaced, else -1
}

// trial runs a site's code on drawn states; mutants that replace the same items
// share the original's runs.
type trial struct {
	fn     *function
	window window
	// The original, by state: after the replaced items, after the statement,
	// and at the end.
	local, statement, final [statesKept]concrete.Run
	run                     concrete.Run
}

// try runs a mutant and fills the first columns of the family.
func (t *trial) try(s *site, c *edit, row []float64) {
	f := s.fn
	w, ok := f.windowOf(s, c)
	if !ok {
		return
	}
	scratch, ok := f.concrete.Scratch(f.replacement(c), c.result, s.block)
	if !ok {
		return
	}
	seeds := f.seedsOf(s.block).passed
	if t.fn != f || t.window != w {
		t.fn, t.window = f, w
		t.original(f, seeds)
	}
	var o outcome
	for k, seed := range seeds {
		if !t.final[k].Trapped {
			t.compare(&o, k, seed, scratch)
		}
	}
	o.fill(row)
}

// windowOf finds the stretch of a mutant.
func (f *function) windowOf(s *site, c *edit) (window, bool) {
	last := f.code.First[s.block+1]
	w := window{result: -1}
	switch {
	case c.term != nil:
		w.at, w.last = last-1, last
	case len(c.replaced) > 0:
		from, okFrom := f.code.Number(c.replaced[0])
		to, okTo := f.code.Number(c.replaced[len(c.replaced)-1])
		if !okFrom || !okTo || to < from || f.code.Items[from].Block != s.block || f.code.Items[to].Block != s.block {
			return w, false
		}
		w.at, w.last = from, to+1
		if c.result != nil {
			w.result, _ = f.code.Number(c.resultOf)
		}
	default:
		return w, false
	}
	w.from = f.startOfRun(w.at)
	for w.end = w.last; w.end < last && f.run[w.end] == f.run[w.last-1]; {
		w.end++
	}
	w.stop = min(last, w.end+itemsAfter)
	return w, true
}

func (t *trial) original(f *function, seeds []uint64) {
	w, run := t.window, &t.run
	for k, seed := range seeds {
		f.concrete.Start(run, seed)
		f.concrete.Items(run, w.from, w.last)
		t.local[k].Copy(run, w.at, w.last)
		f.concrete.Items(run, w.last, w.end)
		t.statement[k].Copy(run, 0, 0)
		f.concrete.Items(run, w.end, w.stop)
		t.final[k].Copy(run, 0, 0)
	}
}

// compare runs the mutant on one state.
func (t *trial) compare(o *outcome, k int, seed uint64, scratch *concrete.Scratch) {
	code, w, run := t.fn.concrete, t.window, &t.run
	code.Start(run, seed)
	code.Items(run, w.from, w.at)
	code.Replace(run, scratch, w.result)
	infected := !run.Same(&t.local[k])
	if w.result >= 0 && !run.Trapped && run.Result(w.result) != t.local[k].Result(w.result) {
		infected = true
		o.value(t.fn.code.Items[w.result].Value().Type(), t.local[k].Result(w.result), run.Result(w.result))
	}
	code.Items(run, w.last, w.end)
	statement := !run.Same(&t.statement[k])
	code.Items(run, w.end, w.stop)
	final := !run.Same(&t.final[k])
	o.states++
	o.count(&o.infected, infected)
	if concrete.Corner(seed) {
		o.corners++
		o.count(&o.cornerInfected, infected)
	}
	o.count(&o.statement, statement)
	o.count(&o.final, final)
	o.count(&o.diverge, run.Target != t.final[k].Target && !run.Trapped)
	o.count(&o.traps, run.Trapped)
}

func (*outcome) count(n *int, yes bool) {
	if yes {
		*n++
	}
}

// value compares two values of a number's type.
func (o *outcome) value(t types.Type, before, after int64) {
	x, y := float64(before), float64(after)
	switch t.(type) {
	case *types.IntType:
	case *types.FloatType:
		x, y = math.Float64frombits(uint64(before)), math.Float64frombits(uint64(after))
	default:
		return
	}
	d := math.Abs(y - x)
	if math.IsNaN(d) {
		return
	}
	o.values++
	o.count(&o.byOne, d == 1)
	o.count(&o.sign, (x < 0) != (y < 0) || (x == 0) != (y == 0))
	o.difference += math.Log2(1 + min(d, math.MaxInt64))
}
