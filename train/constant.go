package train

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Constant is the baseline that every learner must beat: it predicts the mean
// label for every row.
var Constant = Learner{
	Name:  "constant",
	Doc:   "The mean of the labels for every row: the baseline without any feature.",
	Fit:   fitConstant,
	Ranks: true, // nothing before anything, also of data without an order (ErrNoOrder)
}

func fitConstant(_ context.Context, data *Data, options Options) (*tree.Ensemble, error) {
	options.Rounds = 1
	b, err := newUntrained(data, options)
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	return b.finish()
}

// constantTree has one leaf.
func constantTree(value float64, d *Data) tree.Tree {
	return tree.Tree{Leaves: []tree.Leaf{{Value: value, Count: d.Rows()}}, Shrinkage: 1}
}
