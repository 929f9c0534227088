package evaluate

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/winnow-mutants/winnow/dataset"
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
	// Unknown[i] are the tests of which it is not known whether they kill
	// Mutants[i]; nil when all is known. A label that hangs on them is not
	// learnt nor judged; Simulate takes them for tests that do not kill.
	Unknown []matrix.Bits
	// Reveals are the tests on which the faulty program's output differs from
	// the fixed program's.
	Reveals matrix.Bits

	// Features[i] is the feature row of Mutants[i], with the values of Columns;
	// NaN is missing. Both are nil where no model is trained.
	Features [][]float64
	Columns  []string
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
	if s.Unknown != nil && len(s.Unknown) != len(s.Kills) {
		return fmt.Errorf("%w %s: %d sets of unknown verdicts for %d mutants", ErrSubject, s.Name(), len(s.Unknown), len(s.Kills))
	}
	for _, sets := range [][]matrix.Bits{s.Kills, s.Unknown} {
		for i, set := range sets {
			if set.Len() != s.Tests() {
				return fmt.Errorf("%w %s: mutant %s has verdicts on %d tests, the pool has %d", ErrSubject, s.Name(), s.Mutants[i].ID, set.Len(), s.Tests())
			}
		}
	}
	if s.Features != nil && len(s.Features) != len(s.Mutants) {
		return fmt.Errorf("%w %s: %d feature rows for %d mutants", ErrSubject, s.Name(), len(s.Features), len(s.Mutants))
	}
	for i, row := range s.Features {
		if len(row) != len(s.Columns) {
			return fmt.Errorf("%w %s: mutant %s has %d features, there are %d columns", ErrSubject, s.Name(), s.Mutants[i].ID, len(row), len(s.Columns))
		}
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
	left.Mutants, left.Kills, left.Unknown, left.Features = nil, nil, nil, nil
	left.Reveals = project(s.Reveals, others)
	for i, kill := range s.Kills {
		if kill.Intersects(existing) {
			continue
		}
		left.Mutants = append(left.Mutants, s.Mutants[i])
		left.Kills = append(left.Kills, project(kill, others))
		if s.Unknown != nil {
			left.Unknown = append(left.Unknown, project(s.Unknown[i], others))
		}
		if s.Features != nil {
			left.Features = append(left.Features, s.Features[i])
		}
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

// evidence is the subject in the terms of package dataset's labels.
func (s *Subject) evidence() *dataset.Evidence {
	e := &dataset.Evidence{Killed: s.Kills, Unknown: s.Unknown, Reveals: s.Reveals, Tests: make([]string, s.Tests())}
	for test := range e.Tests {
		e.Tests[test] = strconv.Itoa(test)
	}
	for _, m := range s.Mutants {
		e.Mutants = append(e.Mutants, m.ID)
	}
	if s.Unknown == nil {
		e.Unknown = make([]matrix.Bits, len(s.Kills))
		for i := range e.Unknown {
			e.Unknown[i] = matrix.NewBits(s.Tests())
		}
	}
	return e
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
