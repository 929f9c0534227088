package features

import (
	"math"

	"github.com/winnow-mutants/winnow/analysis/concrete"
)

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
