package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/winnow-mutants/winnow/models/tree"
)

// PermutationImportance returns, per feature of e, by how much the mean loss on
// data grows when the feature's values are dealt out to the rows at random
// (Breiman, "Random forests" (2001)), as the mean of some repetitions. Unlike the
// gains it is measured on data that may be new to the model, and does not favour
// columns with many values. A feature that no tree reads has 0. The columns of
// data must be those of the model, in its order.
func PermutationImportance(ctx context.Context, e *tree.Ensemble, data *Data, objective Objective, repetitions int, seed uint64, workers int) ([]float64, error) {
	o := Options{Objective: objective, Workers: workers}.withDefaults()
	if err := checkData(data, &o); err != nil {
		return nil, fmt.Errorf("importance: %w", err)
	}
	if !slices.Equal(e.Names(), data.Names) {
		return nil, fmt.Errorf("importance: the %d columns of the data are not the %d features of the model", len(data.Names), len(e.Features))
	}
	losses, err := objective.on(data, seed)
	if err != nil {
		return nil, fmt.Errorf("importance: %w", err)
	}
	columns := make([][]float64, len(data.Columns))
	for i := range columns {
		c, err := data.column(i)
		if err != nil {
			return nil, fmt.Errorf("importance: %w", err)
		}
		columns[i] = c.all(data.Rows())
	}
	raw, err := e.RawColumns(columns)
	if err != nil {
		return nil, fmt.Errorf("importance: %w", err)
	}
	before := losses.Loss(raw)
	out, failed := make([]float64, len(columns)), make([]error, len(columns))
	gains := e.Importance()
	parallel(o.Workers, len(columns), func(i int) {
		if gains[i] == 0 {
			return
		}
		table := slices.Clone(columns)
		for k := range repetitions {
			if failed[i] = ctx.Err(); failed[i] != nil {
				return
			}
			table[i] = permuted(columns[i], stream(seed, "importance "+data.Names[i], k))
			raw, err := e.RawColumns(table)
			if err != nil {
				failed[i] = err
				return
			}
			out[i] += (losses.Loss(raw) - before) / float64(repetitions)
		}
	})
	for _, err := range failed {
		if err != nil {
			return nil, fmt.Errorf("importance: %w", err)
		}
	}
	return out, nil
}

func permuted(values []float64, rng *rand.Rand) []float64 {
	out := slices.Clone(values)
	rng.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
