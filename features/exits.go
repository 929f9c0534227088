package features

import (
	"math"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/mutant"
)

var exits = Family{
	Name: "exits",
	Doc: "Whether the difference gets out of the function, tried on drawn states (analysis/concrete): from the mutant's statement on, the function is run with and without the change, " +
		"block after block, for at most 256 instructions. The functions of the module that it calls are run, too. What it prints, what it calls beyond them and with what, what it returns and what it leaves in memory that outlives it are compared. " +
		"Missing where there is no code to run, or the original traps on every state.",
	Columns: []Column{
		{Name: "exit_shown_share", Unit: "share", Source: "own", Layout: true, Doc: "share of drawn states on which something gets out: a text, a call, the returned value, memory that is not local, a trap, or that only one of the two comes to the function's end"},
		{Name: "exit_call_share", Unit: "share", Source: "own", Layout: true, Doc: "share of drawn states on which another text is printed or another call is made"},
		{Name: "exit_return_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the drawn states on which both come to the function's end that return another value; missing when there are none"},
		{Name: "exit_memory_share", Unit: "share", Source: "own", Layout: true, Doc: "share of drawn states that leave other values in memory that is not local"},
		{Name: "exit_local_share", Unit: "share", Source: "own", Layout: true, Doc: "share of drawn states that leave other values in local variables only, which nothing has shown yet"},
		{Name: "exit_trap_share", Unit: "share", Source: "own", Layout: true, Doc: "share of drawn states on which only the mutant divides by zero or uses an address near null"},
		{Name: "exit_end_share", Unit: "share", Source: "own", Layout: true, Doc: "share of drawn states on which only one of the two comes to the function's end in time, and nothing else differs before"},
		{Name: "exit_differing_share", Unit: "share", Source: "own", Layout: true, Doc: "share of the texts, calls and returned values that differ, as far as both were run, on average over drawn states"},
		{Name: "exit_soon", Unit: "log2", Source: "own", Layout: true, Doc: "mean of log2(1 + instructions) that run until the first text, call or return that differs; missing when none does"},
		{Name: "exit_original_share", Unit: "share", Source: "own", Layout: true, Doc: "share of drawn states on which the original comes to the function's end in time"},
		{Name: "exit_original_shown", Unit: "log2", Source: "own", Layout: true, Doc: "mean of log2(1 + texts, calls and returns) of the original"},
	},
	PerMutant: func(s *site, m *mutant.Mutant, row []float64) {
		missing(row)
		if seeds := s.fn.seedsOf(s.block); len(seeds.passed) > 0 {
			s.p.follower.follow(s, s.p.editOf(m), row)
		}
	},
}

const (
	// statesFollowed are the first of those that a block is tried on.
	statesFollowed = 8
	// itemsFollowed bounds a run to the end of the function.
	itemsFollowed = 256
)

// follower runs a function to its end; mutants that replace the same items share the
// original's runs.
type follower struct {
	fn        *function
	window    window
	originals [statesFollowed]concrete.Path
	path      concrete.Path
}

// follow runs a mutant to the end of its function and fills the family's columns.
func (f *follower) follow(s *site, c *edit, row []float64) {
	w, ok := s.fn.windowOf(s, c)
	if !ok {
		return
	}
	code := s.fn.concrete
	change := s.changeOf(code, c, w)
	if change == nil {
		return
	}
	seeds := s.fn.seedsOf(s.block).passed
	seeds = seeds[:min(len(seeds), statesFollowed)]
	if f.fn != s.fn || f.window != w {
		if f.fn != nil && f.fn != s.fn {
			f.fn.concrete.Forget()
		}
		f.fn, f.window = s.fn, w
		for k, seed := range seeds {
			code.Along(&f.originals[k], seed, w.from, itemsFollowed)
		}
	}
	var seen arrivals
	for k, seed := range seeds {
		if original := &f.originals[k]; !original.Trapped {
			code.AlongChanged(&f.path, seed, w.from, change, original, itemsFollowed)
			seen.add(original, &f.path)
		}
	}
	seen.fill(row)
}

