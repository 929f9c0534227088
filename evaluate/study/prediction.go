package study

import (
	"context"
	"fmt"
	"math"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/evaluate/metric"
	"github.com/winnow-mutants/winnow/evaluate/significance"
	"github.com/winnow-mutants/winnow/predict"
)

// task is a two-class question that a contender's scores answer.
type task struct {
	name  string
	side  side
	truth func(kind string) (dataset.Label, error)
	// invert judges 1 - score: the question is the opposite of what was learnt.
	invert    bool
	published map[int]printed // by percent; precision, recall, F1 and gains
	auc       float64         // published
}

// printed are the published precision, recall and F1 at a share of the mutants
// and the gains over random, in percent and points.
type printed struct{ precision, recall, f1, precisionGain, recallGain float64 }

// The groups of mutants that every prediction is judged on. Mutants that no
// test reaches survive for a reason that needs no prediction, and flatter those
// who predict it.
const (
	allMutants     = "all"
	reachedMutants = "reached"
)

// predictions lays out tables and curves of how well the contenders answer.
func (m *Material) predictions(ctx context.Context, r *Result, tasks []task) error {
	retrieval := Table{Name: "retrieval", Title: "Among the best-scored mutants: precision, recall and F1, and how far they are above a random choice (percent, points)",
		Keys: []string{"learner", "target", "mutants", "top"}, Columns: []Column{
			{Name: "precision", Origin: Measured, Decimals: 1}, {Name: "recall", Origin: Measured, Decimals: 1}, {Name: "F1", Origin: Measured, Decimals: 1},
			{Name: "precision gain", Origin: Measured, Decimals: 1, Format: Signed}, {Name: "recall gain", Origin: Measured, Decimals: 1, Format: Signed},
			{Name: "precision", Origin: Published, Decimals: 1}, {Name: "recall", Origin: Published, Decimals: 1}, {Name: "F1", Origin: Published, Decimals: 1},
			{Name: "precision gain", Origin: Published, Decimals: 1, Format: Signed}, {Name: "recall gain", Origin: Published, Decimals: 1, Format: Signed},
		}}
	whole := Table{Name: "classification", Title: "Over all mutants and within a fault", Keys: []string{"learner", "target", "mutants"}, Columns: []Column{
		{Name: "base rate", Origin: Measured, Decimals: 3}, {Name: "AUC", Origin: Measured, Decimals: 3},
		{Name: "AUC low", Origin: Measured, Decimals: 3}, {Name: "AUC high", Origin: Measured, Decimals: 3},
		{Name: "AUC, mean of folds", Origin: Measured, Decimals: 3}, {Name: "AUC within a fault, median", Origin: Measured, Decimals: 3},
		{Name: "AUC within a fault, mean", Origin: Measured, Decimals: 3}, {Name: "average precision", Origin: Measured, Decimals: 3},
		{Name: "Brier", Origin: Measured, Decimals: 3}, {Name: "ECE", Origin: Measured, Decimals: 3}, {Name: "AUC", Origin: Published, Decimals: 3},
	}}
	roc := Figure{Name: "roc", Title: "ROC over all mutants", X: "false positive rate", Y: "true positive rate", Kind: Lines}
	reliability := Figure{Name: "reliability", Title: "Calibration: observed share by predicted probability", X: "predicted probability", Y: "observed share", Kind: Lines}
	for _, c := range m.Contenders {
		for _, t := range tasks {
			scores, err := m.outOfFold(ctx, c, t.side)
			if err != nil {
				return err
			}
			truth, err := t.truth(string(t.side))
			if err != nil {
				return err
			}
			for _, group := range []string{allMutants, reachedMutants} {
				subjects, chosen, known := m.group(t.orient(scores), group)
				if !known {
					r.Missing = append(r.Missing, "Figures without the mutants that no test reaches: the history does not hold what tests reach.")
					break
				}
				q, err := evaluate.Assess(ctx, subjects, truth, chosen, m.bootstrap())
				if err != nil {
					return err
				}
				keys := []string{c.Name, t.name, group}
				folds, err := foldAUCs(subjects, truth, chosen)
				if err != nil {
					return err
				}
				whole.Add(keys, q.BaseRate, q.AUC, q.AUCLow, q.AUCHigh, evaluate.Number(significance.Mean(folds)), q.SubjectAUCMedian, q.SubjectAUCMean,
					q.AveragePrecision, q.Brier, q.ECE, evaluate.Number(t.auc))
				for _, top := range q.Top {
					retrieval.Add(append(keys, top.Top.String()), t.values(top)...)
				}
				if group == allMutants && !t.invert {
					p, err := pooled(subjects, truth, chosen)
					if err != nil {
						return err
					}
					roc.Series = append(roc.Series, rocSeries(c.Name+": "+t.name, p))
					reliability.Series = append(reliability.Series, reliabilitySeries(c.Name+": "+t.name, p))
				}
			}
		}
	}
	r.Tables = append(r.Tables, whole, retrieval)
	r.Figures = append(r.Figures, roc, reliability)
	return nil
}

