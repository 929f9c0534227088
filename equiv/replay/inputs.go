package replay

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

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
	// drawnInputs are drawn as those of trials, variedInputs made of these and of tests.
	drawnInputs, variedInputs = 48, 20_000
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
	// hasArgs says that main asks for arguments.
	hasArgs bool
	all     []given
	search  exampleSearch
	unknown map[string]int
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
	root := concrete.Exact(main, module, with...)
	r := &Inputs{module: module, root: root, hasArgs: len(main.Params) > 1, unknown: map[string]int{}, search: exampleSearch{root: root}}
	r.choose(tests, source)
	return r
}

// Len is how many inputs there are.
func (r *Inputs) Len() int { return len(r.all) }

// Found is an input on which a change does something else.
type Found struct {
	search  *exampleSearch
	change  *concrete.Change
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
// nothing.
func (r *Inputs) Find(f *llir.Func, c *execute.Change) *Found {
	own := r.root.Callee(f)
	if own == nil || c == nil {
		return nil
	}
	block := r.module.Function(f).Code.Items[c.At].Block
	scratch, ok := own.Scratch(c.Code, c.Value, block)
	if !ok {
		return nil
	}
	s := &r.search
	s.change = &concrete.Change{In: own, Code: scratch, At: c.At, Last: c.Last, Result: c.ResultOf}
	return s.among(r.all, func(visits concrete.Visits) bool { return visits.Has(own, block) })
}

// Simple makes the input simpler while the two still differ: lines are left out, words, and
// characters (after Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002,
// in one pass), and numbers come as close to 0 as bisection finds them, which mostly is a limit of
// the program's.
func (f *Found) Simple() *Example {
	s := f.search
	s.change, s.runs, s.steps = f.change, 0, 0
	out := f.example
	for _, apart := range []string{"\n", " ", ""} {
		for _, text := range s.texts(&out, f.kind) {
			text.shorten(apart)
		}
	}
	s.withoutArgs(&out, f.kind)
	s.lessen(&out, f.kind)
	if f.kind == endless && !s.neverEnds(&out) {
		return &f.example
	}
	return &out
}

// given is an input with what the original does on it, and where it comes to.
type given struct {
	test   variation.Test
	ending Ending
	visits concrete.Visits
}

func (r *Inputs) choose(tests []variation.Test, source []byte) {
	s, drawn := &r.search, r.drawn()
	if r.hasArgs && !slices.ContainsFunc(tests, func(t variation.Test) bool { return len(t.Args) > 0 }) {
		drawn = append(drawn, someArguments()...)
	}
	s.limit = s.limitFor(slices.Concat(tests[:min(len(tests), 8)], drawn[:8], drawn[drawnInputs:]))
	s.path.Trace = true
	covered, seen, alike, steps := r.root.Coverage(), map[string]bool{}, map[uint64]int{}, 0
	var waiting []awaiting
	add := func(t variation.Test) (isNew bool) {
		texts := append(slices.Clone(t.Args), string(t.Input))
		for _, f := range t.Files {
			texts = append(texts, f.Name, f.Text)
		}
		key := strings.Join(texts, "\x00")
		if len(key) > longestExample || seen[key] || !legible(texts...) || slices.Contains(t.Args, "") {
			return false
		}
		seen[key] = true
		e, ok := s.run(t, nil)
		steps += s.path.Length()
		if asked := s.path.Asked; len(asked) > 0 && len(waiting) < mostWaiting && len(t.Files) < mostFiles {
			if w := (awaiting{t, asked[0]}); !slices.ContainsFunc(waiting, w.like) {
				waiting = append(waiting, w)
			}
		}
		if !ok || !e.Ended {
			if s.path.Unknown != "" {
				r.unknown[s.path.Unknown]++
			}
			return false
		}
		isNew = covered.Add(&s.path)
		if blocks := s.path.Visits().Hash(); alike[blocks] < mostAlike {
			alike[blocks]++
			t.Input, t.Args, t.Files = bytes.Clone(t.Input), slices.Clone(t.Args), slices.Clone(t.Files)
			r.all = append(r.all, given{t, e, s.path.Visits()})
		}
		return isNew
	}
	var first []variation.Test
	for _, t := range tests {
		add(t)
		first = append(first, t)
	}
	for _, t := range drawn {
		if add(t) || len(first) == 0 {
			t.Input = s.withoutIdleLines(t)
			first = append(first, t)
		}
	}
	for k := 0; k < len(waiting); k++ { // which may become more
		for _, t := range r.withFile(waiting[k].test, waiting[k].file) {
			if add(t) {
				first = append(first, t)
			}
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
		if add(t) {
			varied.Add(t)
		}
	}
	s.path.Trace = false
	slices.SortStableFunc(r.all, func(a, b given) int { return a.length() - b.length() })
}

// length is how much there is to read of an input.
func (g *given) length() int {
	n := len(g.test.Input) + len(strings.Join(g.test.Args, " "))
	for _, f := range g.test.Files {
		n += len(f.Text)
	}
	return n
}

// limitFor is how many steps a run may take: more where a quarter of some inputs needs them.
func (s *exampleSearch) limitFor(some []variation.Test) int {
	late := 0
	for _, t := range some {
		if e, ok := s.runFor(t, nil, mostInputSteps); ok && e.Ended && s.path.Length() >= inputSteps {
			late++
		}
	}
	if 4*late >= len(some) {
		return mostInputSteps
	}
	return inputSteps
}

// composed adds words of the source to the ends of inputs, one by one, and then to those that
// came to something new by that: commands with their arguments, which chance puts together rarely.
// The same is done with arguments, where there are any.
func (r *Inputs) composed(from []variation.Test, words []string, add func(t variation.Test) bool) []variation.Test {
	const most = 64
	for k := 0; k < len(from) && k < most; k++ {
		base := bytes.TrimRight(from[k].Input, " \n")
		if len(base) > longestExample/4 {
			continue
		}
		for _, w := range words {
			t := from[k]
			if len(t.Args) == 0 {
				t.Input = append(append(bytes.Clone(base), ' '), w...)
				t.Input = append(bytes.TrimLeft(t.Input, " "), '\n')
			} else if t.Args = append(slices.Clone(t.Args), w); add(t) {
				from = append(from, t)
				continue
			} else if len(t.Files) > 0 { // options come first
				t.Args = append([]string{w}, from[k].Args...)
			} else {
				continue
			}
			if add(t) {
				from = append(from, t)
			}
		}
	}
	return from
}

// withoutIdleLines leaves out lines without which the program comes to the same blocks.
func (s *exampleSearch) withoutIdleLines(t variation.Test) []byte {
	s.run(t, nil)
	blocks := s.path.Visits().Hash()
	lines := bytes.SplitAfter(t.Input, []byte("\n"))
	for k := len(lines) - 1; k >= 0 && len(lines) > 1; k-- {
		fewer := slices.Delete(slices.Clone(lines), k, k+1)
		s.run(variation.Test{Input: bytes.Join(fewer, nil), Args: t.Args, Files: t.Files}, nil)
		if s.path.Visits().Hash() == blocks {
			lines = fewer
		}
	}
	return bytes.Join(lines, nil)
}

// mostArguments are given to a program that takes some, where no test says how many.
const mostArguments = 14

// someArguments are small numbers, all alike and all different, as many as a program may ask for.
func someArguments() (out []variation.Test) {
	for n := 1; n <= mostArguments; n++ {
		alike, different := make([]string, n), make([]string, n)
		for k := range n {
			alike[k], different[k] = "1", strconv.Itoa(n-k)
		}
		out = append(out, variation.Test{Args: alike}, variation.Test{Args: different})
	}
	return out
}

// awaiting is a test on which a program tries to read a file that there is not.
type awaiting struct {
	test variation.Test
	file string
}

// like says that two tests lack the same: a file of one name, or the argument at one place.
func (w awaiting) like(other awaiting) bool {
	at := slices.Index(w.test.Args, w.file)
	return len(w.test.Files) == len(other.test.Files) && at == slices.Index(other.test.Args, other.file) &&
		(at < 0 && w.file == other.file || at >= 0 && len(w.test.Args) == len(other.test.Args))
}

// mostFiles are given to a program, mostWaiting are the tests that one is added to, and mostContents
// what is in it.
const mostFiles, mostWaiting, mostContents = 3, 12, 24

// withFile are tests with a file that one lacks. Where it is an argument that names it, it is given a
// name that is one.
func (r *Inputs) withFile(t variation.Test, file string) (out []variation.Test) {
	name := file
	if slices.Contains(t.Args, file) && !strings.Contains(file, ".") {
		name = string(rune('a'+len(t.Files))) + ".txt"
	}
	t.Args = slices.Clone(t.Args)
	for k := range t.Args {
		if t.Args[k] == file {
			t.Args[k] = name
		}
	}
	seen := map[string]bool{}
	path := concrete.Path{Transcript: &concrete.Transcript{}}
	for seed := uint64(0); seed < drawnInputs && len(out) < mostContents; seed++ {
		r.root.AlongArgs(&path, seed, t.Args, inputSteps)
		for _, f := range path.Transcript.Files {
			if text := withEnd(f.Text); f.Name == name && !seen[text] {
				seen[text] = true
				with := t
				with.Files = append(slices.Clone(t.Files), inputs.File{Name: name, Text: text})
				if text := withEnd(string(path.Transcript.Read)); text != "" {
					with.Input = []byte(text)
				}
				out = append(out, with)
			}
		}
	}
	return out
}

// withEnd is a text that ends with the end of a line.
func withEnd(text string) string {
	if text != "" && text[len(text)-1] != '\n' {
		text += "\n"
	}
	return text
}

// legible says that people can type texts.
func legible(texts ...string) bool {
	for _, text := range texts {
		for _, b := range []byte(text) {
			if (b < ' ' || b > '~') && b != '\n' && b != '\t' {
				return false
			}
		}
	}
	return true
}

// drawn are the inputs that are drawn, as texts.
func (r *Inputs) drawn() (out []variation.Test) {
	path := concrete.Path{Transcript: &concrete.Transcript{}}
	for seed := range uint64(drawnInputs) {
		r.root.Along(&path, seed, 0, inputSteps)
		out = append(out, variation.Test{Input: []byte(withEnd(string(path.Transcript.Read)))})
	}
	return out
}

// exampleSearch looks for the example of a mutant.
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

// among is the best example among the inputs on which the original comes to the mutant; nil for none.
func (s *exampleSearch) among(originals []given, reached func(concrete.Visits) bool) *Found {
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
		return nil
	}
	t := originals[best].test
	out := &Found{search: s, change: s.change, kind: kind, example: Example{Given: inputs.Given{Input: string(t.Input), Args: t.Args, Files: t.Files}, Original: originals[best].ending, Mutant: ends}}
	if kind == endless && !s.neverEnds(&out.example) {
		return nil
	}
	return out
}

// neverEnds says whether a mutant that did not end on an input does not when it has much longer.
func (s *exampleSearch) neverEnds(e *Example) (ok bool) {
	e.Mutant, ok = s.runFor(e.test(), s.change, max(endlessSteps, endlessTimes*s.limit))
	return ok && !e.Mutant.Ended && !e.Mutant.Crashed
}

func (e *Example) test() variation.Test {
	return variation.Test{Input: []byte(e.Input), Args: slices.Clone(e.Args), Files: slices.Clone(e.Files)}
}

// texts are those of an example that may become shorter, each with what puts another in its place: its
// input and its files.
func (s *exampleSearch) texts(e *Example, kind int) (out []editable) {
	out = append(out, editable{func() string { return e.Input }, func(text string) bool {
		t := e.test()
		t.Input = []byte(text)
		return s.takes(e, kind, t)
	}})
	for k := range e.Files {
		out = append(out, editable{func() string { return e.Files[k].Text }, func(text string) bool {
			t := e.test()
			t.Files[k].Text = text
			return s.takes(e, kind, t)
		}})
	}
	return out
}

// editable is a text of an example.
type editable struct {
	text  func() string
	takes func(text string) bool
}

// shorten leaves out parts of a text that the difference does not need, the last first.
func (e *editable) shorten(apart string) {
	parts := bytes.SplitAfter([]byte(e.text()), []byte(apart))
	for k := len(parts) - 1; k >= 0; k-- {
		if len(parts[k]) == 0 {
			continue
		}
		fewer := slices.Delete(slices.Clone(parts), k, k+1)
		text := bytes.Join(fewer, nil)
		if len(text) > 0 && text[len(text)-1] != '\n' {
			text = append(bytes.TrimRight(text, " "), '\n')
		}
		if e.takes(string(text)) {
			parts = fewer
		}
	}
}

// withoutArgs leaves out arguments that the difference does not need, the last first.
func (s *exampleSearch) withoutArgs(e *Example, kind int) {
	for k := len(e.Args) - 1; k >= 0; k-- {
		t := e.test()
		t.Args = slices.Delete(t.Args, k, k+1)
		s.takes(e, kind, t)
	}
}

// takes makes a test that of an example, if the two versions differ on it in the same way.
func (s *exampleSearch) takes(e *Example, kind int, t variation.Test) bool {
	if s.runs += 2; s.runs > mostSimplified || s.steps > mutantSteps {
		return false
	}
	original, ok := s.run(t, nil)
	if s.steps += s.path.Length(); !ok || !original.Ended {
		return false
	}
	mutant, ok := s.run(t, s.change)
	s.steps += s.path.Length()
	if !ok || mutant.kind(original) != kind {
		return false
	}
	e.Given, e.Original, e.Mutant = inputs.Given{Input: string(t.Input), Args: t.Args, Files: t.Files}, original, mutant
	return true
}

// numeral is a number that stands alone.
var numeral = regexp.MustCompile(`\b[0-9]{1,9}\b`)

// lessen makes the numbers of an example's input, files and arguments smaller.
func (s *exampleSearch) lessen(e *Example, kind int) {
	texts := s.texts(e, kind)
	for k := range e.Args {
		texts = append(texts, editable{func() string { return e.Args[k] }, func(text string) bool {
			t := e.test()
			t.Args[k] = text
			return s.takes(e, kind, t)
		}})
	}
	for _, text := range texts {
		text.lessen()
	}
}

// lessen makes the numbers of a text smaller.
func (e *editable) lessen() {
	text, takes := e.text, e.takes
	for k := range numeral.FindAllStringIndex(text(), -1) {
		with := func(n int) bool {
			now := text()
			at := numeral.FindAllStringIndex(now, -1)
			if k >= len(at) {
				return false
			}
			return takes(now[:at[k][0]] + strconv.Itoa(n) + now[at[k][1]:])
		}
		one := numeral.FindAllString(text(), -1)[k]
		now, err := strconv.Atoi(one)
		if err != nil || strconv.Itoa(now) != one && !with(now) || now == 0 || with(0) {
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
