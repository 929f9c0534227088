package rank

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// explain gives the mutants shown their reasons: the Shapley values of the ensemble that
// the strategy ranks by. Their features are read a second time, a group at a time.
func (r *ranking) explain(ctx context.Context) error {
	if r.features == nil || r.opts.Reasons == 0 || r.opts.MostReasoned > 0 && len(r.shown) > r.opts.MostReasoned {
		return nil
	}
	ensemble := rankedBy(r.opts.Model, r.opts.Strategy)
	if ensemble == nil { // a model of another tool, which does not say why
		return nil
	}
	explainer, err := tree.NewExplainer(ensemble)
	if err != nil {
		return fmt.Errorf("explaining scores: %w", err)
	}
	rank := make(map[int]int, len(r.shown)) // by place
	for k, place := range r.shown {
		rank[place] = k
	}
	names := ensemble.Names()
	listed := slices.Sorted(slices.Values(r.shown))
	holdsSome := func(from, to int) bool {
		at, _ := slices.BinarySearch(listed, from)
		return at < len(listed) && listed[at] < to
	}
	// An explainer is for one goroutine, and a group of all columns is large.
	return r.read(ctx, pass{columns: r.columns, workers: 1, only: holdsSome}, func(from, rows int, columns [][]float64) error {
		row := make([]float64, len(columns))
		for i := range rows {
			k, shown := rank[from+i]
			if !shown {
				continue
			}
			for f := range columns {
				row[f] = columns[f][i]
			}
			r.out.Mutants[k].Reasons = reasonsOf(explainer.Contributions(row), row, names, r.opts.Reasons)
		}
		return nil
	})
}

// rankedBy is the ensemble of a model that a strategy ranks by.
func rankedBy(model *models.Bundle, strategy predict.Strategy) *tree.Ensemble {
	switch {
	case strategy.NeedsModel&predict.NeedsLate != 0 && model.Late != nil:
		return model.Late
	case strategy.NeedsModel == predict.NeedsKill, model.Fault == nil && model.Foreign == nil:
		return model.Kill
	}
	return model.Fault
}

// reasonsOf names the features with the greatest weights, for or against.
func reasonsOf(weights, row []float64, names []string, count int) []report.Reason {
	order := make([]int, len(names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(math.Abs(weights[b]), math.Abs(weights[a]))
	})
	var out []report.Reason
	for _, k := range order[:min(count, len(order))] {
		if weights[k] != 0 {
			out = append(out, report.Reason{Feature: names[k], Value: number.Float(row[k]), Weight: weights[k]})
		}
	}
	return out
}
