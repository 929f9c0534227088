package features

import (
	"slices"

	"github.com/winnow-mutants/winnow/analysis/concrete"
)

// The inputs are of seeds: the first on which the original comes to a block that it did
// not come to before, and then the others in order.
const (
	// functionLimit and programLimit are how many instructions are run.
	functionLimit, programLimit = 1024, 12288

	inputsTried = 24
	// mostCandidates are looked at, until every block has been come to.
	mostCandidates = 160
	// A program that takes long is run on less inputs: on those that are new to some
	// block, and on others until there are fewestInputs and it has taken mostSteps; those
	// on which it comes to its end, as it does in tests, are taken before the others.
	fewestInputs = 8
	mostSteps    = 48 << 10
	// mostWithoutEnd are run where the original does not come to its end within the limit:
	// half of the time that trials take went there, for no better prediction.
	mostWithoutEnd = 4 << 10
	// Of the seeds before cornersFirst corners are tried, too; later ones only if they come to
	// a block that is new.
	cornersFirst = 16
)

// drawInputs chooses the inputs of a function or program.
func drawInputs(root *concrete.Code, path *concrete.Path, limit int) (seeds []uint64) {
	covered, steps := root.Coverage(), 0
	path.Trace = true
	type candidate struct {
		seed  uint64
		steps int
	}
	var others, endless []candidate
	for seed := uint64(0); len(seeds) < inputsTried && seed < mostCandidates; seed++ {
		if covered.Complete() && len(seeds)+len(others)+len(endless) >= inputsTried {
			break
		}
		root.Along(path, seed, 0, limit)
		switch {
		case covered.Add(path):
			seeds, steps = append(seeds, seed), steps+path.Length()
		case concrete.Corner(seed) && seed >= cornersFirst:
		case path.Returned:
			others = append(others, candidate{seed, path.Length()})
		default:
			endless = append(endless, candidate{seed, path.Length()})
		}
	}
	for _, c := range append(others, endless...) {
		if len(seeds) == inputsTried || steps > mostSteps && len(seeds) >= fewestInputs {
			break
		}
		seeds, steps = append(seeds, c.seed), steps+c.steps
	}
	slices.Sort(seeds)
	return seeds
}

// trier runs a function, or a program, with mutants on drawn inputs.
type trier struct {
	// limit is how many instructions are run.
	limit int
	// toTheEnd says that what is run is the program: what it leaves in memory nobody sees.
	toTheEnd bool
	root     *concrete.Code
	// inputs are drawn for each root, unless they are given.
	inputs    []uint64
	drawn     bool
	limits    [inputsTried]int // by input
	originals [inputsTried]concrete.Path
	walker    concrete.Walker
}

// attempt is the trial of a mutant.
type attempt struct {
	index int // of the mutant
	site  *site
	// row are the columns of the trial, and own is the code that the mutant is in; nil
	// where there is none to run.
	row []float64
	own *concrete.Code

	change  *concrete.Change
	differs bool
	// seen is what the inputs showed, corners what those did that are.
	seen, corners arrivals
	verdicts      [inputsTried]verdict // by input
}

func newAttempt(s *site, index int, own *concrete.Code) *attempt {
	return &attempt{index: index, site: s, own: own, row: make([]float64, trialWidth)}
}

// mostTogether bounds the mutants that are tried at once, for memory.
const mostTogether = 2048

// try runs root with each mutant of a function that it calls or is.
func (t *trier) try(root *concrete.Code, attempts []*attempt) {
	if t.root != root {
		t.runOriginals(root)
	}
	var changed []*attempt
	var changes []*concrete.Change
	for _, a := range attempts {
		if a.prepare(t); a.change != nil {
			changed, changes = append(changed, a), append(changes, a.change)
		}
	}
	set := concrete.NewChanges(changes)
	for k, seed := range t.inputs {
		original, corner := &t.originals[k], concrete.Corner(seed)
		root.Walk(&t.walker, seed, set, original, t.limits[k], func(together []int, path *concrete.Path) {
			shows := arrivals{toTheEnd: t.toTheEnd}
			shows.add(original, path)
			for _, n := range together {
				changed[n].add(k, corner, &shows)
			}
		})
		for _, a := range changed {
			if !a.differs && original.Visited(a.own, a.site.block) {
				a.same(k, corner, original)
			}
			a.differs = false
		}
	}
	for _, a := range changed {
		a.seen.fillTrial(&a.corners, len(t.inputs), a.row)
		a.change = nil // which is large
	}
}

func (t *trier) runOriginals(root *concrete.Code) {
	if t.root = root; t.inputs == nil || t.drawn {
		t.inputs, t.drawn = drawInputs(root, &t.originals[0], t.limit), true
	}
	for k, seed := range t.inputs {
		path := &t.originals[k]
		path.Trace, t.limits[k] = true, t.limit
		if root.Along(path, seed, 0, t.limit); path.Length() > mostWithoutEnd && !path.Returned {
			t.limits[k] = mostWithoutEnd
			root.Along(path, seed, 0, mostWithoutEnd)
		}
	}
}

// ended is the share of the inputs on which the original comes to its end.
func (t *trier) ended() float64 {
	n := 0
	for k := range t.inputs {
		if t.originals[k].Returned {
			n++
		}
	}
	return share(n, len(t.inputs))
}

// prepare makes the change that is tried; none when no input comes to it.
func (a *attempt) prepare(t *trier) {
	missing(a.row)
	if a.own == nil {
		return
	}
	c := newEdit(&a.site.fn.p.mutants[a.index])
	w, ok := a.site.fn.windowOf(a.site, c)
	if !ok {
		a.own = nil
		return
	}
	if !t.reaches(a.own, a.site.block) {
		a.row[0], a.row[1] = 0, 0
		return
	}
	if a.change = a.site.changeOf(a.own, c, w); a.change == nil {
		a.own = nil
		return
	}
	a.seen.toTheEnd, a.corners.toTheEnd = t.toTheEnd, t.toTheEnd
}

func (t *trier) reaches(own *concrete.Code, block int) bool {
	for k := range t.inputs {
		if t.originals[k].Visited(own, block) {
			return true
		}
	}
	return false
}

// add counts what an input shows of the mutant.
func (a *attempt) add(k int, corner bool, shows *arrivals) {
	a.differs = true
	a.seen.count(shows)
	a.verdicts[k] = shows.last
	if corner {
		a.corners.count(shows)
	}
}

func (a *attempt) same(k int, corner bool, original *concrete.Path) {
	a.seen.same(original)
	a.verdicts[k] = a.seen.last
	if corner {
		a.corners.same(original)
	}
}

// fillTrial fills a trial's columns; corners counts those of the states that are.
func (a *arrivals) fillTrial(corners *arrivals, inputs int, row []float64) {
	row[0], row[1] = share(a.states, inputs), share(a.shown, inputs)
	row[2] = share(a.shown, a.states)
	row[3], row[4] = shareOrMissing(corners.shown, corners.states), shareOrMissing(a.shown-corners.shown, a.states-corners.states)
	row[5], row[6] = share(a.call, a.states), shareOrMissing(a.returned, a.returns)
	row[7], row[8] = share(a.memory, a.states), share(a.local, a.states)
	row[9], row[10] = share(a.trap, a.states), share(a.end, a.states)
	row[11] = a.distance / float64(a.states)
	if a.differing > 0 {
		row[12] = a.soon / float64(a.differing)
	}
}
