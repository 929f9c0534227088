package replay

import (
	"maps"
	"slices"
	"strings"
	"sync"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/symbolic/execute"
)

// Example is an input of a program for which a mutant does something else, and what both do,
// as the interpreter runs them.
type Example struct {
	inputs.Given
	Original, Mutant Ending
}

// Ending is what a run of a program comes to.
type Ending struct {
	Printed string
	// Status is what main returns or exit is given, if the run ends in time and does not crash:
	// divide by zero, use an address near null, or give up (abort).
	Status         int
	Ended, Crashed bool
}

const (
	// drawnInputs are drawn as those of trials, variedInputs made of these and of tests, unless so many
	// in a row are made in vain: enough are known that do what they do.
	drawnInputs, variedInputs, variedInVain = 48, 20_000, 4_000
	// mostAlike are kept of those on which the program comes to the same blocks.
	mostAlike = 24
	// longestExample bounds the inputs, in bytes, mostTried those that a mutant is run on, and
	// mostSimplified the runs that it takes to make one simple.
	longestExample, mostTried, mostSimplified = 400, 300, 320
	// inputSteps bounds a run of a program for an example, or mostInputSteps where it hardly ever ends
	// by then; allInputSteps the runs that the inputs are chosen by, and mutantSteps those of a mutant.
	inputSteps, mostInputSteps, allInputSteps, mutantSteps = 12_288, 16 * 12_288, 16 << 20, 1 << 20
	// endlessSteps are what a mutant may take before it is said not to end, or endlessTimes as many as
	// a run may, if that is more.
	endlessSteps, endlessTimes = 1 << 20, 6
)

// Inputs are inputs of a program on which it comes to its end, the shortest first: those that
// package inputs draws, as trials of mutants do, those of its tests, and variations of these
// (inputs/variation) and of the words of its source. Of the variations those are varied in turn
// that come to a block which none before came to, as fuzzers do that are guided by coverage. A file
// that the program tries to read is given to it, with what it reads of a drawn one.
type Inputs struct {
	module *op.Module
	root   *concrete.Code
	again  func() *concrete.Code // compiles the program once more
	// hasArgs says that main asks for arguments.
	hasArgs bool
	all     []given
	search  *exampleSearch // the first, which chose the inputs
	unknown map[string]int

	mu   sync.Mutex
	idle []*exampleSearch
}

// Unknown is the function that most runs call whose input is not known for that, since nobody knows
// what it does; "" for none.
func (r *Inputs) Unknown() (name string) {
	for _, one := range slices.Sorted(maps.Keys(r.unknown)) {
		if r.unknown[one] > r.unknown[name] {
			name = one
		}
	}
	return name
}

// InputsOf makes inputs for the program that a main begins, of functions that module lowers, linked with
// what other modules define; nil for another function. The same program, tests and source give the same
// inputs.
func InputsOf(main *llir.Func, module *op.Module, tests []variation.Test, source []byte, with ...*llir.Module) *Inputs {
	if main.Name() != "main" || main.Sig.Variadic {
		return nil
	}
	again := func() *concrete.Code { return concrete.Exact(main, module, with...) }
	root := again()
	r := &Inputs{module: module, root: root, again: again, hasArgs: len(main.Params) > 1, unknown: map[string]int{}, search: &exampleSearch{root: root}}
	r.choose(tests, source)
	r.idle = append(r.idle, r.search)
	return r
}

// Len is how many inputs there are.
func (r *Inputs) Len() int { return len(r.all) }

// Found is an input on which a change does something else.
type Found struct {
	in      *Inputs
	f       *llir.Func
	change  *execute.Change
	example Example
	kind    int
}

// Holds says whether the program comes to a function, as far as names say; Whole that what it does not
// come to is known.
func (r *Inputs) Holds(f *llir.Func) bool { return r.root.Callee(f) != nil }

// Whole says that all of the program is known, which is not so of a very large one.
func (r *Inputs) Whole() bool { return r.root.Whole() }

// Reach says whether the program comes to a change of a function on some input.
func (r *Inputs) Reach(f *llir.Func, c *execute.Change) bool {
	own := r.root.Callee(f)
	if own == nil || c == nil {
		return false
	}
	block := r.module.Function(f).Code.Items[c.At].Block
	return slices.ContainsFunc(r.all, func(g given) bool { return g.visits.Has(own, block) })
}

