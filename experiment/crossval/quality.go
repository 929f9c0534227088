package crossval

import (
	"context"
	"fmt"
	"math"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/metric"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/predict"
)

// Quality says how well scores tell the positives of a label from the rest.
type Quality struct {
	// Learnt is the label that the model learnt, Judged the one by whose truth
	// its scores are judged.
	Learnt   string `json:"learnt"`
	Judged   string `json:"judged"`
	Subjects int    `json:"subjects"`
	// Mutants is the number of mutants of all subjects whose truth is settled,
	// BaseRate the share of positives among them.
	Mutants  int          `json:"mutants"`
	BaseRate number.Float `json:"base_rate"`

	// AUC is over all mutants of all subjects, with its confidence interval.
	AUC     number.Float `json:"auc"`
	AUCLow  number.Float `json:"auc_low"`
	AUCHigh number.Float `json:"auc_high"`
	// SubjectAUCMedian and SubjectAUCMean are over the TwoClass subjects that
	// have both positives and negatives. Ranking is done within a subject, so
	// this is what it rests on.
	SubjectAUCMedian number.Float `json:"subject_auc_median"`
	SubjectAUCMean   number.Float `json:"subject_auc_mean"`
	TwoClass         int          `json:"two_class_subjects"`

	AveragePrecision number.Float `json:"average_precision"`
	Brier            number.Float `json:"brier"`
	// ECE is the expected calibration error over ten bins.
	ECE number.Float `json:"ece"`
	// Top is precision, recall and F1 among the best-scored mutants.
	Top []TopQuality `json:"top"`
}

// TopQuality is a metric.Retrieval and how far it is above a random choice.
type TopQuality struct {
	Top           predict.Top  `json:"top"`
	Chosen        int          `json:"chosen"`
	Precision     number.Float `json:"precision"`
	Recall        number.Float `json:"recall"`
	F1            number.Float `json:"f1"`
	PrecisionGain number.Float `json:"precision_gain"`
	RecallGain    number.Float `json:"recall_gain"`
}

// qualityTops are the shares at which FaRM reports (dissertation, section 6.6).
var qualityTops = []int{5, 10, 20}

// eceBins is the usual number of bins of the calibration error.
const eceBins = 10

// Judge knows the truth of a binary label on some subjects, where the evidence settles
// it.
type Judge struct {
	subjects []subject.Subject
	label    dataset.Label
	truth    [][]dataset.Value // of each subject's mutants
}

// NewJudge labels the subjects. It fails when the label is not binary.
func NewJudge(subjects []subject.Subject, label dataset.Label) (*Judge, error) {
	if !label.Binary {
		return nil, fmt.Errorf("the label %s has no positives to tell from negatives; judge by a binary one", label.Name)
	}
	return &Judge{subjects: subjects, label: label, truth: valuesOf(subjects, label)}, nil
}

// Assess judges out-of-fold scores. The interval of the AUC resamples problems.
func (j *Judge) Assess(ctx context.Context, scores *OutOfFold, boot significance.Bootstrap) (*Quality, error) {
	all, err := j.pool(scores)
	if err != nil {
		return nil, fmt.Errorf("assess %s: %w", scores.Label, err)
	}
	q, err := all.quality(ctx, boot)
	if err != nil {
		return nil, fmt.Errorf("assess %s: %w", scores.Label, err)
	}
	q.Learnt, q.Judged, q.Subjects = scores.Label, j.label.Name, len(j.subjects)
	return q, nil
}

// Assess judges scores by the truth of a binary label.
func Assess(ctx context.Context, subjects []subject.Subject, label dataset.Label, scores *OutOfFold, boot significance.Bootstrap) (*Quality, error) {
	judge, err := NewJudge(subjects, label)
	if err != nil {
		return nil, fmt.Errorf("assess %s: %w", scores.Label, err)
	}
	return judge.Assess(ctx, scores, boot)
}

// AssessGiven judges scores of some mutants of each subject by whether they are positive. What was learnt and what it is
// judged by is left open.
func AssessGiven(ctx context.Context, subjects []subject.Subject, scores [][]float64, positive [][]bool, boot significance.Bootstrap) (*Quality, error) {
	all, err := pool(subjects, func(i int) ([]float64, []bool, error) { return scores[i], positive[i], nil })
	if err != nil {
		return nil, err
	}
	q, err := all.quality(ctx, boot)
	if err != nil {
		return nil, err
	}
	q.Subjects = len(subjects)
	return q, nil
}

