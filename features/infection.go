package features

import (
	"math"

	"github.com/llir/llvm/ir/types"

	"github.com/winnow-mutants/winnow/analysis/concrete"
)

var infection = Family{
	Name: "infection",
	Doc: "How hard the change is to see, tried on drawn states (analysis/concrete): the statement is run with and without the change on states " +
		"that pass the conditions around it. Missing where there is no code to run, or the original traps on every state.",
	Columns: []Column{
		{Name: "infect_share", Unit: "share", Source: "own", Doc: "share of drawn states on which the mutated code leaves another value or memory"},
		{Name: "infect_typical_share", Unit: "share", Source: "own", Doc: "the same of the states that are no corners"},
		{Name: "infect_corner_share", Unit: "share", Source: "own", Doc: "the same of the corners: all numbers zero, equal, or near zero"},
		{Name: "infect_statement_share", Unit: "share", Source: "own", Doc: "share of drawn states that differ when the statement is over"},
		{Name: "infect_block_share", Unit: "share", Source: "own", Doc: "share of drawn states that differ when the block is left"},
		{Name: "diverge_share", Unit: "share", Source: "own", Doc: "share of drawn states on which the block is left another way"},
		{Name: "trap_share", Unit: "share", Source: "own", Doc: "share of drawn states on which only the mutant divides by zero or uses an address near null"},
		{Name: "mask_share", Unit: "share", Source: "own", Doc: "share of the differing states that agree again when the block is left; missing when none differs"},
		{Name: "infect_by_one_share", Unit: "share", Source: "own", Doc: "share of the differing values that differ by one; missing when none differs"},
		{Name: "infect_sign_share", Unit: "share", Source: "own", Doc: "share of the differing values that have the other sign, or zero for a sign; missing when none differs"},
		{Name: "infect_difference", Unit: "log2", Source: "own", Doc: "mean of log2(1 + |difference|) of the differing values; missing when none differs"},
		{Name: "path_share", Unit: "share", Source: "own", Doc: "share of drawn states that pass the conditions around the mutant"},
	},
	Requires: []Requirement{infecting, edited},
	PerMutant: func(m *mutation, row []float64) {
		missing(row)
		if drawn := states.of(m.site.fn).of(m.site.block); len(drawn.passed) > 0 {
			row[11] = drawn.share
			infecting.of(m.site.fn).try(m.site, edited.of(m), row)
		}
	},
}

// outcome counts what drawn states show of a mutant.
type outcome struct {
	states, corners                                     int
	infected, cornerInfected, statement, final, diverge int
	traps, values, byOne, sign                          int
	difference                                          float64
}

func (o *outcome) fill(row []float64) {
	if o.states == 0 {
		return
	}
	row[0] = share(o.infected, o.states)
	row[1] = shareOrMissing(o.infected-o.cornerInfected, o.states-o.corners)
	row[2] = shareOrMissing(o.cornerInfected, o.corners)
	row[3] = share(o.statement, o.states)
	row[4] = share(o.final, o.states)
	row[5] = share(o.diverge, o.states)
	row[6] = share(o.traps, o.states)
	row[7] = shareOrMissing(max(0, o.infected-o.final), o.infected)
	row[8] = shareOrMissing(o.byOne, o.values)
	row[9] = shareOrMissing(o.sign, o.values)
	if o.values > 0 {
		row[10] = o.difference / float64(o.values)
	}
}

// stateTrial runs the statements of a function's mutants on drawn states; mutants that
// replace the same items, which come one after the other, share the original's runs.
type stateTrial struct {
	fn     *function
	code   *concrete.Code
	states *drawnStates
	window window
	// The original, by state: after the replaced items, after the statement,
	// and at the end.
	local, statement, final [statesKept]concrete.Run
	run                     concrete.Run
}

var infecting = &analysis[*function, *stateTrial]{
	name: "statements on drawn states", requires: []Requirement{interpreted, states},
	find: func(f *function) *stateTrial {
		return &stateTrial{fn: f, code: interpreted.of(f), states: states.of(f)}
	},
}

// try runs a mutant and fills the first columns of the family.
func (t *stateTrial) try(s *site, c *edit, row []float64) {
	w, ok := t.fn.windowOf(s, c)
	if !ok {
		return
	}
	scratch, ok := t.code.Scratch(t.fn.replacement(c), c.result, s.block)
	if !ok {
		return
	}
	seeds := t.states.of(s.block).passed
	if t.window != w {
		t.window = w
		t.original(seeds)
	}
	var o outcome
	for k, seed := range seeds {
		if !t.final[k].Trapped {
			t.compare(&o, k, seed, scratch)
		}
	}
	o.fill(row)
}

func (t *stateTrial) original(seeds []uint64) {
	w, run := t.window, &t.run
	for k, seed := range seeds {
		t.code.Start(run, seed)
		t.code.Items(run, w.from, w.last)
		t.local[k].Copy(run, w.at, w.last)
		t.code.Items(run, w.last, w.end)
		t.statement[k].Copy(run, 0, 0)
		t.code.Items(run, w.end, w.stop)
		t.final[k].Copy(run, 0, 0)
	}
}

// compare runs the mutant on one state.
func (t *stateTrial) compare(o *outcome, k int, seed uint64, scratch *concrete.Scratch) {
	code, w, run := t.code, t.window, &t.run
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
