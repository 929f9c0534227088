package train

import (
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/models/tree"
)

// warmStart prepares a model to be continued on data: its trees with their
// features renumbered to the columns of data, which it must all find there by
// name.
func warmStart(from *tree.Ensemble, data *Data, o *Options) ([]tree.Tree, error) {
	if from.Objective != o.Objective.Link {
		return nil, fmt.Errorf("warm start: the model's scores are those of %s, the objective %s needs %s", from.Objective, o.Objective.Name, o.Objective.Link)
	}
	column := make(map[string]int32, len(data.Names))
	for i, name := range data.Names {
		column[name] = int32(i)
	}
	trees := make([]tree.Tree, len(from.Trees))
	for i, t := range from.Trees {
		t.Nodes, t.Leaves = slices.Clone(t.Nodes), slices.Clone(t.Leaves)
		for j := range t.Nodes {
			n := &t.Nodes[j]
			name := from.Features[n.Feature].Name
			at, known := column[name]
			if !known {
				return nil, fmt.Errorf("warm start: the model reads %q, which the data lack", name)
			}
			if n.Decision == tree.Categorical {
				return nil, fmt.Errorf("warm start: %q is a category to the model, and a number in the data", name)
			}
			n.Feature = at
		}
		trees[i] = t
	}
	return trees, nil
}

// widen makes the range of every feature cover what the earlier model saw.
func widen(features []tree.Feature, earlier []tree.Feature) {
	at := make(map[string]*tree.Feature, len(earlier))
	for i := range earlier {
		at[earlier[i].Name] = &earlier[i]
	}
	for i := range features {
		if old := at[features[i].Name]; old != nil {
			f := &features[i]
			f.Min, f.Max = min(f.Min, old.Min), max(f.Max, old.Max)
		}
	}
}

// scoreRows adds the raw scores of trees to the scores of every row of data,
// with no more than the columns that they read in memory.
func scoreRows(trees []tree.Tree, data *Data, scores []float64, workers int) error {
	var used []int
	for i := range trees {
		for j := range trees[i].Nodes {
			used = append(used, int(trees[i].Nodes[j].Feature))
		}
	}
	slices.Sort(used)
	used = slices.Compact(used)
	columns := make([][]float64, len(data.Columns))
	for _, i := range used {
		c, err := data.Columns[i].load()
		if err != nil {
			return fmt.Errorf("data: column %q: %w", data.Names[i], err)
		}
		columns[i] = c.all(data.Rows())
	}
	parallelRows(workers, data.Rows(), func(from, to int) {
		row := make([]float64, len(columns))
		for r := from; r < to; r++ {
			for _, i := range used {
				row[i] = columns[i][r]
			}
			for i := range trees {
				scores[r] += trees[i].Leaves[trees[i].Leaf(row)].Value
			}
		}
	})
	return nil
}
