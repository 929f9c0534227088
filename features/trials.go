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
	Doc: "What the change shows when its function is run from its beginning on drawn inputs (analysis/concrete), with and without it, for at most 1,024 instructions (that of main for 12,288): " +
		"what is printed, calls that leave the module, with their arguments, the returned value and memory that outlives the function, as in the family exits. " +
		"All but the first two columns are of the inputs on which the original comes to the mutant, and missing when there are none.",
	Columns: trialColumns("trial", "its function"),
	PerMutant: func(s *site, m *mutant.Mutant, row []float64) {
		if s.fn.code.Func == s.p.main {
			s.p.fromMain(m, row)
			return
		}
		s.p.trier.try(s, s.p.editOf(m), s.fn.concreteCode(), s.fn.concreteCode(), row)
	},
}

var programTrials = Family{
	Name: "programtrials",
	Doc: "The same from the beginning of main, through the functions that it calls, for at most 12,288 instructions: what it reads is made up in the form that it asks for, and what it prints is compared as text. " +
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
	// block, and on others until there are fewestInputs and it has taken mostSteps.
	fewestInputs = 8
	mostSteps    = 48 << 10
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
	var others []candidate
	for seed := uint64(0); len(seeds) < inputsTried && seed < mostCandidates; seed++ {
		if covered.Complete() && len(seeds)+len(others) >= inputsTried {
			break
		}
		root.Along(path, seed, 0, limit)
		switch {
		case covered.Add(path):
			seeds, steps = append(seeds, seed), steps+path.Length()
		case seed < cornersFirst || !concrete.Corner(seed):
			others = append(others, candidate{seed, path.Length()})
		}
	}
	for _, c := range others {
		if len(seeds) == inputsTried || steps > mostSteps && len(seeds) >= fewestInputs {
			break
		}
		seeds, steps = append(seeds, c.seed), steps+c.steps
	}
	slices.Sort(seeds)
	return seeds
}

// trier runs a function, or a program, on drawn inputs; mutants share the original's
// runs, and those of one block what runs before it.
type trier struct {
	limit     int
	root      *concrete.Code
	inputs    []uint64
	originals [inputsTried]concrete.Path
	path      concrete.Path
	// starts are the originals' beginnings, up to a block, where resumes says so.
	own     *concrete.Code
	block   int
	starts  [inputsTried]concrete.Path
	resumes [inputsTried]bool
	// verdicts are those of the last mutant, by input.
	verdicts [inputsTried]verdict
}

// prepare runs the originals, and their beginnings.
func (t *trier) prepare(root, own *concrete.Code, block int) (some bool) {
	if t.root != root {
		t.root, t.own = root, nil
		t.inputs = drawInputs(root, &t.originals[0], t.limit)
		for k, seed := range t.inputs {
			t.originals[k].Trace = true
			root.Along(&t.originals[k], seed, 0, t.limit)
		}
	}
	fresh := t.own != own || t.block != block
	t.own, t.block = own, block
	for k, seed := range t.inputs {
		if !t.originals[k].Visited(own, block) {
			continue
		}
		if some = true; fresh {
			t.resumes[k] = root.Towards(&t.starts[k], seed, own, block, t.limit)
		}
	}
	return some
}

// try runs root with a mutant of own, a function that it calls or is; false when there is
// no code to run.
func (t *trier) try(s *site, c *edit, root, own *concrete.Code, row []float64) bool {
	missing(row)
	clear(t.verdicts[:])
	w, ok := s.fn.windowOf(s, c)
	if !ok {
		return false
	}
	if !t.prepare(root, own, s.block) {
		row[0], row[1] = 0, 0
		return true
	}
	scratch, ok := own.Scratch(c.insts, c.term, c.result, s.block)
	if !ok {
		return false
	}
	change := &concrete.Change{In: own, Code: scratch, At: w.at, Last: w.last, Result: w.result}
	fromMain := s.p.mainReady == root
	seen, corners := arrivals{toTheEnd: fromMain}, arrivals{toTheEnd: fromMain}
	for k, seed := range t.inputs {
		original := &t.originals[k]
		if !original.Visited(own, s.block) {
			continue
		}
		if t.resumes[k] {
			t.path.Resume(&t.starts[k], change, original, t.limit)
		} else {
			root.AlongChanged(&t.path, seed, 0, change, original, t.limit)
		}
		seen.add(original, &t.path)
		t.verdicts[k] = seen.last
		if concrete.Corner(seed) {
			corners.add(original, &t.path)
		}
	}
	seen.fillTrial(&corners, len(t.inputs), row)
	return true
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
		p.mainReady = concrete.OfFunction(p.main)
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
