package features

import "slices"

var trials = Family{
	Name: "trials",
	Doc: "What the change shows when its function is run from its beginning on drawn inputs (analysis/concrete), with and without it, for at most 1,024 instructions (one that the program is entered by for 12,288, or 4,096 where it does not end by then): " +
		"what is printed, calls that leave the module, with their arguments, the returned value and memory that outlives the function, as in the family exits. " +
		"All but the first two columns are of the inputs on which the original comes to the mutant, and missing when there are none. " +
		"Of the other functions they depend on those that are called; only trial_local_share depends on all that were tried before, where a local variable is looked at whose call has returned: the interpreter may find there what an earlier run left.",
	Columns:  trialColumns("trial", "its function"),
	Requires: []Requirement{functionTrials, rootTrials},
	PerMutant: func(m *mutation, row []float64) {
		if !m.site.fn.isRoot() {
			if t := functionTrials.of(m.site.fn)[m.index]; t != nil {
				copy(row, t.row)
			}
		}
	},
	PerProgram: func(m *mutation, row []float64) {
		if m.site.fn.isRoot() {
			fillFromRoot(m, row)
		}
	},
}

var programTrials = Family{
	Name: "programtrials",
	Doc: "The same from where the program is entered, through the functions that are called, for at most 12,288 instructions, or 4,096 where it does not end by then: what it reads is made up in the form that it asks for, and what it prints is compared as text. " +
		"The program is entered by the functions that are visible from outside and that nothing in the module names, whatever they are called: main, or those of a library's interface. " +
		"Of several the one is taken that comes to the mutant's function on most of its inputs; where none does, the function is run by itself. " +
		"What is left in memory is shown, too, unless the function that is entered has the signature of a program.",
	Columns:    trialColumns("program", "the program"),
	Requires:   []Requirement{rootTrials},
	PerProgram: fillFromRoot,
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
		c.Name, c.Source, c.Beyond = prefix+c.Name, "own", Calls
		if c.Name == prefix+"_local_share" {
			c.Beyond |= Order | Others // see relay
		}
		if c.Unit == "" {
			c.Unit = "share"
		}
	}
	return columns
}

// functionTrials are the trials of a function's mutants, by their number in the program;
// empty when the work was stopped.
var functionTrials = &analysis[*function, map[int]*tried]{
	name: "function on drawn inputs", requires: []Requirement{interpreted, functionTrier},
	find: func(f *function) map[int]*tried {
		out := map[int]*tried{}
		code := interpreted.of(f)
		functionTrier.of(f.p).inTurn(f, func(by *trier) {
			var order []int // site by site
			for _, s := range f.sites {
				order = append(order, s.mutants...)
			}
			for some := range slices.Chunk(order, mostTogether) {
				var attempts []*attempt // no more at a time, for each is large
				for _, i := range some {
					attempts = append(attempts, newAttempt(f.p.siteOf[i], i, code))
				}
				by.try(code, attempts)
				for _, a := range attempts {
					out[a.index] = a.tried(len(by.inputs))
				}
			}
		})
		return out
	},
}

// functionTrier tries the mutants of all functions but roots.
var functionTrier = &analysis[*program, *relay]{
	name: "trier of functions",
	find: func(p *program) *relay {
		r := &relay{trier: trier{limit: functionLimit}, turn: map[*function]int{}, stopped: p.stopped}
		for _, f := range p.inOrder() {
			if !f.isRoot() {
				r.turn[f] = len(r.over)
				r.over = append(r.over, make(chan struct{}))
			}
		}
		return r
	},
}

// relay gives a trier to the functions of a program one after the other, in the order of
// their first mutants, whichever workers they are on. What a trier says of local variables
// may depend on what it ran before: a path of concrete reads, of a call that has returned,
// what an earlier path left there. A trier for each function would be simpler, and is
// what the next models should be trained with; those that are released have learnt from
// one trier for all.
type relay struct {
	trier   trier
	turn    map[*function]int
	over    []chan struct{} // by turn, closed when it is over
	stopped <-chan struct{}
}

func (r *relay) inTurn(f *function, use func(*trier)) {
	turn := r.turn[f]
	if turn > 0 {
		select {
		case <-r.over[turn-1]:
		case <-r.stopped:
			return
		}
	}
	finished := false
	defer func() {
		if !finished { // a bug, which the next shall not inherit
			r.trier = trier{limit: functionLimit}
		}
		close(r.over[turn])
	}()
	use(&r.trier)
	finished = true
}

// isRoot reports a function that the program is entered by.
func (f *function) isRoot() bool { return f.p.roots[f.code.Func] }
