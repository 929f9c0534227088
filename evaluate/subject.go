package evaluate

import (
	"errors"
	"fmt"

	"github.com/winnow-mutants/winnow/evaluate/indicator"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
)

// Subject is one fault: a faulty program, its mutants and a pool of tests.
type Subject struct {
	// Program and Fault together name the subject and must be unique in a
	// study. Problem is what the program was written to solve: programs of one
	// problem resemble each other. It may be empty.
	Program, Problem, Fault string

	// Mutants are the mutants of the faulty program, in any order.
	Mutants []predict.Score
	// Kills[i] are the tests that kill Mutants[i]: its output differs from the
	// faulty program's. All sets have the length of Reveals, the pool.
	Kills []matrix.Bits
	// Reveals are the tests on which the faulty program's output differs from
	// the fixed program's.
	Reveals matrix.Bits

	// Features are the mutants' feature rows, one after the other, Columns
	// values each. Only CrossValidate reads them.
	Features []float64
	Columns  int
}

// ErrSubject is wrapped by every error about a subject that cannot be studied.
var ErrSubject = errors.New("unusable subject")

// Name names the subject in reports, streams and errors.
func (s *Subject) Name() string { return s.Program + "/" + s.Fault }

// Tests is the size of the pool.
func (s *Subject) Tests() int { return s.Reveals.Len() }

// Validate reports a subject whose parts do not fit together.
func (s *Subject) Validate() error {
	if len(s.Kills) != len(s.Mutants) {
		return fmt.Errorf("%w %s: %d killing sets for %d mutants", ErrSubject, s.Name(), len(s.Kills), len(s.Mutants))
	}
	for i, kill := range s.Kills {
		if kill.Len() != s.Tests() {
			return fmt.Errorf("%w %s: mutant %s has verdicts on %d tests, the pool has %d", ErrSubject, s.Name(), s.Mutants[i].ID, kill.Len(), s.Tests())
		}
	}
	if want := len(s.Mutants) * s.Columns; s.Columns < 0 || len(s.Features) != want {
		return fmt.Errorf("%w %s: %d feature values for %d mutants of %d columns", ErrSubject, s.Name(), len(s.Features), len(s.Mutants), s.Columns)
	}
	return nil
}

// validate checks every subject and that their names are unique.
func validate(subjects []Subject) error {
	seen := map[string]bool{}
	for i := range subjects {
		s := &subjects[i]
		if err := s.Validate(); err != nil {
			return err
		}
		if seen[s.Name()] {
			return fmt.Errorf("%w %s: the name occurs twice", ErrSubject, s.Name())
		}
		seen[s.Name()] = true
	}
	return nil
}

// After returns the subject as it is for somebody who already has the given
// tests of the pool: the mutants that they kill are gone, and only the other
// tests count as killing or revealing. It keeps a study honest whose features
// came from running those tests: the labels then rest on other ones.
func (s *Subject) After(existing matrix.Bits) (Subject, error) {
	if err := s.Validate(); err != nil {
		return Subject{}, err
	}
	if existing.Len() != s.Tests() {
		return Subject{}, fmt.Errorf("%w %s: a set of %d tests for a pool of %d", ErrSubject, s.Name(), existing.Len(), s.Tests())
	}
	var others []int
	for test := range s.Tests() {
		if !existing.Get(test) {
			others = append(others, test)
		}
	}
	left := *s
	left.Mutants, left.Kills, left.Features = nil, nil, nil
	left.Reveals = project(s.Reveals, others)
	for i, kill := range s.Kills {
		if kill.Intersects(existing) {
			continue
		}
		left.Mutants = append(left.Mutants, s.Mutants[i])
		left.Kills = append(left.Kills, project(kill, others))
		left.Features = append(left.Features, s.Features[i*s.Columns:(i+1)*s.Columns]...)
	}
	return left, nil
}

// project returns the members of b among the given positions, renumbered.
func project(b matrix.Bits, positions []int) matrix.Bits {
	out := matrix.NewBits(len(positions))
	for to, from := range positions {
		if b.Get(from) {
			out.Set(to)
		}
	}
	return out
}

// Ratios returns each mutant's fault-revealing ratio, NaN where nothing kills
// it.
func (s *Subject) Ratios() []float64 {
	ratios := make([]float64, len(s.Kills))
	for i, kill := range s.Kills {
		ratios[i] = indicator.Ratio(kill, s.Reveals)
	}
	return ratios
}
