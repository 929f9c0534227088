// Package criterion holds the matrices of test criteria: which test covers which element,
// an element being a line, a side of a branch, a function or a mutant.
//
// A cell has three values, those of matrix.Verdict: covered, not covered, or unknown
// because the test did not run, does not repeat itself, or its tool failed. An element
// that a test is known to cover is covered; one that none covers, and of which a cell is
// unknown, is undecided and counts for neither side of a score. Where nothing can be
// decided there is no score: never 0 or 100 %.
//
// The matrices of one run are one long table on disk, each with the tool that measured it
// (docs/formats/criteria.md), and one by one in the form of Muteria's files
// (Matrix.WriteText). What runs on different tests told is joined by Merge, in which a
// contradiction is an error: two sources that disagree on a cell have not looked at the
// same program.
package criterion

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/matrix"
)

// The criteria that tools name.
const (
	Line      = "line"
	Statement = "statement"
	Branch    = "branch"
	Function  = "function"
	Weak      = "weak mutation"
	Strong    = "strong mutation"
)

// Matrix is elements x tests, as one tool measured one criterion.
type Matrix struct {
	// Tool measured Criterion.
	Tool, Criterion string
	// Tests and Elements are named; no name repeats.
	Tests, Elements []string
	// Failed says why the tool failed; all cells are unknown then. "": it did not.
	Failed string

	covered, unknown []matrix.Bits // by element: tests; the zero value where there are none
	none             matrix.Bits   // of tests
}

// New returns a matrix in which no test covers anything.
func New(tool, criterion string, tests, elements []string) (*Matrix, error) {
	for what, names := range map[string][]string{"test": tests, "element": elements} {
		seen := make(map[string]bool, len(names))
		for _, name := range names {
			if seen[name] {
				return nil, fmt.Errorf("%s of %s: %s %q occurs twice", criterion, tool, what, name)
			}
			seen[name] = true
		}
	}
	return &Matrix{Tool: tool, Criterion: criterion, Tests: tests, Elements: elements,
		covered: make([]matrix.Bits, len(elements)), unknown: make([]matrix.Bits, len(elements)), none: matrix.NewBits(len(tests))}, nil
}

// Name names the matrix in messages, e.g. "line (gcov)".
func (m *Matrix) Name() string { return fmt.Sprintf("%s (%s)", m.Criterion, m.Tool) }

// Set fills a cell; Killed stands for covered, Survived for not covered.
func (m *Matrix) Set(element, test int, v matrix.Verdict) {
	m.put(m.covered, element, test, v == matrix.Killed)
	m.put(m.unknown, element, test, v == matrix.Unknown)
}

// put makes room for a set when it gets its first member: most elements of large programs have
// none.
func (m *Matrix) put(sets []matrix.Bits, element, test int, member bool) {
	switch {
	case member && sets[element].Len() == 0:
		sets[element] = matrix.NewBits(len(m.Tests))
		fallthrough
	case member:
		sets[element].Set(test)
	case sets[element].Len() > 0:
		sets[element].Clear(test)
	}
}

func (m *Matrix) of(sets []matrix.Bits, element int) matrix.Bits {
	if sets[element].Len() == 0 {
		return m.none
	}
	return sets[element]
}

// SetUnmeasured notes that nothing is known of a test.
func (m *Matrix) SetUnmeasured(test int) {
	for e := range m.Elements {
		m.Set(e, test, matrix.Unknown)
	}
}

// Fail notes that the tool failed: nothing is known of any cell.
func (m *Matrix) Fail(reason string) {
	m.Failed = reason
	for t := range m.Tests {
		m.SetUnmeasured(t)
	}
}

// Cell is what a test says about an element.
func (m *Matrix) Cell(element, test int) matrix.Verdict {
	switch {
	case m.Covering(element).Get(test):
		return matrix.Killed
	case m.Open(element).Get(test):
		return matrix.Unknown
	}
	return matrix.Survived
}

// Covering are the tests that cover an element, Open those of which that is not known. Both are
// the matrix's own sets.
func (m *Matrix) Covering(element int) matrix.Bits { return m.of(m.covered, element) }

// Open are the tests of which it is not known whether they cover the element.
func (m *Matrix) Open(element int) matrix.Bits { return m.of(m.unknown, element) }

// Score counts elements.
type Score struct {
	Elements  int `json:"elements"`
	Covered   int `json:"covered"`
	Undecided int `json:"undecided"`
}

// Share is the covered share of what is decided; NaN where nothing is.
func (s Score) Share() float64 {
	if s.Elements == s.Undecided {
		return math.NaN()
	}
	return float64(s.Covered) / float64(s.Elements-s.Undecided)
}

// Score counts the elements that some test covers, and those of which that is not known.
func (m *Matrix) Score() Score {
	s := Score{Elements: len(m.Elements)}
	for e := range m.Elements {
		switch {
		case !m.covered[e].Empty():
			s.Covered++
		case !m.unknown[e].Empty():
			s.Undecided++
		}
	}
	return s
}

// Source is a matrix and the name of where it comes from, for messages.
type Source struct {
	Name string
	*Matrix
}

// Merge returns what two measurements of one criterion of one program know together: the
// elements and tests of a, then those only b has. Knowledge beats unknown, and a cell on
// which they contradict each other is an error that names both sources. A pair that
// neither has is unknown.
func Merge(a, b Source) (*Matrix, error) {
	if a.Tool != b.Tool || a.Criterion != b.Criterion {
		return nil, fmt.Errorf("%s and %s: %s and %s are not one criterion", a.Name, b.Name, a.Matrix.Name(), b.Matrix.Name())
	}
	out, err := New(a.Tool, a.Criterion, union(a.Tests, b.Tests), union(a.Elements, b.Elements))
	if err != nil {
		return nil, err
	}
	for t := range out.Tests {
		out.SetUnmeasured(t)
	}
	for _, src := range []Source{a, b} {
		elements, tests := places(out.Elements), places(out.Tests)
		for e, element := range src.Elements {
			for t, test := range src.Tests {
				v, err := out.Cell(elements[element], tests[test]).Merge(src.Cell(e, t))
				if err != nil {
					return nil, fmt.Errorf("merge %s: %s, test %s: %s and %s disagree: %w", out.Name(), element, test, a.Name, b.Name, err)
				}
				out.Set(elements[element], tests[test], v)
			}
		}
	}
	return out, nil
}

func union(a, b []string) []string {
	out, at := slices.Clone(a), places(a)
	for _, name := range b {
		if _, known := at[name]; !known {
			out = append(out, name)
		}
	}
	return out
}

func places(names []string) map[string]int {
	at := make(map[string]int, len(names))
	for i, name := range names {
		at[name] = i
	}
	return at
}

// WriteText writes the matrix as Muteria does: a line of test names behind the key, then a
// line an element with 1, 0, or -1 where it is not known. Blanks in names become
// underscores, since they separate.
func (m *Matrix) WriteText(w io.Writer) error {
	name := func(s string) string { return strings.Join(strings.Fields(s), "_") }
	line := []string{"MUTERIA_MATRIX_KEY_COL"}
	for _, t := range m.Tests {
		line = append(line, name(t))
	}
	for e := -1; e < len(m.Elements); e++ {
		if e >= 0 {
			line = []string{name(m.Elements[e])}
			for t := range m.Tests {
				line = append(line, fmt.Sprint(m.Cell(e, t).Code()))
			}
		}
		if _, err := fmt.Fprintln(w, strings.Join(line, " ")); err != nil {
			return err
		}
	}
	return nil
}
