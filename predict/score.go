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

// Reads names those of Columns that some tree reads.
func (s *Scorer) Reads() []string {
	read := make([]bool, len(s.columns))
	for _, m := range s.models() {
		if m.trees != nil {
			for _, f := range m.trees.Reads() {
				read[f] = true
			}
		}
	}
	var out []string
	for f, name := range s.columns {
		if read[f] {
			out = append(out, name)
		}
	}
	return out
}

func (s *Scorer) models() [4]*model { return [...]*model{&s.fault, &s.kill, &s.reveal, &s.late} }

// Scores returns the two probabilities of each row, NaN for a model that the
// scorer lacks. A row holds the values of Columns, NaN where one is missing.
// A model that was not trained as a classifier gives its estimate as it is.
func (s *Scorer) Scores(rows [][]float64) (fault, kill []float64, err error) {
	if err := s.checkWidth(rows); err != nil {
		return nil, nil, err
	}
	score := byRows(rows)
	if fault, err = score(&s.fault); err != nil {
		return nil, nil, err
	}
	kill, err = score(&s.kill)
	return fault, kill, err
}

func (s *Scorer) checkWidth(rows [][]float64) error {
	for i, row := range rows {
		if len(row) != len(s.columns) {
			return fmt.Errorf("score: %w the rows: row %d has %d values, the models read %d features", ErrModel, i, len(row), len(s.columns))
		}
	}
	return nil
}

// scoring gives what a model says of some mutants, one after the other.
type scoring func(m *model) ([]float64, error)

func byRows(rows [][]float64) scoring {
	return func(m *model) ([]float64, error) {
		return m.calibrated(len(rows), func() ([]float64, error) { return m.trees.Predict(rows) })
	}
}

func byColumns(columns [][]float64, rows int) scoring {
	return func(m *model) ([]float64, error) {
		return m.calibrated(rows, func() ([]float64, error) { return m.trees.PredictColumns(columns, rows) })
	}
}

// calibrated corrects predictions; they are NaN of a model that is not there.
func (m *model) calibrated(rows int, predict func() ([]float64, error)) ([]float64, error) {
	if m.trees == nil {
		none := make([]float64, rows)
		for i := range none {
			none[i] = math.NaN()
		}
		return none, nil
	}
	out, err := predict()
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
	if err := s.checkWidth(rows); err != nil {
		return err
	}
	return s.apply(mutants, byRows(rows))
}

// ApplyColumns is Apply for a column-major table: columns[f][r] is the feature
// Columns()[f] of mutant r. Columns that Reads does not name may be nil.
func (s *Scorer) ApplyColumns(mutants []Score, columns [][]float64) error {
	return s.apply(mutants, byColumns(columns, len(mutants)))
}

func (s *Scorer) apply(mutants []Score, score scoring) error {
	var all [4][]float64
	for k, m := range s.models() {
		var err error
		if all[k], err = score(m); err != nil {
			return fmt.Errorf("score: %w", err)
		}
	}
	for i := range mutants {
		m := &mutants[i]
		m.Fault, m.Kill = all[0][i], all[1][i]
		if s.reveal.trees != nil {
			m.Reveal = all[2][i]
		}
		if s.late.trees != nil {
			m.Late = all[3][i]
		}
	}
	return nil
}
