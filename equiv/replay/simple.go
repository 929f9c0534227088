package replay

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"

	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/inputs/variation"
)

// Simple makes the input simpler while the two still differ: lines are left out, words, and
// characters (after Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002,
// in one pass), and numbers come as close to 0 as bisection finds them, which mostly is a limit of
// the program's.
func (f *Found) Simple() *Example {
	s := f.in.searchOf(f.f, f.change)
	defer f.in.giveBack(s)
	s.runs, s.steps = 0, 0
	out := f.example
	for _, apart := range []string{"\n", " ", ""} {
		for _, text := range s.texts(&out, f.kind) {
			text.shorten(apart)
		}
	}
	s.withoutArgs(&out, f.kind)
	s.plainArgs(&out, f.kind)
	s.lessen(&out, f.kind)
	if f.kind == endless && !s.neverEnds(&out) {
		return &f.example
	}
	return &out
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

// plainArgs puts 0 in the place of arguments that are neither numbers nor files, where that does as well.
func (s *exampleSearch) plainArgs(e *Example, kind int) {
	for k, arg := range e.Args {
		if _, err := strconv.Atoi(arg); err == nil || slices.ContainsFunc(e.Files, func(f inputs.File) bool { return f.Name == arg }) {
			continue
		}
		t := e.test()
		t.Args[k] = "0"
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
