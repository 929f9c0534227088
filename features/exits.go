package features

import "github.com/winnow-mutants/winnow/analysis/concrete"

var exits = Family{
	Name: "exits",
	Doc: "Whether the difference gets out of the function, tried on drawn states (analysis/concrete): from the mutant's statement on, the function is run with and without the change, " +
		"block after block, for at most 256 instructions. The functions of the module that it calls are run, too. What it prints, what it calls beyond them and with what, what it returns and what it leaves in memory that outlives it are compared. " +
		"Missing where there is no code to run, or the original traps on every state.",
	Columns: []Column{
		{Name: "exit_shown_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of drawn states on which something gets out: a text, a call, the returned value, memory that is not local, a trap, or that only one of the two comes to the function's end"},
		{Name: "exit_call_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of drawn states on which another text is printed or another call is made"},
		{Name: "exit_return_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of the drawn states on which both come to the function's end that return another value; missing when there are none"},
		{Name: "exit_memory_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of drawn states that leave other values in memory that is not local"},
		{Name: "exit_local_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of drawn states that leave other values in local variables only, which nothing has shown yet"},
		{Name: "exit_trap_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of drawn states on which only the mutant divides by zero or uses an address near null"},
		{Name: "exit_end_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of drawn states on which only one of the two comes to the function's end in time, and nothing else differs before"},
		{Name: "exit_differing_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of the texts, calls and returned values that differ, as far as both were run, on average over drawn states"},
		{Name: "exit_soon", Unit: "log2", Source: "own", Beyond: Calls, Doc: "mean of log2(1 + instructions) that run until the first text, call or return that differs; missing when none does"},
		{Name: "exit_original_share", Unit: "share", Source: "own", Beyond: Calls, Doc: "share of drawn states on which the original comes to the function's end in time"},
		{Name: "exit_original_shown", Unit: "log2", Source: "own", Beyond: Calls, Doc: "mean of log2(1 + texts, calls and returns) of the original"},
	},
	Requires: []Requirement{states, escaping, edited},
	PerMutant: func(m *mutation, row []float64) {
		missing(row)
		if drawn := states.of(m.site.fn).of(m.site.block); len(drawn.passed) > 0 {
			escaping.of(m.site.fn).try(m.site, edited.of(m), drawn.passed, row)
		}
	},
}

const (
	// statesFollowed are the first of those that a block is tried on.
	statesFollowed = 8
	// itemsFollowed bounds a run to the end of the function.
	itemsFollowed = 256
)

// exitTrial runs a function from its mutants' statements to its end; mutants that replace
// the same items, which come one after the other, share the original's runs.
type exitTrial struct {
	code      *concrete.Code
	window    window
	originals [statesFollowed]concrete.Path
	path      concrete.Path
}

var escaping = &analysis[*function, *exitTrial]{
	name: "function from drawn states", requires: []Requirement{interpreted},
	find: func(f *function) *exitTrial { return &exitTrial{code: interpreted.of(f)} },
}

// try runs a mutant to the end of its function and fills the family's columns.
func (t *exitTrial) try(s *site, c *edit, seeds []uint64, row []float64) {
	w, ok := s.fn.windowOf(s, c)
	if !ok {
		return
	}
	change := s.changeOf(t.code, c, w)
	if change == nil {
		return
	}
	seeds = seeds[:min(len(seeds), statesFollowed)]
	if t.window != w {
		t.window = w
		for k, seed := range seeds {
			t.code.Along(&t.originals[k], seed, w.from, itemsFollowed)
		}
	}
	var seen arrivals
	for k, seed := range seeds {
		if original := &t.originals[k]; !original.Trapped {
			t.code.AlongChanged(&t.path, seed, w.from, change, original, itemsFollowed)
			seen.add(original, &t.path)
		}
	}
	seen.fillExits(row)
}

// fillExits fills the columns of the family.
func (a *arrivals) fillExits(row []float64) {
	if a.states == 0 {
		return
	}
	row[0], row[1] = share(a.shown, a.states), share(a.call, a.states)
	row[2] = shareOrMissing(a.returned, a.returns)
	row[3], row[4] = share(a.memory, a.states), share(a.local, a.states)
	row[5], row[6] = share(a.trap, a.states), share(a.end, a.states)
	row[7] = a.distance / float64(a.states)
	if a.differing > 0 {
		row[8] = a.soon / float64(a.differing)
	}
	row[9], row[10] = share(a.ended, a.states), a.calls/float64(a.states)
}
