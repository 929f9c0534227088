package predict

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Scorer gives mutants their two probabilities. It is safe for use by several
// goroutines.
//
// The trees are run by tree.Compiled. The tests compare it with
// github.com/dmitryikh/leaves, which reads the LightGBM text of the models: the
// form in which they are shipped and in which LightGBM itself would score them.
type Scorer struct {
	columns     []string
	fault, kill *tree.Compiled
}

// ErrModel is wrapped by the errors about models that do not fit together or
// do not fit the rows.
var ErrModel = errors.New("the models do not fit")

// NewScorer makes a scorer of two models over the same features: the first
// estimates that a mutant reveals a fault, the second that it is killable.
// Either may be nil; its scores are then NaN.
func NewScorer(fault, kill *tree.Ensemble) (*Scorer, error) {
	s := &Scorer{}
	for _, m := range []struct {
		name string
		from *tree.Ensemble
		to   **tree.Compiled
	}{{"fault", fault, &s.fault}, {"kill", kill, &s.kill}} {
		if m.from == nil {
			continue
		}
		names := m.from.Names()
		if s.columns != nil && !slices.Equal(s.columns, names) {
			return nil, fmt.Errorf("make a scorer: %w: the fault model and the kill model read other features; train both on one table", ErrModel)
		}
		s.columns = names
		var err error
		if *m.to, err = tree.Compile(m.from); err != nil {
			return nil, fmt.Errorf("make a scorer: %s model: %w", m.name, err)
		}
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
	for i, row := range rows {
		if len(row) != len(s.columns) {
			return nil, nil, fmt.Errorf("score: %w the rows: row %d has %d values, the models read %d features", ErrModel, i, len(row), len(s.columns))
		}
	}
	if fault, err = predictRows(s.fault, rows); err != nil {
		return nil, nil, err
	}
	kill, err = predictRows(s.kill, rows)
	return fault, kill, err
}

func predictRows(model *tree.Compiled, rows [][]float64) ([]float64, error) {
	if model != nil {
		return model.Predict(rows)
	}
	none := make([]float64, len(rows))
	for i := range none {
		none[i] = math.NaN()
	}
	return none, nil
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
	for i := range mutants {
		mutants[i].Fault, mutants[i].Kill = fault[i], kill[i]
	}
	return nil
}