// Find looks for an input on which a change of a function, as smt.ChangeOf makes it of what module
// lowers, does what the original does not; nil where it finds none. What is compared is what
// a user of the program sees, and only runs count in which the interpreter had to guess
// nothing. Many may ask at once, and are answered as if they asked one by one.
func (r *Inputs) Find(f *llir.Func, c *execute.Change) *Found {
	original := r.root.Callee(f)
	if original == nil || c == nil {
		return nil
	}
	s := r.searchOf(f, c)
	if s == nil {
		return nil
	}
	defer r.giveBack(s)
	block := r.module.Function(f).Code.Items[c.At].Block
	best, kind := s.among(r.all, func(visits concrete.Visits) bool { return visits.Has(original, block) })
	if best == nil {
		return nil
	}
	return &Found{in: r, f: f, change: c, example: *best, kind: kind}
}

// searchOf is a search that nobody uses, of a change; nil for one that is too long. It is given back.
func (r *Inputs) searchOf(f *llir.Func, c *execute.Change) *exampleSearch {
	s := r.borrow()
	own := s.root.Callee(f)
	scratch, ok := own.Scratch(c.Code, c.Value, r.module.Function(f).Code.Items[c.At].Block)
	if !ok {
		r.giveBack(s)
		return nil
	}
	s.change = &concrete.Change{In: own, Code: scratch, At: c.At, Last: c.Last, Result: c.ResultOf}
	return s
}

func (r *Inputs) borrow() *exampleSearch {
	r.mu.Lock()
	defer r.mu.Unlock()
	if n := len(r.idle); n > 0 {
		s := r.idle[n-1]
		r.idle = r.idle[:n-1]
		return s
	}
	return &exampleSearch{root: r.again(), limit: r.search.limit}
}

func (r *Inputs) giveBack(s *exampleSearch) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.idle = append(r.idle, s)
}

// exampleSearch looks for the example of a mutant, or makes it simple.
type exampleSearch struct {
	root   *concrete.Code
	limit  int
	change *concrete.Change
	path   concrete.Path
	runs   int // to make an example simpler
	steps  int // of these
}

// run is what becomes of a run on an input; false where the interpreter had to guess.
func (s *exampleSearch) run(t variation.Test, change *concrete.Change) (Ending, bool) {
	return s.runFor(t, change, s.limit)
}

func (s *exampleSearch) runFor(t variation.Test, change *concrete.Change, steps int) (Ending, bool) {
	var transcript concrete.Transcript
	s.path.Transcript = &transcript
	s.root.AlongGiven(&s.path, &concrete.Given{Text: t.Input, Args: t.Args, Files: t.Files}, change, steps)
	e := Ending{Printed: string(transcript.Printed), Ended: s.path.Returned, Crashed: s.path.Trapped}
	if e.Ended {
		e.Status = int(s.path.Value() & 0xff)
	}
	return e, !s.path.Guessed
}

// kind orders the ways in which a mutant differs: those that are told best come first. White
// space at the ends of lines and of the text is no difference, as in tests.
func (e Ending) kind(original Ending) int {
	switch {
	case e.Ended && trimmed(e.Printed) != trimmed(original.Printed):
		return 0
	case e.Crashed:
		return 1
	case e.Ended && e.Status != original.Status:
		return 2
	case !e.Ended:
		return endless
	}
	return same
}

const endless, same = 3, 4

func trimmed(text string) string {
	lines := strings.Split(text, "\n")
	for k := range lines {
		lines[k] = strings.TrimRight(lines[k], " \t\r\v\f")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// among is the best example among the inputs on which the original comes to the mutant, and its kind; nil
// for none.
func (s *exampleSearch) among(originals []given, reached func(concrete.Visits) bool) (example *Example, kind int) {
	best, kind := -1, same
	var ends Ending
	tried, steps := 0, 0
	for k := range originals {
		if !reached(originals[k].visits) {
			continue
		}
		if tried++; tried > mostTried || steps > mutantSteps {
			break
		}
		e, ok := s.run(originals[k].test, s.change)
		steps += s.path.Length()
		if n := e.kind(originals[k].ending); ok && n < kind {
			best, kind, ends = k, n, e
		}
		if kind == 0 {
			break
		}
	}
	if best < 0 {
		return nil, same
	}
	t := originals[best].test
	example = &Example{Given: inputs.Given{Input: string(t.Input), Args: t.Args, Files: t.Files}, Original: originals[best].ending, Mutant: ends}
	if kind == endless && !s.neverEnds(example) {
		return nil, same
	}
	return example, kind
}

// neverEnds says whether a mutant that did not end on an input does not when it has much longer.
func (s *exampleSearch) neverEnds(e *Example) (ok bool) {
	e.Mutant, ok = s.runFor(e.test(), s.change, max(endlessSteps, endlessTimes*s.limit))
	return ok && !e.Mutant.Ended && !e.Mutant.Crashed
}
