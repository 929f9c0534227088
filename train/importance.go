package train

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Importance is what columns are worth to a model on some data.
type Importance struct {
	// Loss is the mean loss on the data as they are, Increase by how much it grows
	// without what each group of columns tells.
	Loss     float64
	Increase []float64
}

// PermutationImportance measures, for groups of columns of e, by how much the mean
// loss on data grows when the values of a group are dealt out to the rows at random
// (Breiman, "Random forests" (2001)), as the mean of some repetitions. The columns
// of a group are dealt out together, so that one cannot stand in for another: of two
// that say the same, each alone has next to no importance. No groups means each
// column alone. Unlike the gains it is measured on data that may be new to the model,
// and does not favour columns with many values. What no tree reads has 0. The columns
// of data must be those of the model, in its order; a group holds their positions.
func PermutationImportance(ctx context.Context, e *tree.Ensemble, data *Data, objective Objective, groups [][]int, repetitions int, seed uint64, workers int) (*Importance, error) {
	o := Options{Objective: objective, Workers: workers}.withDefaults()
	if err := checkData(data, &o); err != nil {
		return nil, fmt.Errorf("importance: %w", err)
	}
	if !slices.Equal(e.Names(), data.Names) {
		return nil, fmt.Errorf("importance: the %d columns of the data are not the %d features of the model", len(data.Names), len(e.Features))
	}
	losses, err := o.Objective.on(data, seed)
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
	if groups == nil {
		for i := range columns {
			groups = append(groups, []int{i})
		}
	}
	out := &Importance{Loss: losses.Loss(raw), Increase: make([]float64, len(groups))}
	failed, gains := make([]error, len(groups)), e.Importance()
	parallel(o.Workers, len(groups), func(g int) {
		if !slices.ContainsFunc(groups[g], func(i int) bool { return gains[i] > 0 }) {
			return
		}
		table := slices.Clone(columns)
		for k := range repetitions {
			if failed[g] = ctx.Err(); failed[g] != nil {
				return
			}
			for _, i := range groups[g] { // by the same stream: rows stay together
				table[i] = permuted(columns[i], stream(seed, "importance "+data.Names[groups[g][0]], k))
			}
			raw, err := e.RawColumns(table)
			if err != nil {
				failed[g] = err
				return
			}
			out.Increase[g] += (losses.Loss(raw) - out.Loss) / float64(repetitions)
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
