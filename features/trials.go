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
	Doc: "What the change shows when its function is run from its beginning on drawn inputs (analysis/concrete), with and without it, for at most 1,024 instructions (that of main for 4,096): " +
		"calls that leave the module, with their arguments, the returned value and memory that outlives the function, as in the family exits. " +
		"All but the first two columns are of the inputs on which the original comes to the mutant, and missing when there are none.",
	Columns: trialColumns("trial", "its function"),
	PerMutant: func(s *site, m *mutant.Mutant, row []float64) {
		if s.fn.code.Func == s.p.main {
			s.p.triedFromMain(s, m, row)
			return
		}
		s.p.trier.try(s, s.p.editOf(m), s.fn.concreteCode(), s.fn.concreteCode(), row)
	},
}

var programTrials = Family{
	Name: "programtrials",
	Doc: "The same from the beginning of main, through the functions that it calls, for at most 4,096 instructions. " +
		"Missing where the module has no main, and where the mutant's function is too far away.",
	Columns: trialColumns("program", "the program"),
	PerMutant: func(s *site, m *mutant.Mutant, row []float64) {
		s.p.triedFromMain(s, m, row)
	},
}

// triedFromMain fills the columns of a trial of the program. Mutants of main have them
// in both families, one after the other, and are run once.
func (p *program) triedFromMain(s *site, m *mutant.Mutant, row []float64) {
	if p.triedMutant != m {
		p.triedMutant, p.tried = m, slices.Grow(p.tried[:0], len(row))[:len(row)]
		missing(p.tried)
		if root := p.mainCode(); root != nil {
			if own := root.Callee(s.fn.code.Func); own != nil {
				p.programTrier.try(s, p.editOf(m), root, own, p.tried)
			}
		}
	}
	copy(row, p.tried)
}

func missing(row []float64) {
	for k := range row {
		row[k] = math.NaN()
	}
}

// trialColumns are the columns of what is shown when what is run from its beginning.
func trialColumns(prefix, what string) []Column {
	columns := []Column{
		{Name: "_reach_inputs", Doc: "share of drawn inputs of " + what + " on which the original comes to the mutant"},
		{Name: "_shown_all_share", Doc: "share of drawn inputs on which something differs that is shown"},
		{Name: "_shown_share", Doc: "the same of the inputs that reach the mutant"},
		{Name: "_corner_share", Doc: "the same of those that are corners: all numbers zero, equal, or near zero"},
		{Name: "_typical_share", Doc: "the same of the others"},
		{Name: "_call_share", Doc: "share of the inputs on which another call is made, or one with other arguments"},
		{Name: "_return_share", Doc: "share of the inputs on which both come to the end that return another value; missing when there are none"},
		{Name: "_memory_share", Doc: "share of the inputs that leave other values in memory that is not local"},
		{Name: "_local_share", Doc: "share of the inputs that leave other values in local variables only"},
		{Name: "_trap_share", Doc: "share of the inputs on which only the mutant divides by zero or uses an address near null"},
		{Name: "_end_share", Doc: "share of the inputs on which only one of the two comes to the end in time, and nothing else differs before"},
		{Name: "_differing_share", Doc: "share of the calls and returned values that differ, as far as both were run, on average"},
		{Name: "_soon", Unit: "log2", Doc: "mean of log2(1 + instructions) that run until the first call or return that differs; missing when none does"},
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

// inputsDrawn are the seeds of the inputs.
var inputsDrawn = [...]uint64{0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14}

// trier runs a function, or a program, on drawn inputs; mutants share the original's
// runs.
type trier struct {
	limit     int
	root      *concrete.Code
	originals [len(inputsDrawn)]concrete.Path
	path      concrete.Path
}

// try runs root with a mutant of own, a function that it calls or is.
func (t *trier) try(s *site, c *edit, root, own *concrete.Code, row []float64) {
	missing(row)
	w, ok := s.fn.windowOf(s, c)
	if !ok {
		return
	}
	if t.root != root {
		t.root = root
		for k, seed := range inputsDrawn {
			t.originals[k].Trace = true
			root.Along(&t.originals[k], seed, 0, t.limit)
		}
	}
	reached := func(p *concrete.Path) bool { return p.Visited(own, s.block) }
	some := false
	for k := range t.originals {
		some = some || reached(&t.originals[k])
	}
	if !some {
		row[0], row[1] = 0, 0
		return
	}
	scratch, ok := own.Scratch(c.insts, c.term, c.result, s.block)
	if !ok {
		return
	}
	change := &concrete.Change{In: own, Code: scratch, At: w.at, Last: w.last, Result: w.result}
	var seen, corners arrivals
	for k, seed := range inputsDrawn {
		original := &t.originals[k]
		if !reached(original) {
			continue
		}
		root.AlongChanged(&t.path, seed, 0, change, original, t.limit)
		seen.add(original, &t.path)
		if concrete.Corner(seed) {
			corners.add(original, &t.path)
		}
	}
	seen.fillTrial(&corners, row)
}

// fillTrial fills a trial's columns; corners counts those of the states that are.
func (a *arrivals) fillTrial(corners *arrivals, row []float64) {
	row[0], row[1] = share(a.states, len(inputsDrawn)), share(a.shown, len(inputsDrawn))
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
