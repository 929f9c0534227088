package studies

import (
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/train"
)

// farmWeighted is the label that FaRM learns: whether a mutant reveals the fault, the
// mutants of each kind weighing as much together.
const farmWeighted = "fault-revealing-weighted"

// PublishedOptions are FaRM's learner: 1,000 trees of depth 5, shrinkage 0.1,
// half of the rows for each tree, 2^8 bins (dissertation, section 6.5.1, and the
// defaults of FastBDT where that is silent).
func PublishedOptions() train.Options {
	return train.Options{Rounds: 1000, MaxDepth: 5, LearningRate: 0.1, RowFraction: 0.5, Bins: 255}
}

// FaRM is FaRM as it was published, to be judged beside other models: its features, its
// trees and its weights, so that what goes beyond it is measured on the same data.
func FaRM() (experiment.Rival, error) {
	columns, err := features.Columns("farm")
	return experiment.Rival{Name: "FaRM as published", Train: PublishedOptions(), Target: farmWeighted, Columns: columns}, err
}
