package train

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/models/tree"
)

// DecisionTree is a single regression tree (Breiman and others, CART (1984), with
// the bounds of the options in place of pruning).
var DecisionTree = Learner{
	Name: "decision-tree",
	Doc:  "One decision tree, within the bounds on depth and leaves: the baseline that people can read.",
	Fit:  fitDecisionTree,
}

// fitDecisionTree is one round of boosting on the squared error, at full rate: its
// leaves are the means of their rows. Where a probability is wanted the mean is
// drawn towards that of all rows by the weight of one row, because a leaf of few
// rows is not sure of anything.
func fitDecisionTree(ctx context.Context, data *Data, options Options) (*tree.Ensemble, error) {
	wanted := options.withDefaults()
	if err := wanted.validate(); err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	if wanted.Objective.Listwise != nil {
		return nil, fmt.Errorf("training: a decision tree cannot learn the objective %s: choose a pointwise one, such as cross-entropy", wanted.Objective.Name)
	}
	if err := checkData(data, &wanted); err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	options.Objective, options.Rounds, options.LearningRate = Squared, 1, 1
	options.RowFraction, options.WarmStart = 1, nil
	e, err := Fit(ctx, data, options)
	if err != nil {
		return nil, err
	}
	e.Objective = wanted.Objective.Link
	if e.Objective != tree.Binary {
		return e, nil
	}
	mean := meanLabel(data)
	t := &e.Trees[0]
	odds := func(p, weight float64) float64 { return logit((p*weight + mean) / (weight + 1)) }
	for i := range t.Leaves {
		l := &t.Leaves[i]
		l.Value = odds(l.Value, l.Weight)
	}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		n.Value = odds(n.Value, n.Weight)
	}
	return e, nil
}
