// Package survivor says how likely another test is to kill a mutant that the tests at hand let live, from what these
// did: which of them come to the mutant, which infect it, and what became of the mutants around it that they infect. A
// mutant that many tests infect, in a function in which what is infected mostly dies, is likely to be equivalent; one
// that no test comes to is as likely to be killed as it was.
//
// Columns are few, and none is of the program's text, so that little is needed to learn from: p(killable), by a model
// that has not seen the tests, is one of them (rows). What is learnt from is suites that were parted, half of the tests
// being at hand and the other half another (package experiment). A Model gives mutants what a strategy reads of it.
package survivor

import (
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/predict"
)

// Suite is what the tests at hand did: sets of tests, by mutant. A test of which it is not known whether it kills a mutant,
// for it was not run on it, is in Unknown, which may be nil.
type Suite struct {
	Kills, Reached, Infected, Unknown []matrix.Bits
}

// SuiteOf is what all tests of a subject did; nil where it is not known which come to its mutants.
func SuiteOf(s *subject.Subject) *Suite {
	if s.Reached == nil {
		return nil
	}
	infected := s.Infected
	if infected == nil { // each test that comes to it is taken to
		infected = s.Reached
	}
	return &Suite{Kills: s.Kills, Reached: s.Reached, Infected: infected, Unknown: s.Unknown}
}

// At is the suite of some of the tests, in an order.
func (s *Suite) At(tests []int) *Suite {
	at := func(sets []matrix.Bits) []matrix.Bits {
		if sets == nil {
			return nil
		}
		out := make([]matrix.Bits, len(sets))
		for m, set := range sets {
			out[m] = set.At(tests)
		}
		return out
	}
	return &Suite{at(s.Kills), at(s.Reached), at(s.Infected), at(s.Unknown)}
}

// known says that of each test it is known whether it kills a mutant.
func (s *Suite) known(mutant int) bool { return s.Unknown == nil || s.Unknown[mutant].Empty() }

// Model says how likely survivors are to be killed by another test.
type Model struct {
	trees       *tree.Compiled
	calibration models.Calibration
}

// ErrColumns is a model of other columns than Columns.
var ErrColumns = errors.New("the model of survivors reads other columns: train it with this version of winnow")

// New is the model of a bundle; nil where that has none.
func New(b *models.Bundle) (*Model, error) {
	if b == nil || b.Survivor == nil {
		return nil, nil
	}
	return Of(b.Survivor, b.Calibration(models.SurvivorFile))
}

// Of is a model of an ensemble.
func Of(e *tree.Ensemble, calibration models.Calibration) (*Model, error) {
	if !slices.Equal(e.Names(), Columns()) {
		return nil, ErrColumns
	}
	trees, err := tree.CompileAll(e)
	if err != nil {
		return nil, fmt.Errorf("the model of survivors: %w", err)
	}
	return &Model{trees, calibration}, nil
}

// Give gives those of the mutants that the suite lets live, and that have a p(killable), the probability that another test
// kills them. Nothing is known beside no tests.
func (m *Model) Give(scores []predict.Score, suite *Suite) error {
	if m == nil || len(suite.Kills) == 0 || suite.Kills[0].Len() == 0 {
		return nil
	}
	places, rows := Rows(scores, suite)
	if len(rows) == 0 {
		return nil
	}
	said, err := m.Predict(rows)
	for k, p := range said {
		scores[places[k]].Another = p
	}
	return err
}

// Predict is the probability of each of some rows of Columns.
func (m *Model) Predict(rows [][]float64) ([]float64, error) {
	all, err := m.trees.PredictAll(rows)
	if err != nil {
		return nil, fmt.Errorf("survivors: %w", err)
	}
	for k, p := range all[0] {
		all[0][k] = m.calibration.Apply(p)
	}
	return all[0], nil
}
