// Package subject holds what experiments work on: a Subject is one fault, which is a
// faulty program with its mutants, the tests of a pool, which of them kill each mutant
// and which reveal the fault. Of a program that nobody knows a fault of (Faultless), one
// learns what its tests kill, and no more.
//
// FromHistory reads subjects from the run folders of a history, with the features that
// are asked for. Features are many and mostly repeat themselves, so that Rows keeps them
// packed, without a loss of any bit. Values are the labels of a subject's mutants, by
// the definitions of package dataset.
package subject

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
)

// Subject is one fault: a faulty program, its mutants and a pool of tests. Or it is a
// program as it is, with its own tests.
type Subject struct {
	// Program and Fault together name the subject and must be unique in a
	// study. Problem is what the program was written to solve: programs of one
	// problem resemble each other. It may be empty.
	Program, Problem, Fault string

	// Class is the kind of fault, e.g. Codeflaws' DCCR; empty where unknown.
	Class string
	// Sources are the SHA-256, in hexadecimal, of the source files that the
	// subject was recorded from; nil where unknown. A model's card holds those
	// it learned from.
	Sources []string

	// Mutants are the mutants of the faulty program, in any order.
	Mutants []predict.Score
	// Kills[i] are the tests that kill Mutants[i]: its output differs from the
	// faulty program's. All sets have the length of Reveals, the pool.
	Kills []matrix.Bits
	// Unknown[i] are the tests of which it is not known whether they kill
	// Mutants[i]; nil when all is known. A label that hangs on them is not
	// learnt nor judged; Simulate takes them for tests that do not kill.
	Unknown []matrix.Bits
	// Reached[i] and Infected[i] are the tests known to execute the place of
	// Mutants[i], and those of them that are not known to make it compute there
	// what the faulty program does. Each is nil where that was not recorded.
	Reached, Infected []matrix.Bits
	// Branches are, for each side of the program's branches, the tests that take it; nil
	// where that is not known, empty where there are no branches.
	Branches []matrix.Bits
	// Reveals are the tests on which the faulty program's output differs from
	// the fixed program's.
	Reveals matrix.Bits
	// Faultless says that no fault is known: Reveals is empty, and says nothing.
	Faultless bool

	// Told is what testers said of Mutants[i], which labels follow; nil when they
	// said nothing.
	Told []dataset.Told
	// Lived are the mutants that the tests of an earlier version let live, by id.
	Lived map[string]bool

	// Features are the feature rows of Mutants, with the values of Columns; NaN
	// is missing. Both are nil where no model is trained.
	Features *Rows
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
	for _, o := range s.optional() {
		if *o.sets != nil && len(*o.sets) != len(s.Kills) {
			return fmt.Errorf("%w %s: %d sets of %s for %d mutants", ErrSubject, s.Name(), len(*o.sets), o.name, len(s.Kills))
		}
	}
	for _, sets := range [][]matrix.Bits{s.Kills, s.Unknown, s.Reached, s.Infected} {
		for i, set := range sets {
			if set.Len() != s.Tests() {
				return fmt.Errorf("%w %s: mutant %s has verdicts on %d tests, the pool has %d", ErrSubject, s.Name(), s.Mutants[i].ID, set.Len(), s.Tests())
			}
		}
	}
	for i, set := range s.Branches {
		if set.Len() != s.Tests() {
			return fmt.Errorf("%w %s: side %d of the branches is known on %d tests, the pool has %d", ErrSubject, s.Name(), i, set.Len(), s.Tests())
		}
	}
	if s.Features != nil && s.Features.Len() != len(s.Mutants) {
		return fmt.Errorf("%w %s: %d feature rows for %d mutants", ErrSubject, s.Name(), s.Features.Len(), len(s.Mutants))
	}
	if s.Features != nil && s.Features.Columns() != len(s.Columns) {
		return fmt.Errorf("%w %s: its rows have %d features, %d columns are named", ErrSubject, s.Name(), s.Features.Columns(), len(s.Columns))
	}
	return nil
}

// optional are the sets that a subject may lack, one a mutant.
func (s *Subject) optional() []struct {
	name string
	sets *[]matrix.Bits
} {
	return []struct {
		name string
		sets *[]matrix.Bits
	}{{"unknown verdicts", &s.Unknown}, {"reaching tests", &s.Reached}, {"infecting tests", &s.Infected}}
}

// at returns the subject with the mutants at the given positions, in that
// order, and with their sets as change makes them.
func (s *Subject) at(positions []int, change func(matrix.Bits) matrix.Bits) *Subject {
	out := *s
	pick := func(sets []matrix.Bits) []matrix.Bits {
		if sets == nil {
			return nil
		}
		picked := make([]matrix.Bits, 0, len(positions))
		for _, i := range positions {
			picked = append(picked, change(sets[i]))
		}
		return picked
	}
	out.Mutants, out.Features, out.Told = nil, s.Features.Pick(positions), nil
	for _, i := range positions {
		out.Mutants = append(out.Mutants, s.Mutants[i])
		if s.Told != nil {
			out.Told = append(out.Told, s.Told[i])
		}
	}
	out.Kills = pick(s.Kills)
	for _, o := range out.optional() {
		*o.sets = pick(*o.sets)
	}
	return &out
}

