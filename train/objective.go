package train

import (
	"errors"
	"fmt"
	"math"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Objective is a loss that a boosted ensemble minimises. The score is the raw
// sum of the trees.
type Objective struct {
	Name string
	Doc  string
	// Link says how a score becomes a prediction.
	Link tree.Objective
	// CheckLabel says why a label cannot be learned from, nil when it can.
	CheckLabel func(label float64) error
	// Start is the constant score with the least loss, given the weighted mean
	// of the labels.
	Start func(mean float64) float64
	// Derivatives returns the first and second derivative of the loss by the
	// score.
	Derivatives func(score, label float64) (first, second float64)
	// Loss is the loss of one row.
	Loss func(score, label float64) float64
	// Listwise, where set, replaces Start (which is then 0), Derivatives and Loss:
	// the loss of a row depends on the others of its group. seed decides between
	// rows of equal score.
	Listwise func(d *Data, seed uint64) (Listwise, error)
}

// Listwise is a loss over the rows of a table, in groups.
type Listwise interface {
	// Derivatives writes the first and second derivative of the loss by the score
	// of every row, weights included.
	Derivatives(scores, first, second []float64, workers int)
	// Loss is the mean loss.
	Loss(scores []float64) float64
}

// pointwise is the Listwise of an objective whose rows are independent.
type pointwise struct {
	objective *Objective
	data      *Data
}

func (p pointwise) Derivatives(scores, first, second []float64, workers int) {
	parallelRows(workers, len(scores), func(from, to int) {
		for r := from; r < to; r++ {
			d1, d2 := p.objective.Derivatives(scores[r], p.data.Labels[r])
			w := p.data.weight(r)
			first[r], second[r] = d1*w, d2*w
		}
	})
}

func (p pointwise) Loss(scores []float64) float64 {
	sum, total := 0.0, 0.0
	for r, score := range scores {
		sum += p.data.weight(r) * p.objective.Loss(score, p.data.Labels[r])
		total += p.data.weight(r)
	}
	return sum / total
}

// on binds the objective to a table.
func (o *Objective) on(d *Data, seed uint64) (Listwise, error) {
	if o.Listwise != nil {
		return o.Listwise(d, seed)
	}
	return pointwise{o, d}, nil
}

// start is the score before the first tree.
func (o *Objective) start(d *Data) float64 {
	if o.Listwise != nil {
		return 0
	}
	return o.Start(meanLabel(d))
}

// Logistic is for labels that are 0 or 1.
var Logistic = Objective{
	Name:        "logistic",
	Doc:         "Log-loss of a yes-or-no label; the model predicts the probability of 1.",
	Link:        tree.Binary,
	CheckLabel:  checkBinary,
	Start:       logit,
	Derivatives: logLossDerivatives,
	Loss:        logLoss,
}

// CrossEntropy is for labels anywhere in [0, 1], such as the share of the tests
// that kill a mutant and reveal the fault.
var CrossEntropy = Objective{
	Name:        "cross-entropy",
	Doc:         "Log-loss of a ratio in [0, 1]; the model predicts the expected ratio.",
	Link:        tree.Binary,
	CheckLabel:  checkRatio,
	Start:       logit,
	Derivatives: logLossDerivatives,
	Loss:        logLoss,
}

// Squared is for labels on any scale.
var Squared = Objective{
	Name:        "squared",
	Doc:         "Half the squared error; the model predicts the mean.",
	Link:        tree.Regression,
	CheckLabel:  checkNumber,
	Start:       func(mean float64) float64 { return mean },
	Derivatives: func(score, label float64) (float64, float64) { return score - label, 1 },
	Loss:        func(score, label float64) float64 { return (score - label) * (score - label) / 2 },
}

func (o *Objective) validate() error {
	pointwise := o.Start != nil && o.Derivatives != nil && o.Loss != nil
	if o.Name == "" || o.Doc == "" || o.CheckLabel == nil || !pointwise && o.Listwise == nil {
		return fmt.Errorf("options: objective %q is not complete", o.Name)
	}
	return nil
}

func checkBinary(label float64) error {
	if label != 0 && label != 1 {
		return fmt.Errorf("label %v is neither 0 nor 1: for ratios take the cross-entropy objective", label)
	}
	return nil
}

func checkRatio(label float64) error {
	if !(label >= 0 && label <= 1) {
		return fmt.Errorf("label %v is not in [0, 1]", label)
	}
	return nil
}

func checkNumber(label float64) error {
	if math.IsNaN(label) || math.IsInf(label, 0) {
		return errors.New("label is not a finite number")
	}
	return nil
}

// logitBound keeps the start finite when all labels agree: beyond it the
// probability is 0 or 1 to within 1e-15, as in LightGBM (binary_objective.hpp).
const logitBound = 1e-15

func logit(mean float64) float64 {
	mean = min(max(mean, logitBound), 1-logitBound)
	return math.Log(mean / (1 - mean))
}

func logLossDerivatives(score, label float64) (first, second float64) {
	p := 1 / (1 + math.Exp(-score))
	return p - label, p * (1 - p)
}

// logLoss is log(1 + exp(score)) - label*score, without overflow.
func logLoss(score, label float64) float64 {
	return max(score, 0) + math.Log1p(math.Exp(-math.Abs(score))) - label*score
}
