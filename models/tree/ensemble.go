// Package tree is a boosted ensemble of decision trees as data: its structure,
// how it scores, how it explains a score. It neither learns nor reads files.
//
// # Shape
//
// An Ensemble is a list of Trees over a list of Features. The raw score of a row
// is the sum of the leaves it falls into; Predict turns that into what the
// Objective promises, a probability for Binary. The decision rules are those of
// LightGBM (tree.h: NumericalDecision, CategoricalDecision), so package lightgbm
// can write any Ensemble in LightGBM's own format and read it back.
//
// # Missing values
//
// A missing value is NaN, never a number that stands for it. Each numeric node
// carries the direction missing values go; a categorical node sends everything
// that is not in its set right, missing and unheard-of categories included.
//
// # Explanations
//
// Importance sums the gains of the splits of a feature over the ensemble.
// Explainer divides one row's score among the features (Shapley values by the
// polynomial path-dependent algorithm of Lundberg et al.).
package tree

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Objective says what the raw score of an ensemble means.
type Objective uint8

const (
	// Regression: the raw score is the prediction.
	Regression Objective = iota
	// Binary: the raw score is a log-odds, the prediction a probability. It
	// serves both labels 0/1 and ratios in [0, 1] (cross-entropy): the link is
	// the same.
	Binary
	// Ranking: the order of the raw scores within a group of rows is all that they
	// mean. The prediction is the raw score.
	Ranking
)

// String returns "regression", "binary" or "ranking".
func (o Objective) String() string {
	switch o {
	case Binary:
		return "binary"
	case Ranking:
		return "ranking"
	}
	return "regression"
}

// Feature describes a column a model reads.
type Feature struct {
	Name string
	// Min and Max bound the training values of a numeric feature. Both are 0
	// for a column that was constant, and for a categorical one.
	Min, Max float64
	// Categories are the training categories in ascending order; nil for a
	// numeric feature.
	Categories []int
}

// Ensemble is a model: trees whose leaves add up.
type Ensemble struct {
	Objective Objective
	Features  []Feature
	Trees     []Tree
}

// Names returns the feature names in column order.
func (e *Ensemble) Names() []string {
	names := make([]string, len(e.Features))
	for i, f := range e.Features {
		names[i] = f.Name
	}
	return names
}

// Validate checks that scoring cannot go wrong: at least one tree, every tree
// sound, feature names present and different.
func (e *Ensemble) Validate() error {
	if len(e.Features) == 0 {
		return errors.New("ensemble: no features")
	}
	if len(e.Trees) == 0 {
		return errors.New("ensemble: no trees")
	}
	if e.Objective > Ranking {
		return fmt.Errorf("ensemble: unknown objective %d", e.Objective)
	}
	seen := make(map[string]int, len(e.Features))
	for i, f := range e.Features {
		if f.Name == "" {
			return fmt.Errorf("ensemble: feature %d has no name", i)
		}
		if before, ok := seen[f.Name]; ok {
			return fmt.Errorf("ensemble: features %d and %d are both called %q", before, i, f.Name)
		}
		seen[f.Name] = i
		if !finite(f.Min) || !finite(f.Max) || f.Min > f.Max {
			return fmt.Errorf("ensemble: feature %q ranges from %v to %v", f.Name, f.Min, f.Max)
		}
	}
	for i := range e.Trees {
		if err := e.Trees[i].Validate(len(e.Features)); err != nil {
			return fmt.Errorf("ensemble: tree %d: %w", i, err)
		}
	}
	return nil
}

// Raw returns the sum of the leaves that row falls into: log-odds for a Binary
// ensemble. It panics when row is shorter than Features, a mistake of the
// caller.
func (e *Ensemble) Raw(row []float64) float64 {
	sum := 0.0
	for i := range e.Trees {
		t := &e.Trees[i]
		sum += t.Leaves[t.Leaf(row)].Value
	}
	return sum
}

// Predict returns the prediction for one row: a probability in [0, 1] for a
// Binary ensemble, else the raw score. It panics as Raw does.
func (e *Ensemble) Predict(row []float64) float64 { return e.Objective.Link(e.Raw(row)) }

// Link turns a raw score into a prediction.
func (o Objective) Link(raw float64) float64 {
	if o == Binary {
		return 1 / (1 + math.Exp(-raw))
	}
	return raw
}

// transposedRows is how many rows are turned from columns into rows at a time: few
// enough to stay in the cache next to the trees.
const transposedRows = 64

// RawColumns returns Raw for every row of a column-major table: columns[f][r] is
// feature f of row r. It fails when the shape does not fit.
func (e *Ensemble) RawColumns(columns [][]float64) ([]float64, error) {
	if len(columns) != len(e.Features) {
		return nil, fmt.Errorf("scoring: the table has %d columns, the model %d features", len(columns), len(e.Features))
	}
	rows := len(columns[0])
	for i, c := range columns {
		if len(c) != rows {
			return nil, fmt.Errorf("scoring: column %q has %d rows, column %q has %d", e.Features[i].Name, len(c), e.Features[0].Name, rows)
		}
	}
	used := e.used()
	width := len(columns)
	block := make([]float64, transposedRows*width)
	out := make([]float64, rows)
	for from := 0; from < rows; from += transposedRows {
		n := min(transposedRows, rows-from)
		for _, f := range used {
			for r, x := range columns[f][from : from+n] {
				block[r*width+f] = x
			}
		}
		for r := range n {
			out[from+r] = e.Raw(block[r*width : (r+1)*width])
		}
	}
	return out, nil
}

// PredictColumns returns Predict for every row of a column-major table, as
// RawColumns does.
func (e *Ensemble) PredictColumns(columns [][]float64) ([]float64, error) {
	out, err := e.RawColumns(columns)
	for i, raw := range out {
		out[i] = e.Objective.Link(raw)
	}
	return out, err
}

// used lists the features that some node reads, ascending.
func (e *Ensemble) used() []int {
	var used []int
	for i := range e.Trees {
		for j := range e.Trees[i].Nodes {
			used = append(used, int(e.Trees[i].Nodes[j].Feature))
		}
	}
	slices.Sort(used)
	return slices.Compact(used)
}

// Importance returns, per feature, the sum of the gains of its splits divided by
// the sum over all features: shares that add up to 1, or all 0 when no tree
// splits.
func (e *Ensemble) Importance() []float64 {
	share := make([]float64, len(e.Features))
	total := 0.0
	for i := range e.Trees {
		for j := range e.Trees[i].Nodes {
			n := &e.Trees[i].Nodes[j]
			share[n.Feature] += n.Gain
			total += n.Gain
		}
	}
	if total > 0 {
		for i := range share {
			share[i] /= total
		}
	}
	return share
}
