package replay

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/inputs/variation"
	"github.com/winnow-mutants/winnow/symbolic/execute"
)

// Example is an input of a program for which a mutant does something else, and what both do,
// as the interpreter runs them.
type Example struct {
	// Input is the whole standard input; no argument is given.
	Input            string
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
	// drawnInputs are drawn as those of trials, variedInputs made of these and of tests.
	drawnInputs, variedInputs = 48, 20_000
	// mostAlike are kept of those on which the program comes to the same blocks.
	mostAlike = 24
	// longestExample bounds the inputs, in bytes, mostTried those that a mutant is run on, and
	// mostSimplified the runs that it takes to make one simple.
	longestExample, mostTried, mostSimplified = 400, 300, 320
	// inputSteps bounds a run of a program for an example, and allInputSteps the runs that the
	// inputs are chosen by.
	inputSteps, allInputSteps = 12_288, 16 << 20
	// endlessSteps are what a mutant may take before it is said not to end.
	endlessSteps = 1 << 20
)

// Inputs are inputs of a program on which it comes to its end, the shortest first: those that
// package inputs draws, as trials of mutants do, those of its tests, and variations of these
// (inputs/variation) and of the words of its source. Of the variations those are varied in turn
// that come to a block which none before came to, as fuzzers do that are guided by coverage.
type Inputs struct {
	module *op.Module
	root   *concrete.Code
	all    []given
}

// InputsOf makes inputs for the program that a main begins, of functions that module lowers;
// nil for another function. The same program, tests and source give the same inputs.
func InputsOf(main *llir.Func, module *op.Module, tests [][]byte, source []byte) *Inputs {
	if main.Name() != "main" || main.Sig.Variadic {
		return nil
	}
	r := &Inputs{module: module, root: concrete.Root(main, module)}
	r.choose(tests, source)
	return r
}

// Tell looks for an input on which a change of a function, as smt.ChangeOf makes it of what module
// lowers, does what the original does not; nil where it finds none. The input is made simpler
// while the two still differ: lines are left out, words, and characters (after Zeller and Hildebrandt,
// "Simplifying and Isolating Failure-Inducing Input", 2002, in one pass), and numbers come as
// close to 0 as bisection finds them, which mostly is a limit of the program's. What is compared is what
// a user of the program sees, and only runs count in which the interpreter had to guess
// nothing.
func (r *Inputs) Tell(f *llir.Func, c *execute.Change) *Example {
	own := r.root.Callee(f)
	if own == nil || c == nil {
		return nil
	}
	block := r.module.Function(f).Code.Items[c.At].Block
	scratch, ok := own.Scratch(c.Code, c.Value, block)
	if !ok {
		return nil
	}
	s := &exampleSearch{root: r.root, change: &concrete.Change{In: own, Code: scratch, At: c.At, Last: c.Last, Result: c.ResultOf}}
	return s.among(r.all, func(visits concrete.Visits) bool { return visits.Has(own, block) })
}

// given is an input with what the original does on it, and where it comes to.
type given struct {
	text   []byte
	ending Ending
	visits concrete.Visits
}

func (r *Inputs) choose(tests [][]byte, source []byte) {
	s := exampleSearch{root: r.root}
	s.path.Trace = true
	covered, seen, alike, steps := r.root.Coverage(), map[string]bool{}, map[uint64]int{}, 0
	add := func(text []byte) (isNew bool) {
		if len(text) > longestExample || seen[string(text)] || !legible(text) {
			return false
		}
		seen[string(text)] = true
		e, ok := s.run(text, nil)
		if steps += s.path.Length(); !ok || !e.Ended {
			return false
		}
		isNew = covered.Add(&s.path)
		if blocks := s.path.Visits().Hash(); alike[blocks] < mostAlike {
			alike[blocks]++
			r.all = append(r.all, given{bytes.Clone(text), e, s.path.Visits()})
		}
		return isNew
	}
	var first []variation.Test
	for _, text := range tests {
		add(text)
		first = append(first, variation.Test{Input: text})
	}
	for _, text := range r.drawn() {
		if add(text) || len(first) == 0 {
			first = append(first, variation.Test{Input: s.withoutIdleLines(text)})
		}
	}
	words := variation.WordsOf(source)
	first = r.composed(first, words, add)
	varied := variation.New(first, words, 1, "")
	for n := 0; n < variedInputs && steps < allInputSteps; n++ {
		t, ok := varied.Next()
		if !ok {
			break
		}
		if add(t.Input) {
			varied.Add(t)
		}
	}
	slices.SortStableFunc(r.all, func(a, b given) int { return len(a.text) - len(b.text) })
}

// composed adds words of the source to the ends of inputs, one by one, and then to those that
// came to something new by that: commands with their arguments, which chance puts together rarely.
func (r *Inputs) composed(inputs []variation.Test, words []string, add func(text []byte) bool) []variation.Test {
	const most = 64
	for k := 0; k < len(inputs) && k < most; k++ {
		base := bytes.TrimRight(inputs[k].Input, " \n")
		if len(base) > longestExample/4 {
			continue
		}
		for _, w := range words {
			text := append(append(bytes.Clone(base), ' '), w...)
			if text = append(bytes.TrimLeft(text, " "), '\n'); add(text) {
				inputs = append(inputs, variation.Test{Input: text})
			}
		}
	}
	return inputs
}

