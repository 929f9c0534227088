package features

import (
	"math"
	"slices"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/mutant"
)

var trials = Family{
	Name: "trials",
	Doc: "What the change shows when its function is run from its beginning on drawn inputs (analysis/concrete), with and without it, for at most 1,024 instructions (that of main for 12,288, or 4,096 where it does not end by then): " +
		"what is printed, calls that leave the module, with their arguments, the returned value and memory that outlives the function, as in the family exits. " +
		"All but the first two columns are of the inputs on which the original comes to the mutant, and missing when there are none.",
	Columns: trialColumns("trial", "its function"),
	PerMutant: func(s *site, m *mutant.Mutant, row []float64) {
		if s.fn.code.Func == s.p.main {
			s.p.fromMain(m, row)
			return
		}
		s.fromFunction(m, row)
	},
}

var programTrials = Family{
	Name: "programtrials",
	Doc: "The same from the beginning of main, through the functions that it calls, for at most 12,288 instructions, or 4,096 where it does not end by then: what it reads is made up in the form that it asks for, and what it prints is compared as text. " +
		"Missing where the module has no main, and where the mutant's function is too far away.",
	Columns: trialColumns("program", "the program"),
	PerMutant: func(s *site, m *mutant.Mutant, row []float64) {
		s.p.fromMain(m, row)
	},
}

func missing(row []float64) {
	for k := range row {
		row[k] = math.NaN()
	}
}

// trialWidth is how many trialColumns there are.
var trialWidth = len(trialColumns("", ""))

// trialColumns are the columns of what is shown when what is run from its beginning.
func trialColumns(prefix, what string) []Column {
	columns := []Column{
		{Name: "_reach_inputs", Doc: "share of the inputs tried of " + what + " on which the original comes to the mutant"},
		{Name: "_shown_all_share", Doc: "share of the inputs tried on which something differs that is shown"},
		{Name: "_shown_share", Doc: "the same of the inputs that reach the mutant"},
		{Name: "_corner_share", Doc: "the same of those that are corners: all numbers zero, equal, or near zero"},
		{Name: "_typical_share", Doc: "the same of the others"},
		{Name: "_call_share", Doc: "share of the inputs on which another text is printed or another call is made"},
		{Name: "_return_share", Doc: "share of the inputs on which both come to the end that return another value; missing when there are none"},
		{Name: "_memory_share", Doc: "share of the inputs that leave other values in memory that is not local"},
		{Name: "_local_share", Doc: "share of the inputs that leave other values in local variables only"},
		{Name: "_trap_share", Doc: "share of the inputs on which only the mutant divides by zero or uses an address near null"},
		{Name: "_end_share", Doc: "share of the inputs on which only one of the two comes to the end in time, and nothing else differs before"},
		{Name: "_differing_share", Doc: "share of the texts, calls and returned values that differ, as far as both were run, on average"},
		{Name: "_soon", Unit: "log2", Doc: "mean of log2(1 + instructions) that run until the first text, call or return that differs; missing when none does"},
	}
	for k := range columns {
		c := &columns[k]
		c.Name, c.Source, c.Layout = prefix+c.Name, "own", true
		if c.Unit == "" {
			c.Unit = "share"
		}
	}
	return columns
}

// The inputs are of seeds: the first on which the original comes to a block that it did
// not come to before, and then the others in order.
const (
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
	limit int
	// toTheEnd says that what is run is the program: what it leaves in memory nobody sees.
	toTheEnd  bool
	root      *concrete.Code
	inputs    []uint64
	limits    [inputsTried]int // by input
	originals [inputsTried]concrete.Path
	walker    concrete.Walker
}

// attempt is the trial of a mutant.
type attempt struct {
	site   *site
	mutant *mutant.Mutant
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
	t.root, t.inputs = root, drawInputs(root, &t.originals[0], t.limit)
	for k, seed := range t.inputs {
		path := &t.originals[k]
		path.Trace, t.limits[k] = true, t.limit
		if root.Along(path, seed, 0, t.limit); path.Length() > mostWithoutEnd && !path.Returned {
			t.limits[k] = mostWithoutEnd
			root.Along(path, seed, 0, mostWithoutEnd)
		}
	}
}

// prepare makes the change that is tried; none when no input comes to it.
func (a *attempt) prepare(t *trier) {
	missing(a.row)
	if a.own == nil {
		return
	}
	c := newEdit(a.mutant)
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

// changeOf is what an edit of a site does to its code; nil for what is too long.
func (s *site) changeOf(own *concrete.Code, c *edit, w window) *concrete.Change {
	scratch, ok := own.Scratch(s.fn.replacement(c), c.result, s.block)
	if !ok {
		return nil
	}
	return &concrete.Change{In: own, Code: scratch, At: w.at, Last: w.last, Result: w.result}
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

// functionTrials are the trials of a function's mutants, by their number in the program,
// until all were asked for.
type functionTrials struct {
	rows map[*mutant.Mutant][]float64
	left int
}

// fromFunction fills the columns of a trial of a mutant's function.
func (s *site) fromFunction(m *mutant.Mutant, row []float64) {
	f := s.fn
	if f.tried == nil {
		f.tried = &functionTrials{rows: make(map[*mutant.Mutant][]float64, f.mutants), left: f.mutants}
		var some []*attempt // no more at a time, for each is large
		try := func() {
			s.p.trier.try(f.concreteCode(), some)
			some = some[:0]
		}
		for _, other := range f.sites {
			for _, i := range other.mutants {
				a := &attempt{site: other, mutant: &s.p.mutants[i], own: f.concreteCode(), row: make([]float64, trialWidth)}
				f.tried.rows[a.mutant] = a.row
				if some = append(some, a); len(some) == mostTogether {
					try()
				}
			}
		}
		try()
	}
	copy(row, f.tried.rows[m])
	if f.tried.left--; f.tried.left == 0 {
		f.tried = nil
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

// mainCode is the module's main, ready to be run; nil where there is none.
func (p *program) mainCode() *concrete.Code {
	if p.main != nil && p.mainReady == nil {
		p.mainReady = concrete.Of(p.main, &p.lowered)
	}
	return p.mainReady
}

// mainOf is the function that a program begins with.
func mainOf(m *llir.Module) *llir.Func {
	for _, f := range m.Funcs {
		if f.Name() == "main" && len(f.Blocks) > 0 {
			return f
		}
	}
	return nil
}