// Predictions are the scores of all mutants whose truth is known, with the truth.
func (j *Judge) Predictions(scores *OutOfFold) (metric.Predictions, error) {
	all, err := j.pool(scores)
	if err != nil {
		return metric.Predictions{}, fmt.Errorf("assess %s: %w", scores.Label, err)
	}
	return metric.NewPredictions(all.scores, all.positive)
}

// quality judges the scores of a pool; what they are of is left open.
func (all *settledPool) quality(ctx context.Context, boot significance.Bootstrap) (*Quality, error) {
	p, err := metric.NewPredictions(all.scores, all.positive)
	if err != nil {
		return nil, err
	}
	interval, err := boot.IntervalOf(ctx, all.problems, metric.NewClustered(p, all.problem, all.problems).AUC)
	if err != nil {
		return nil, err
	}
	q := &Quality{}
	q.fill(p)
	q.AUCLow, q.AUCHigh = number.Float(interval.Low), number.Float(interval.High)
	q.SubjectAUCMedian, q.SubjectAUCMean = number.Float(significance.Median(all.aucs)), number.Float(significance.Mean(all.aucs))
	q.TwoClass = len(all.aucs)
	return q, nil
}

// settledPool is the mutants of all subjects whose truth is known.
type settledPool struct {
	scores   []float64
	positive []bool
	problem  []int // of each mutant, by number
	problems int   // how many have such a mutant
	aucs     []float64
}

// pool joins the scores of all mutants whose truth is known.
func (j *Judge) pool(scores *OutOfFold) (*settledPool, error) {
	if len(scores.Scores) != len(j.subjects) {
		return nil, fmt.Errorf("scores of %d subjects for %d", len(scores.Scores), len(j.subjects))
	}
	return pool(j.subjects, func(i int) ([]float64, []bool, error) { return j.settle(i, scores) })
}

// pool joins the scores of all subjects, and takes the AUC of each where there is one.
func pool(subjects []subject.Subject, settle func(i int) ([]float64, []bool, error)) (*settledPool, error) {
	out := &settledPool{}
	var names []string // of those subjects that have settled mutants
	var sizes []int
	for i := range subjects {
		s := &subjects[i]
		settled, positive, err := settle(i)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name(), err)
		}
		p, err := metric.NewPredictions(settled, positive)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name(), err)
		}
		if auc := p.AUC(); !math.IsNaN(auc) {
			out.aucs = append(out.aucs, auc)
		}
		out.scores, out.positive = append(out.scores, settled...), append(out.positive, positive...)
		if len(settled) > 0 {
			names, sizes = append(names, subject.ByProblem(s)), append(sizes, len(settled))
		}
	}
	numbers, problems := significance.Number(names)
	out.problems = problems
	for i, number := range numbers {
		for range sizes[i] {
			out.problem = append(out.problem, number)
		}
	}
	return out, nil
}

// settle returns the scores of a subject's mutants whose truth is known, and the truth.
func (j *Judge) settle(i int, scores *OutOfFold) (settled []float64, positive []bool, err error) {
	given, truth := scores.Scores[i], j.truth[i]
	if scores.Places == nil && len(given) != len(truth) {
		return nil, nil, fmt.Errorf("%d scores for %d mutants", len(given), len(truth))
	}
	for k, score := range given {
		m := k
		if scores.Places != nil {
			m = scores.Places[i][k]
		}
		if target := truth[m].Target; !math.IsNaN(target) {
			settled, positive = append(settled, score), append(positive, target == 1)
		}
	}
	return settled, positive, nil
}

// fill computes what rests on the pooled predictions alone.
func (q *Quality) fill(p metric.Predictions) {
	q.Mutants, q.BaseRate = p.Len(), number.Float(p.BaseRate())
	q.AUC, q.AveragePrecision = number.Float(p.AUC()), number.Float(p.AveragePrecision())
	q.Brier, q.ECE = number.Float(p.Brier()), number.Float(p.ECE(eceBins))
	for _, percent := range qualityTops {
		at := p.At(predict.Percent(percent))
		chosen := float64(at.Chosen) / float64(p.Len())
		q.Top = append(q.Top, TopQuality{
			Top: predict.Percent(percent), Chosen: at.Chosen,
			Precision: number.Float(at.Precision), Recall: number.Float(at.Recall), F1: number.Float(at.F1),
			PrecisionGain: number.Float(at.Precision - p.BaseRate()), RecallGain: number.Float(at.Recall - chosen),
		})
	}
}