// withoutIdleLines leaves out lines without which the program comes to the same blocks.
func (s *exampleSearch) withoutIdleLines(text []byte) []byte {
	s.run(text, nil)
	blocks := s.path.Visits().Hash()
	lines := bytes.SplitAfter(text, []byte("\n"))
	for k := len(lines) - 1; k >= 0 && len(lines) > 1; k-- {
		fewer := slices.Delete(slices.Clone(lines), k, k+1)
		s.run(bytes.Join(fewer, nil), nil)
		if s.path.Visits().Hash() == blocks {
			lines = fewer
		}
	}
	return bytes.Join(lines, nil)
}

// legible says that people can type a text.
func legible(text []byte) bool {
	for _, b := range text {
		if (b < ' ' || b > '~') && b != '\n' && b != '\t' {
			return false
		}
	}
	return true
}

// drawn are the inputs that are drawn, as texts.
func (r *Inputs) drawn() (out [][]byte) {
	path := concrete.Path{Transcript: &concrete.Transcript{}}
	for seed := range uint64(drawnInputs) {
		r.root.Along(&path, seed, 0, inputSteps)
		text := bytes.Clone(path.Transcript.Read)
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(text, '\n')
		}
		out = append(out, text)
	}
	return out
}

// exampleSearch looks for the example of a mutant.
type exampleSearch struct {
	root   *concrete.Code
	change *concrete.Change
	path   concrete.Path
	runs   int // to make an example simpler
}

// run is what becomes of a run on an input; false where the interpreter had to guess.
func (s *exampleSearch) run(text []byte, change *concrete.Change) (Ending, bool) {
	return s.runFor(text, change, inputSteps)
}

func (s *exampleSearch) runFor(text []byte, change *concrete.Change, steps int) (Ending, bool) {
	var transcript concrete.Transcript
	s.path.Transcript = &transcript
	s.root.AlongGiven(&s.path, &concrete.Given{Text: text}, change, steps)
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

// among is the best example among the inputs on which the original comes to the mutant; nil for none.
func (s *exampleSearch) among(originals []given, reached func(concrete.Visits) bool) *Example {
	best, kind := -1, same
	var ends Ending
	tried := 0
	for k := range originals {
		if !reached(originals[k].visits) {
			continue
		}
		if tried++; tried > mostTried {
			break
		}
		e, ok := s.run(originals[k].text, s.change)
		if n := e.kind(originals[k].ending); ok && n < kind {
			best, kind, ends = k, n, e
		}
		if kind == 0 {
			break
		}
	}
	if best < 0 {
		return nil
	}
	out := &Example{Input: string(originals[best].text), Original: originals[best].ending, Mutant: ends}
	for _, apart := range []string{"\n", " ", ""} {
		s.shorten(out, kind, apart)
	}
	s.lessen(out, kind)
	if kind == endless {
		var ok bool
		if out.Mutant, ok = s.runFor([]byte(out.Input), s.change, endlessSteps); !ok || out.Mutant.kind(out.Original) == same {
			return nil
		}
	}
	return out
}

// shorten leaves out parts of an example's input that the difference does not need, the last
// first.
func (s *exampleSearch) shorten(e *Example, kind int, apart string) {
	parts := bytes.SplitAfter([]byte(e.Input), []byte(apart))
	for k := len(parts) - 1; k >= 0; k-- {
		if len(parts[k]) == 0 {
			continue
		}
		fewer := slices.Delete(slices.Clone(parts), k, k+1)
		text := bytes.Join(fewer, nil)
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(bytes.TrimRight(text, " "), '\n')
		}
		if s.takes(e, kind, text) {
			parts = fewer
		}
	}
}

// takes makes a text the input of an example, if the two versions differ on it in the same way.
func (s *exampleSearch) takes(e *Example, kind int, text []byte) bool {
	if s.runs += 2; s.runs > mostSimplified {
		return false
	}
	original, ok := s.run(text, nil)
	if !ok || !original.Ended {
		return false
	}
	mutant, ok := s.run(text, s.change)
	if !ok || mutant.kind(original) != kind {
		return false
	}
	e.Input, e.Original, e.Mutant = string(text), original, mutant
	return true
}

// numeral is a number that stands alone.
var numeral = regexp.MustCompile(`\b[0-9]{1,9}\b`)

// lessen makes the numbers of an example's input smaller.
func (s *exampleSearch) lessen(e *Example, kind int) {
	for k := range numeral.FindAllStringIndex(e.Input, -1) {
		with := func(n int) bool {
			at := numeral.FindAllStringIndex(e.Input, -1)
			if k >= len(at) {
				return false
			}
			return s.takes(e, kind, []byte(e.Input[:at[k][0]]+strconv.Itoa(n)+e.Input[at[k][1]:]))
		}
		text := numeral.FindAllString(e.Input, -1)[k]
		now, err := strconv.Atoi(text)
		if err != nil || strconv.Itoa(now) != text && !with(now) || now == 0 || with(0) {
			continue // what needs zeros before it is no number, but a date
		}
		for not := 0; now-not > 1; {
			if n := not + (now-not)/2; with(n) {
				now = n
			} else {
				not = n
			}
		}
	}
}
