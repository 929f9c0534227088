package evaluate

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/evaluate/metric"
	"github.com/winnow-mutants/winnow/evaluate/significance"
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
	Mutants  int    `json:"mutants"`
	BaseRate Number `json:"base_rate"`

	// AUC is over all mutants of all subjects, with its confidence interval.
	AUC     Number `json:"auc"`
	AUCLow  Number `json:"auc_low"`
	AUCHigh Number `json:"auc_high"`
	// SubjectAUCMedian and SubjectAUCMean are over the TwoClass subjects that
	// have both positives and negatives. Ranking is done within a subject, so
	// this is what it rests on.
	SubjectAUCMedian Number `json:"subject_auc_median"`
	SubjectAUCMean   Number `json:"subject_auc_mean"`
	TwoClass         int    `json:"two_class_subjects"`

	AveragePrecision Number `json:"average_precision"`
	Brier            Number `json:"brier"`
	// ECE is the expected calibration error over ten bins.
	ECE Number `json:"ece"`
	// Top is precision, recall and F1 among the best-scored mutants.
	Top []TopQuality `json:"top"`
}

// TopQuality is a metric.Retrieval and how far it is above a random choice.
type TopQuality struct {
	Top           predict.Top `json:"top"`
	Chosen        int         `json:"chosen"`
	Precision     Number      `json:"precision"`
	Recall        Number      `json:"recall"`
	F1            Number      `json:"f1"`
	PrecisionGain Number      `json:"precision_gain"`
	RecallGain    Number      `json:"recall_gain"`
}

// qualityTops are the shares at which FaRM reports (dissertation, section 6.6).
var qualityTops = []int{5, 10, 20}

// eceBins is the usual number of bins of the calibration error.
const eceBins = 10

// Assess judges out-of-fold scores by the truth of a binary label, over the
// mutants for which the evidence settles it. The interval of the AUC resamples
// problems.
func Assess(ctx context.Context, subjects []Subject, judge dataset.Label, scores *OutOfFold, boot significance.Bootstrap) (*Quality, error) {
	if !judge.Binary {
		return nil, fmt.Errorf("assess %s: the label %s has no positives to tell from negatives; judge by a binary one", scores.Label, judge.Name)
	}
	if len(scores.Scores) != len(subjects) {
		return nil, fmt.Errorf("assess %s: scores of %d subjects for %d", scores.Label, len(scores.Scores), len(subjects))
	}
	all, err := poolSettled(subjects, judge, scores)
	if err != nil {
		return nil, fmt.Errorf("assess %s: %w", scores.Label, err)
	}
	q, err := all.quality(ctx, boot)
	if err != nil {
		return nil, fmt.Errorf("assess %s: %w", scores.Label, err)
	}
	q.Learnt, q.Judged, q.Subjects = scores.Label, judge.Name, len(subjects)
	return q, nil
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
	q.AUCLow, q.AUCHigh = Number(interval.Low), Number(interval.High)
	q.SubjectAUCMedian, q.SubjectAUCMean = Number(significance.Median(all.aucs)), Number(significance.Mean(all.aucs))
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

// poolSettled also takes the AUC of each subject where there is one.
func poolSettled(subjects []Subject, judge dataset.Label, scores *OutOfFold) (*settledPool, error) {
	return pool(subjects, func(i int) ([]float64, []bool, error) { return Settle(&subjects[i], judge, scores.Scores[i]) })
}

// pool joins the scores and truths that settle gives of each subject.
func pool(subjects []Subject, settle func(i int) (settled []float64, positive []bool, err error)) (*settledPool, error) {
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
			names, sizes = append(names, ByProblem(s)), append(sizes, len(settled))
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

// Settle returns the scores of the mutants whose truth is known, and the truth.
func Settle(s *Subject, judge dataset.Label, scores []float64) (settled []float64, positive []bool, err error) {
	if len(scores) != len(s.Mutants) {
		return nil, nil, fmt.Errorf("%d scores for %d mutants", len(scores), len(s.Mutants))
	}
	for m, value := range judge.Run(s.evidence()) {
		if !math.IsNaN(value.Target) {
			settled, positive = append(settled, scores[m]), append(positive, value.Target == 1)
		}
	}
	return settled, positive, nil
}

// fill computes what rests on the pooled predictions alone.
func (q *Quality) fill(p metric.Predictions) {
	q.Mutants, q.BaseRate = p.Len(), Number(p.BaseRate())
	q.AUC, q.AveragePrecision = Number(p.AUC()), Number(p.AveragePrecision())
	q.Brier, q.ECE = Number(p.Brier()), Number(p.ECE(eceBins))
	for _, percent := range qualityTops {
		at := p.At(predict.Percent(percent))
		chosen := float64(at.Chosen) / float64(p.Len())
		q.Top = append(q.Top, TopQuality{
			Top: predict.Percent(percent), Chosen: at.Chosen,
			Precision: Number(at.Precision), Recall: Number(at.Recall), F1: Number(at.F1),
			PrecisionGain: Number(at.Precision - p.BaseRate()), RecallGain: Number(at.Recall - chosen),
		})
	}
}

// WriteQualityJSON writes the qualities as one JSON array.
func WriteQualityJSON(w io.Writer, qualities []*Quality) error { return writeJSON(w, qualities) }

// columns are the figures of a Quality in the order of the tables.
func (q *Quality) columns() (names []string, figures []Number) {
	add := func(name string, n Number) {
		names, figures = append(names, name), append(figures, n)
	}
	add("base_rate", q.BaseRate)
	add("auc", q.AUC)
	add("auc_low", q.AUCLow)
	add("auc_high", q.AUCHigh)
	add("subject_auc_median", q.SubjectAUCMedian)
	add("subject_auc_mean", q.SubjectAUCMean)
	add("average_precision", q.AveragePrecision)
	add("brier", q.Brier)
	add("ece", q.ECE)
	for _, top := range q.Top {
		add("precision@"+top.Top.String(), top.Precision)
		add("recall@"+top.Top.String(), top.Recall)
		add("f1@"+top.Top.String(), top.F1)
	}
	return names, figures
}

// WriteQualityCSV writes one line for each quality.
func WriteQualityCSV(w io.Writer, qualities []*Quality) error {
	var rows [][]string
	for i, q := range qualities {
		names, figures := q.columns()
		if i == 0 {
			rows = append(rows, append([]string{"learnt", "judged", "subjects", "mutants"}, names...))
		}
		row := []string{q.Learnt, q.Judged, fmt.Sprint(q.Subjects), fmt.Sprint(q.Mutants)}
		for _, n := range figures {
			row = append(row, n.csv())
		}
		rows = append(rows, row)
	}
	return writeCSV(w, rows)
}

// WriteQualityText writes one column for each quality, for people.
func WriteQualityText(w io.Writer, qualities []*Quality) error {
	if len(qualities) == 0 {
		return nil
	}
	header, judged := []string{"learnt"}, []string{"judged"}
	subjects, mutants := []string{"subjects"}, []string{"mutants"}
	names, _ := qualities[0].columns()
	lines := make([][]string, len(names))
	for _, q := range qualities {
		header, judged = append(header, q.Learnt), append(judged, q.Judged)
		subjects = append(subjects, fmt.Sprint(q.Subjects))
		mutants = append(mutants, fmt.Sprint(q.Mutants))
		_, figures := q.columns()
		for i, n := range figures {
			if len(lines[i]) == 0 {
				lines[i] = []string{names[i]}
			}
			lines[i] = append(lines[i], n.text(3))
		}
	}
	return writeAligned(w, append([][]string{header, judged, subjects, mutants}, lines...))
}
