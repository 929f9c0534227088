package predict

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
)

// Scorer gives mutants their two probabilities. It is safe for use by several
// goroutines.
//
// The trees are run by tree.Compiled. The tests compare it with
// github.com/dmitryikh/leaves, which reads the LightGBM text of the models: the
// form in which they are shipped and in which LightGBM itself would score them. Models of
// other tools score by themselves (package models/foreign).
type Scorer struct {
	columns []string
	trees   *tree.Compiled // or
	foreign *models.Foreign
	// fault, kill, reveal and late may each be nil.
	fault, kill, reveal, late *model
}

// model is an ensemble of those that the scorer compiled, and what corrects its
// probabilities, or makes them where it ranks.
type model struct {
	place       int
	ranks       bool
	calibration models.Calibration
}

// ErrModel is wrapped by the errors about models that do not fit together or
// do not fit the rows.
var ErrModel = errors.New("the models do not fit")

// scorerPart is an ensemble and its place in a scorer.
type scorerPart struct {
	name        string
	ensemble    *tree.Ensemble
	calibration models.Calibration
	to          func(*Scorer) **model
}

func newScorer(parts []scorerPart) (*Scorer, error) {
	s := &Scorer{}
	var ensembles []*tree.Ensemble
	for _, p := range parts {
		if p.ensemble == nil {
			continue
		}
		names := p.ensemble.Names()
		if s.columns != nil && !slices.Equal(s.columns, names) {
			return nil, fmt.Errorf("make a scorer: %w: the %s model reads other features than those before it; train all on one table", ErrModel, p.name)
		}
		s.columns = names
		*p.to(s) = &model{len(ensembles), p.ensemble.Objective == tree.Ranking, p.calibration}
		ensembles = append(ensembles, p.ensemble)
	}
	if s.columns == nil {
		return nil, fmt.Errorf("make a scorer: %w: there is neither a fault model nor a kill model", ErrModel)
	}
	var err error
	if s.trees, err = tree.CompileAll(ensembles...); err != nil {
		return nil, fmt.Errorf("make a scorer: %w", err)
	}
	return s, nil
}

// Reads names those of the columns that some tree reads.
func (s *Scorer) Reads() []string {
	if s.foreign != nil {
		return slices.Clone(s.columns)
	}
	var out []string
	for _, f := range s.trees.Reads() {
		out = append(out, s.columns[f])
	}
	return out
}

// of takes a model's predictions from those of all ensembles and corrects them, which
// keeps their order; they are NaN of a model that is not there.
func (m *model) of(all [][]float64, rows int) []float64 {
	if m == nil {
		return slices.Repeat([]float64{math.NaN()}, rows)
	}
	out, correct := all[m.place], m.calibration.Apply
	if m.ranks {
		correct = m.calibration.ApplyScore
	}
	for i, p := range out {
		out[i] = correct(p)
	}
	return out
}

func (s *Scorer) checkWidth(rows [][]float64) error {
	for i, row := range rows {
		if len(row) != len(s.columns) {
			return fmt.Errorf("score: %w the rows: row %d has %d values, the models read %d features", ErrModel, i, len(row), len(s.columns))
		}
	}
	return nil
}

// Apply writes the scores of the rows into mutants, in their order.
func (s *Scorer) Apply(mutants []Score, rows [][]float64) error {
	if len(mutants) != len(rows) {
		return fmt.Errorf("score: %d rows for %d mutants", len(rows), len(mutants))
	}
	if err := s.checkWidth(rows); err != nil {
		return err
	}
	if s.foreign != nil {
		return s.applyForeign(mutants, rows)
	}
	all, err := s.trees.PredictAll(rows)
	return s.apply(mutants, all, err)
}

// ApplyColumns is Apply for a column-major table: columns[f][r] is feature f of
// the bundle's card, of mutant r. Columns that Reads does not name may be nil.
func (s *Scorer) ApplyColumns(mutants []Score, columns [][]float64) error {
	if s.foreign != nil {
		rows := make([][]float64, len(mutants))
		for r := range rows {
			for _, column := range columns {
				rows[r] = append(rows[r], column[r])
			}
		}
		return s.Apply(mutants, rows)
	}
	all, err := s.trees.PredictAllColumns(columns, len(mutants))
	return s.apply(mutants, all, err)
}

// apply writes what the ensembles predict into mutants.
func (s *Scorer) apply(mutants []Score, all [][]float64, err error) error {
	if err != nil {
		return fmt.Errorf("score: %w", err)
	}
	fault, kill := s.fault.of(all, len(mutants)), s.kill.of(all, len(mutants))
	for i := range mutants {
		mutants[i].Fault, mutants[i].Kill = fault[i], kill[i]
	}
	if s.reveal != nil {
		for i, p := range s.reveal.of(all, len(mutants)) {
			mutants[i].Reveal = p
		}
	}
	if s.late != nil {
		for i, p := range s.late.of(all, len(mutants)) {
			mutants[i].Late = p
		}
	}
	return nil
}

// applyForeign is apply for models of other tools.
func (s *Scorer) applyForeign(mutants []Score, rows [][]float64) error {
	for i := range mutants {
		mutants[i].Fault, mutants[i].Kill = math.NaN(), math.NaN()
	}
	for _, part := range []struct {
		score func([][]float64) ([]float64, error)
		set   func(*Score, float64)
	}{{s.foreign.Fault, func(m *Score, p float64) { m.Fault = p }}, {s.foreign.Kill, func(m *Score, p float64) { m.Kill = p }}} {
		if part.score == nil {
			continue
		}
		scores, err := part.score(rows)
		if err != nil {
			return fmt.Errorf("score: %w", err)
		}
		for i, p := range scores {
			part.set(&mutants[i], p)
		}
	}
	return nil
}
