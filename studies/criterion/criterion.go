// Package criterion compares test criteria by the faults that the suites find
// which satisfy them: statement and branch coverage, weak and strong mutation.
//
// A criterion turns a subject into elements, and an element is the set of tests
// of the pool that cover (or kill) it. All else follows from these sets and from
// the tests that reveal the fault: the score of a suite, whether a fault is
// coupled with an element, and how often suites with high scores reveal.
//
// Everything is measured on the faulty version. Whether that matters (the clean
// program assumption) is measured by comparing it with the fixed one.
//
// Source: T. Titcheu Chekam's dissertation, chapter 4 (sections 4.2 to 4.5).
package criterion

import (
	"errors"
	"fmt"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/matrix"
)

// Criterion is a rule that says what tests should cover.
type Criterion struct {
	Name, Doc string
	// Elements returns, for each element of a subject, the tests of the pool
	// that cover it, those without any included. It fails, wrapping
	// ErrNotRecorded, where the history does not hold what it takes.
	Elements func(s *subject.Subject) ([]matrix.Bits, error)
}

// ErrNotRecorded is wrapped by the errors about criteria that a history does
// not let one compute.
var ErrNotRecorded = errors.New("not recorded")

// All lists the criteria, the weakest first.
func All() []Criterion {
	return []Criterion{Statement, Branch, Weak, Strong}
}

// Feasible returns the elements that some test of the pool covers. The others
// count as infeasible or equivalent and leave the score alone (dissertation,
// section 4.6).
func Feasible(elements []matrix.Bits) []matrix.Bits {
	var out []matrix.Bits
	for _, e := range elements {
		if !e.Empty() {
			out = append(out, e)
		}
	}
	return out
}

// Coupled says whether the fault is coupled with an element: at least one test
// covers it, and all that do reveal the fault. Whoever covers the element finds
// the fault (dissertation, section 4.4).
func Coupled(element, reveals matrix.Bits) bool {
	return !element.Empty() && element.IsSubset(reveals)
}

// AnyCoupled says whether the fault is coupled with one of the elements.
func AnyCoupled(elements []matrix.Bits, reveals matrix.Bits) bool {
	for _, e := range elements {
		if Coupled(e, reveals) {
			return true
		}
	}
	return false
}

func notRecorded(s *subject.Subject, what, cure string) error {
	return fmt.Errorf("%s: %s %w: %s", s.Name(), what, ErrNotRecorded, cure)
}
