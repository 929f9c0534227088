// Package foreign reads what other mutation testing tools recorded: reports in the JSON of
// mutation-testing-elements (Stryker, Mull, PIT and others, and winnow itself), the SQLite
// databases of Mull, and that of dextool mutate. Package dataset/mart reads Mart's and Muteria's.
//
// Each reader makes a Report, and a Report makes a dataset.Subject: mutants, kills, the sources
// where they are known, and the mutants as changes of them. What a tool does not say is not
// made up:
//
//   - Which test killed a mutant. Where it is not known, the verdict is that of the whole suite,
//     which then stands in the matrix as one test, called "suite". Of such a test alone one
//     cannot learn which mutants subsume which, or how a suite grows.
//   - What the tests behind the first that killed would have said: unknown, unless they are known
//     not to reach the mutant.
//   - Which tests infect a mutant, and what a test cost.
//   - The function that a mutant is in, and features: importer finds winnow's own mutants
//     that make the same change, where the sources are at hand.
package foreign

import (
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/matrix"
)

// Suite is the name of the test that stands for all of them together.
const Suite = "suite"

// Report is what a tool says of a program.
type Report struct {
	// Tool names it, with its version where that is known.
	Tool string
	// Tests are the names of the tests that are told apart.
	Tests   []string
	Mutants []Mutant
	// Sources are the texts of files by their names in Mutants; of some, none is known.
	Sources map[string]string
}

// Mutant is one mutant, and what became of it.
type Mutant struct {
	ID, Operator, File string
	Start, End         Position
	// Offsets are the bytes that are replaced, where the tool names bytes; else both are 0.
	Offsets [2]int
	// Replacement is the text that stands there instead; nil where it is not known.
	Replacement *string
	Fate        Fate
	// Cause is that of a kill.
	Cause matrix.Cause
	// KilledBy are names of tests that kill it; none where it is not known which do.
	KilledBy []string
	// SurvivedBy are names of tests on which it is known to have lived, where not all that reach
	// it say the same.
	SurvivedBy []string
	// ReachedBy are names of tests that reach it, where KnowsReach.
	ReachedBy  []string
	KnowsReach bool
	// Reason is why it was left out, in the tool's words.
	Reason string
	// Micros is how long its runs took, 0 where that is not known.
	Micros int64
}

// Position is a line and a column, from 1; columns count bytes. The zero value is not known.
type Position struct{ Line, Column int }

// Fate is what became of a mutant.
type Fate int

// The fates. An equivalent mutant is one that somebody, or the tool, holds to be one.
const (
	Unknown Fate = iota
	Killed
	Survived
	Unreached
	Invalid
	Suppressed
	Equivalent
)

// named gives mutants ids of their own: tools number them by file.
func (r *Report) named() {
	seen := map[string]bool{}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if m.ID == "" || seen[m.ID] {
			m.ID = m.File + ":" + m.ID
		}
		for seen[m.ID] {
			m.ID += "'"
		}
		seen[m.ID] = true
	}
}

// edit is the bytes of the mutant's file that it replaces; ok says that they and the text are
// known.
func (r *Report) edit(m *Mutant) (start, end int, ok bool) {
	text, known := r.Sources[m.File]
	if !known || m.Replacement == nil {
		return 0, 0, false
	}
	start, end = m.Offsets[0], m.Offsets[1]
	if m.Offsets == [2]int{} {
		var ok1, ok2 bool
		start, ok1 = offset(text, m.Start)
		end, ok2 = offset(text, m.End)
		if !ok1 || !ok2 {
			return 0, 0, false
		}
	}
	if start < 0 || start > end || end > len(text) || text[start:end] == *m.Replacement {
		return 0, 0, false
	}
	// dextool's kinds say which operator is put there; where none was, more is changed than that.
	return start, end, m.Offsets == [2]int{} || isOperator(text[start:end])
}

// offset is the byte of a position; the end of a line is one, too.
func offset(text string, p Position) (int, bool) {
	at := 0
	for range p.Line - 1 {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return 0, false
		}
		at += n + 1
	}
	length := strings.IndexByte(text[at:], '\n')
	if length < 0 {
		length = len(text) - at
	}
	if p.Line < 1 || p.Column < 1 || p.Column-1 > length {
		return 0, false
	}
	return at + p.Column - 1, true
}

// Change is a mutant as a change of a source.
type Change struct {
	File       string
	Start, End int // bytes
	Text       string
}

// Changes are those of the mutants of which one is known, by their place.
func (r *Report) Changes() map[int]Change {
	out := map[int]Change{}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		if start, end, ok := r.edit(m); ok {
			out[i] = Change{m.File, start, end, *m.Replacement}
		}
	}
	return out
}

// suite says that a verdict is known of which one cannot say which test gave it.
func (r *Report) suite() bool {
	return len(r.Tests) == 0 || slices.ContainsFunc(r.Mutants, func(m Mutant) bool { return m.Fate == Killed && len(m.KilledBy) == 0 })
}