// arrivals counts what drawn states show of a mutant by the end of its function.
type arrivals struct {
	// toTheEnd says that memory does not count as shown when both came to their end: that
	// of the program.
	toTheEnd bool

	states, shown, call, returns, returned, memory, local, trap, end, ended, differing int
	distance, soon, calls                                                              float64

	last verdict
}

// verdict is what one state showed of a mutant: what is shown first that the original
// does not show, and at which place.
type verdict struct {
	shown, trap, end bool
	first            int
	what             uint64
}

func (a *arrivals) add(original, path *concrete.Path) {
	count := func(n *int, yes bool) {
		if yes {
			*n++
		}
	}
	both := original.Returned && path.Returned
	outer, local := false, false
	if both || !path.Differs { // a path that differs stops before all is written
		outer, local = path.Outlives(original)
	}
	first, differ := compareShown(original, path)
	call := differ > 0
	if both && differ == 1 && first == len(original.Shown)-1 && len(original.Shown) == len(path.Shown) {
		call = false // the returned value, which is shown last
	}
	returned := both && original.Shown[len(original.Shown)-1] != path.Shown[len(path.Shown)-1]
	end := original.Returned != path.Returned && !path.Trapped && !original.Trapped && !path.Differs
	trap := path.Trapped != original.Trapped
	shown := differ > 0 || outer && !(both && a.toTheEnd) || trap || end
	a.states++
	a.last = verdict{shown: shown, first: first, trap: path.Trapped, end: path.Returned}
	if shown && first >= 0 && first < len(path.Shown) {
		a.last.what = path.Shown[first]
	}
	count(&a.shown, shown)
	count(&a.call, call)
	count(&a.returns, both)
	count(&a.returned, returned)
	count(&a.memory, outer)
	count(&a.local, local && !shown)
	count(&a.trap, path.Trapped && !original.Trapped)
	count(&a.end, end)
	count(&a.ended, original.Returned)
	if differ > 0 {
		a.differing++
		a.distance += float64(differ) / float64(shownByBoth(original, path))
		a.soon += math.Log2(1 + float64(stepsTo(original, path, first)))
	}
	a.calls += math.Log2(1 + float64(len(original.Shown)))
}

// count adds what other states showed.
func (a *arrivals) count(other *arrivals) {
	a.states += other.states
	a.shown += other.shown
	a.call += other.call
	a.returns += other.returns
	a.returned += other.returned
	a.memory += other.memory
	a.local += other.local
	a.trap += other.trap
	a.end += other.end
	a.ended += other.ended
	a.differing += other.differing
	a.distance += other.distance
	a.soon += other.soon
	a.calls += other.calls
	a.last = other.last
}

// same counts a state on which the mutant does what the original does.
func (a *arrivals) same(original *concrete.Path) {
	a.states++
	a.last = verdict{first: -1, trap: original.Trapped, end: original.Returned}
	if original.Returned {
		a.returns++
		a.ended++
	}
	a.calls += math.Log2(1 + float64(len(original.Shown)))
}

// shownByBoth is how many calls and returned values of two runs there are to compare:
// all that either shows when both came to their end, else as many as both, and one more
// where the mutant's is another.
func shownByBoth(a, b *concrete.Path) int {
	if a.Returned && b.Returned {
		return max(len(a.Shown), len(b.Shown))
	}
	n := min(len(a.Shown), len(b.Shown))
	if b.Differs && len(b.Shown) > n {
		n++
	}
	return n
}

// compareShown is the first place at which two runs show something else, and at how
// many places they do; what only one shows differs.
func compareShown(a, b *concrete.Path) (first, differ int) {
	first = -1
	for k := range shownByBoth(a, b) {
		if k < len(a.Shown) && k < len(b.Shown) && a.Shown[k] == b.Shown[k] {
			continue
		}
		if differ++; first < 0 {
			first = k
		}
	}
	return first, differ
}

// stepsTo is when the first difference is shown, by the one that shows it sooner.
func stepsTo(a, b *concrete.Path, first int) int {
	steps := math.MaxInt
	for _, p := range []*concrete.Path{a, b} {
		if first < len(p.Steps) {
			steps = min(steps, p.Steps[first])
		}
	}
	return steps
}

func (a *arrivals) fill(row []float64) {
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