// SortedByID returns the subject with its mutants in the order of their ids,
// in which strategies sort them again and again: sorting the sorted is cheap.
func (s *Subject) SortedByID() *Subject {
	order := make([]int, len(s.Mutants))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(s.Mutants[a].ID, s.Mutants[b].ID) })
	return s.at(order, same)
}

func same(b matrix.Bits) matrix.Bits { return b }

// OnlyReached returns the positions of the mutants that some test of the pool
// is known to reach: a developer with these tests may set the others aside
// without a prediction. ok is false where it is not known what is reached.
func (s *Subject) OnlyReached() (positions []int, ok bool) {
	for i, set := range s.Reached {
		if !set.Empty() {
			positions = append(positions, i)
		}
	}
	return positions, s.Reached != nil
}

// Reached returns the subjects without the mutants that no test reaches, each
// score in its place, and leaves out subjects of which nothing is left. ok is
// false, and there are no subjects, where one does not know what is reached.
func Reached(subjects []Subject) (reached []Subject, ok bool) {
	for i := range subjects {
		positions, known := subjects[i].OnlyReached()
		if !known {
			return nil, false
		}
		if len(positions) > 0 {
			reached = append(reached, *subjects[i].at(positions, same))
		}
	}
	return reached, true
}

// Check checks every subject, and that their names are unique.
func Check(subjects []Subject) error {
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

// Without returns the subject as if the given tests of the pool did not exist:
// all its mutants, and only the other tests count as killing or revealing. It
// keeps a study honest whose features came from running those tests: the labels
// then rest on other ones.
func (s *Subject) Without(existing matrix.Bits) (Subject, error) {
	if err := s.Validate(); err != nil {
		return Subject{}, err
	}
	if existing.Len() != s.Tests() {
		return Subject{}, fmt.Errorf("%w %s: a set of %d tests for a pool of %d", ErrSubject, s.Name(), existing.Len(), s.Tests())
	}
	others := s.Others(existing)
	all := make([]int, len(s.Mutants))
	for i := range all {
		all[i] = i
	}
	left := s.at(all, func(b matrix.Bits) matrix.Bits { return b.At(others) })
	left.Reveals, left.Branches = s.Reveals.At(others), slices.Clone(s.Branches)
	for i, side := range s.Branches {
		left.Branches[i] = side.At(others)
	}
	return *left, nil
}

// Others are all tests but some, in their order.
func (s *Subject) Others(some matrix.Bits) (out []int) {
	for test := range s.Tests() {
		if !some.Get(test) {
			out = append(out, test)
		}
	}
	return out
}

// evidence is the subject in the terms of package dataset's labels.
func (s *Subject) evidence() *dataset.Evidence {
	e := &dataset.Evidence{Killed: s.Kills, Unknown: s.Unknown, Reveals: s.Reveals, Told: s.Told, Lived: s.Lived, Tests: make([]string, s.Tests())}
	for test := range e.Tests {
		e.Tests[test] = strconv.Itoa(test)
	}
	for _, m := range s.Mutants {
		e.Mutants = append(e.Mutants, m.ID)
	}
	if s.Faultless {
		e.Reveals = matrix.Bits{}
	}
	if s.Unknown == nil {
		e.Unknown = make([]matrix.Bits, len(s.Kills))
		for i := range e.Unknown {
			e.Unknown[i] = matrix.NewBits(s.Tests())
		}
	}
	return e
}

// Faulty returns the subjects of which a fault is known.
func Faulty(subjects []Subject) []Subject {
	return slices.DeleteFunc(slices.Clone(subjects), func(s Subject) bool { return s.Faultless })
}

// Ratios returns each mutant's fault-revealing ratio: the share of its killing tests
// that reveal the fault (dissertation, section 5.2.1), NaN where nothing kills it.
func (s *Subject) Ratios() []float64 {
	ratios := make([]float64, len(s.Kills))
	for i, kill := range s.Kills {
		ratios[i] = float64(kill.CountAnd(s.Reveals)) / float64(kill.Count()) // 0/0 is NaN
	}
	return ratios
}

// CheckFeatures is Check of subjects to learn from: they have the same features.
func CheckFeatures(subjects []Subject) error {
	if len(subjects) == 0 {
		return errors.New("no subject to study")
	}
	if err := Check(subjects); err != nil {
		return err
	}
	for i := range subjects {
		s := &subjects[i]
		if len(s.Columns) == 0 || s.Features.Len() != len(s.Mutants) {
			return fmt.Errorf("%w %s: it has no features to learn from", ErrSubject, s.Name())
		}
		if !slices.Equal(s.Columns, subjects[0].Columns) {
			return fmt.Errorf("%w %s: its %d feature columns are not the %d of %s; all subjects need the same ones", ErrSubject,
				s.Name(), len(s.Columns), len(subjects[0].Columns), subjects[0].Name())
		}
	}
	return nil
}

// ByProblem groups subjects by problem, and those that have none by program.
func ByProblem(s *Subject) string {
	if s.Problem != "" {
		return "problem " + s.Problem
	}
	return ByProgram(s)
}

// ByProgram groups subjects by program.
func ByProgram(s *Subject) string { return "program " + s.Program }
