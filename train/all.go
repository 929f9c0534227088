package train

import (
	"context"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Learner turns data into a model.
type Learner struct {
	Name string
	Doc  string
	Fit  func(context.Context, *Data, Options) (*tree.Ensemble, error)
	// Ranks says that it learns by objectives that rank (Objective.Listwise), too.
	Ranks bool
}

// Learners lists every learner; the first is the default.
func Learners() []Learner {
	return []Learner{Boosting, LogisticRegression, DecisionTree, Forest, Constant}
}

// Objectives lists every objective; the first is the default.
func Objectives() []Objective { return []Objective{Logistic, CrossEntropy, Squared, NDCG, Revelation} }