// values are a row of the retrieval table.
func (t task) values(top evaluate.TopQuality) []evaluate.Number {
	nan := evaluate.Number(math.NaN())
	out := []evaluate.Number{100 * top.Precision, 100 * top.Recall, 100 * top.F1, 100 * top.PrecisionGain, 100 * top.RecallGain, nan, nan, nan, nan, nan}
	for percent, p := range t.published {
		if predict.Percent(percent) == top.Top {
			for i, v := range []float64{p.precision, p.recall, p.f1, p.precisionGain, p.recallGain} {
				out[5+i] = evaluate.Number(v)
			}
		}
	}
	return out
}

// orient returns the scores so that larger ones mean the task's positives.
func (t task) orient(scores *evaluate.OutOfFold) *evaluate.OutOfFold {
	if !t.invert {
		return scores
	}
	out := *scores
	out.Label = "not " + scores.Label
	out.Scores = nil
	for _, of := range scores.Scores {
		inverted := make([]float64, len(of))
		for i, v := range of {
			inverted[i] = 1 - v
		}
		out.Scores = append(out.Scores, inverted)
	}
	return &out
}

// group restricts subjects and scores to a group of mutants.
func (m *Material) group(scores *evaluate.OutOfFold, group string) (subjects []evaluate.Subject, chosen *evaluate.OutOfFold, known bool) {
	if group == allMutants {
		return m.Faulty, scores, true
	}
	if subjects, known = evaluate.Reached(m.Faulty); !known {
		return nil, nil, false
	}
	chosen = &evaluate.OutOfFold{Label: scores.Label}
	for i := range m.Faulty {
		positions, _ := m.Faulty[i].OnlyReached()
		if len(positions) == 0 {
			continue
		}
		var of []float64
		for _, p := range positions {
			of = append(of, scores.Scores[i][p])
		}
		chosen.Scores, chosen.Fold = append(chosen.Scores, of), append(chosen.Fold, scores.Fold[i])
	}
	return subjects, chosen, true
}

// pooled are the predictions over the mutants of all subjects whose truth is
// settled.
func pooled(subjects []evaluate.Subject, truth dataset.Label, scores *evaluate.OutOfFold) (metric.Predictions, error) {
	var values []float64
	var positive []bool
	for i := range subjects {
		v, p, err := evaluate.Settle(&subjects[i], truth, scores.Scores[i])
		if err != nil {
			return metric.Predictions{}, fmt.Errorf("%s: %w", subjects[i].Name(), err)
		}
		values, positive = append(values, v...), append(positive, p...)
	}
	return metric.NewPredictions(values, positive)
}

// foldAUCs are the areas fold by fold, without those of one class only.
func foldAUCs(subjects []evaluate.Subject, truth dataset.Label, scores *evaluate.OutOfFold) ([]float64, error) {
	var out []float64
	for fold := 0; ; fold++ {
		var in []evaluate.Subject
		of := &evaluate.OutOfFold{Label: scores.Label}
		last := true
		for i := range subjects {
			last = last && scores.Fold[i] < fold
			if scores.Fold[i] == fold {
				in, of.Scores = append(in, subjects[i]), append(of.Scores, scores.Scores[i])
			}
		}
		if last {
			return out, nil
		}
		p, err := pooled(in, truth, of)
		if err != nil {
			return nil, err
		}
		if auc := p.AUC(); !math.IsNaN(auc) {
			out = append(out, auc)
		}
	}
}

// curvePoints bounds the points of a ROC that are drawn.
const curvePoints = 200

func rocSeries(name string, p metric.Predictions) Series {
	s := Series{Name: name, Origin: Measured}
	points := p.ROC()
	step := max(1, len(points)/curvePoints)
	for i, point := range points {
		if i%step == 0 || i == len(points)-1 {
			s.X, s.Y = append(s.X, evaluate.Number(point.FalsePositiveRate)), append(s.Y, evaluate.Number(point.TruePositiveRate))
		}
	}
	return s
}

func reliabilitySeries(name string, p metric.Predictions) Series {
	s := Series{Name: name, Origin: Measured}
	for _, bin := range p.Reliability(10) {
		if bin.Count > 0 {
			s.X, s.Y = append(s.X, evaluate.Number(bin.Predicted)), append(s.Y, evaluate.Number(bin.Observed))
		}
	}
	return s
}
