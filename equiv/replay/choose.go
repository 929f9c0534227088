package replay

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/inputs/variation"
)

// given is an input with what the original does on it, and where it comes to.
type given struct {
	test   variation.Test
	ending Ending
	visits concrete.Visits
}

// novelty is what an input adds to those before it: nothing, blocks to which none came together, though
// some came to each of them, or a block to which none came.
type novelty int

const (
	nothingNew novelty = iota
	newTogether
	newBlock
)

func (r *Inputs) choose(tests []variation.Test, source []byte) {
	s, drawn := r.search, r.drawn()
	if r.hasArgs && !slices.ContainsFunc(tests, func(t variation.Test) bool { return len(t.Args) > 0 }) {
		drawn = append(drawn, someArguments()...)
	}
	s.limit = s.limitFor(slices.Concat(tests[:min(len(tests), 8)], drawn[:8], drawn[drawnInputs:]))
	s.path.Trace = true
	covered, seen, alike, steps := r.root.Coverage(), map[string]bool{}, map[uint64]int{}, 0
	var waiting []awaiting
	add := func(t variation.Test) novelty {
		texts := append(slices.Clone(t.Args), string(t.Input))
		for _, f := range t.Files {
			texts = append(texts, f.Name, f.Text)
		}
		key := strings.Join(texts, "\x00")
		if len(key) > longestExample || seen[key] || !legible(texts...) || slices.Contains(t.Args, "") {
			return nothingNew
		}
		seen[key] = true
		e, ok := s.run(t, nil)
		steps += s.path.Length()
		for _, file := range s.path.Asked {
			w := awaiting{t, file}
			if len(waiting) < mostWaiting && len(t.Files) < mostFiles && !slices.ContainsFunc(waiting, w.like) {
				waiting = append(waiting, w)
			}
		}
		if !ok || !e.Ended {
			if s.path.Unknown != "" {
				r.unknown[s.path.Unknown]++
			}
			return nothingNew
		}
		out, blocks := nothingNew, s.path.Visits().Hash()
		switch {
		case covered.Add(&s.path):
			out = newBlock
		case alike[blocks] == 0:
			out = newTogether
		}
		if alike[blocks] < mostAlike {
			alike[blocks]++
			t.Input, t.Args, t.Files = bytes.Clone(t.Input), slices.Clone(t.Args), slices.Clone(t.Files)
			r.all = append(r.all, given{t, e, s.path.Visits()})
		}
		return out
	}
	var first []variation.Test
	for _, t := range tests {
		add(t)
		first = append(first, t)
	}
	for _, t := range drawn {
		if add(t) == newBlock || len(first) == 0 {
			t.Input = s.withoutIdleLines(t)
			first = append(first, t)
		}
	}
	for k := 0; k < len(waiting); k++ { // which may become more
		for _, t := range r.withFile(waiting[k].test, waiting[k].file) {
			if add(t) == newBlock {
				first = append(first, t)
			}
		}
	}
	words := variation.WordsOf(source)
	first = r.composed(first, words, add)
	varied := variation.New(first, words, 1, "")
	for n, last := 0, 0; n < variedInputs && n-last < variedInVain && steps < allInputSteps; n++ {
		t, ok := varied.Next()
		if !ok {
			break
		}
		known := len(r.all)
		if add(t) == newBlock {
			varied.Add(t)
		}
		if len(r.all) > known {
			last = n
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
// came to a new block by that: commands with their arguments, which chance puts together rarely.
// After them words that were of use are added to inputs which came to blocks that are new together: a
// second command that takes a date comes to no block that is new, up to its second argument.
// Of these only those are varied later that came to a new block.
func (r *Inputs) composed(from []variation.Test, words []string, add func(variation.Test) novelty) []variation.Test {
	const most = 64
	useful := map[string]bool{}
	var together []variation.Test
	extend := func(t variation.Test, w string) {
		for _, longer := range withWord(t, w) {
			n := add(longer)
			useful[w] = useful[w] || n != nothingNew
			switch n {
			case newBlock:
				from = append(from, longer)
				return
			case newTogether:
				together = append(together, longer)
			}
		}
	}
	extended := 0
	for ; extended < min(len(from), most); extended++ {
		for _, w := range words {
			extend(from[extended], w)
		}
	}
	for ; len(together) > 0 && extended < most; extended++ {
		t, known := together[0], len(from)
		together = together[1:]
		for _, w := range words {
			if useful[w] {
				extend(t, w)
			}
		}
		together = append(together, from[known:]...)
	}
	return from
}

// withWord are an input with a word at its end, or arguments with one more: at the end, and before those that
// name files, where options come. None for a long one.
func withWord(t variation.Test, w string) []variation.Test {
	base := bytes.TrimRight(t.Input, " \n")
	if len(base) > longestExample/4 {
		return nil
	}
	if len(t.Args) == 0 {
		t.Input = append(append(bytes.Clone(base), ' '), w...)
		t.Input = append(bytes.TrimLeft(t.Input, " "), '\n')
		return []variation.Test{t}
	}
	last, first := t, t
	last.Args, first.Args = append(slices.Clone(t.Args), w), append([]string{w}, t.Args...)
	if len(t.Files) == 0 {
		return []variation.Test{last}
	}
	return []variation.Test{last, first}
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
