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
// form in which they are shipped and in which LightGBM itself would score them.
type Scorer struct {
	columns []string
	// fault, kill, reveal and late may each be nil.
	fault, kill, reveal, late model
}

// model is an ensemble and what corrects its probabilities.
type model struct {
	trees       *tree.Compiled
	calibration models.Calibration
}

// ErrModel is wrapped by the errors about models that do not fit together or
// do not fit the rows.
var ErrModel = errors.New("the models do not fit")

// NewScorer makes a scorer of two models over the same features: the first
// estimates that a mutant reveals a fault, the second that it is killable.
// Either may be nil; its scores are then NaN.
func NewScorer(fault, kill *tree.Ensemble) (*Scorer, error) {
	return newScorer([]scorerPart{
		{name: "fault", ensemble: fault, to: func(s *Scorer) *model { return &s.fault }},
		{name: "kill", ensemble: kill, to: func(s *Scorer) *model { return &s.kill }},
	})
}

// scorerPart is an ensemble and its place in a scorer.
type scorerPart struct {
	name        string
	ensemble    *tree.Ensemble
	calibration models.Calibration
	to          func(*Scorer) *model
}

func newScorer(parts []scorerPart) (*Scorer, error) {
	s := &Scorer{}
	for _, p := range parts {
		if p.ensemble == nil {
			continue
		}
		names := p.ensemble.Names()
		if s.columns != nil && !slices.Equal(s.columns, names) {
			return nil, fmt.Errorf("make a scorer: %w: the %s model reads other features than those before it; train all on one table", ErrModel, p.name)
		}
		s.columns = names
		trees, err := tree.Compile(p.ensemble)
		if err != nil {
			return nil, fmt.Errorf("make a scorer: %s model: %w", p.name, err)
		}
		*p.to(s) = model{trees, p.calibration}
	}
	if s.columns == nil {
		return nil, fmt.Errorf("make a scorer: %w: there is neither a fault model nor a kill model", ErrModel)
	}
	return s, nil
}

// Columns names the features of a row, in order.
func (s *Scorer) Columns() []string { return slices.Clone(s.columns) }

// Scores returns the two probabilities of each row, NaN for a model that the
// scorer lacks. A row holds the values of Columns, NaN where one is missing.
// A model that was not trained as a classifier gives its estimate as it is.
func (s *Scorer) Scores(rows [][]float64) (fault, kill []float64, err error) {
	if fault, err = s.score(&s.fault, rows); err != nil {
		return nil, nil, err
	}
	kill, err = s.score(&s.kill, rows)
	return fault, kill, err
}

func (s *Scorer) score(m *model, rows [][]float64) ([]float64, error) {
	for i, row := range rows {
		if len(row) != len(s.columns) {
			return nil, fmt.Errorf("score: %w the rows: row %d has %d values, the models read %d features", ErrModel, i, len(row), len(s.columns))
		}
	}
	if m.trees == nil {
		none := make([]float64, len(rows))
		for i := range none {
			none[i] = math.NaN()
		}
		return none, nil
	}
	out, err := m.trees.Predict(rows)
	for i, p := range out {
		out[i] = m.calibration.Apply(p)
	}
	return out, err
}

// Apply writes the scores of the rows into mutants, in their order.
func (s *Scorer) Apply(mutants []Score, rows [][]float64) error {
	if len(mutants) != len(rows) {
		return fmt.Errorf("score: %d rows for %d mutants", len(rows), len(mutants))
	}
	fault, kill, err := s.Scores(rows)
	if err != nil {
		return err
	}
	reveal, err := s.score(&s.reveal, rows)
	if err != nil {
		return err
	}
	late, err := s.score(&s.late, rows)
	if err != nil {
		return err
	}
	for i := range mutants {
		m := &mutants[i]
		m.Fault, m.Kill = fault[i], kill[i]
		if s.reveal.trees != nil {
			m.Reveal = reveal[i]
		}
		if s.late.trees != nil {
			m.Late = late[i]
		}
	}
	return nil
}
