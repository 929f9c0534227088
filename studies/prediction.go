package studies

import (
	"context"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/metric"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
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
func (m *Material) predictions(ctx context.Context, r *report.Answer, tasks []task) error {
	retrieval := report.Table{Name: "retrieval", Title: "Among the best-scored mutants: precision, recall and F1, and how far they are above a random choice (percent, points)",
		Keys: []string{"learner", "target", "mutants", "top"}, Columns: []report.Column{
			{Name: "precision", Origin: report.Measured, Decimals: 1}, {Name: "recall", Origin: report.Measured, Decimals: 1}, {Name: "F1", Origin: report.Measured, Decimals: 1},
			{Name: "precision gain", Origin: report.Measured, Decimals: 1, Format: report.Signed}, {Name: "recall gain", Origin: report.Measured, Decimals: 1, Format: report.Signed},
			{Name: "precision", Origin: report.Published, Decimals: 1}, {Name: "recall", Origin: report.Published, Decimals: 1}, {Name: "F1", Origin: report.Published, Decimals: 1},
			{Name: "precision gain", Origin: report.Published, Decimals: 1, Format: report.Signed}, {Name: "recall gain", Origin: report.Published, Decimals: 1, Format: report.Signed},
		}}
	whole := report.Table{Name: "classification", Title: "Over all mutants and within a fault", Keys: []string{"learner", "target", "mutants"}, Columns: []report.Column{
		{Name: "base rate", Origin: report.Measured, Decimals: 3}, {Name: "AUC", Origin: report.Measured, Decimals: 3},
		{Name: "AUC low", Origin: report.Measured, Decimals: 3}, {Name: "AUC high", Origin: report.Measured, Decimals: 3},
		{Name: "AUC, mean of folds", Origin: report.Measured, Decimals: 3}, {Name: "AUC within a fault, median", Origin: report.Measured, Decimals: 3},
		{Name: "AUC within a fault, mean", Origin: report.Measured, Decimals: 3}, {Name: "average precision", Origin: report.Measured, Decimals: 3},
		{Name: "Brier", Origin: report.Measured, Decimals: 3}, {Name: "ECE", Origin: report.Measured, Decimals: 3}, {Name: "AUC", Origin: report.Published, Decimals: 3},
	}}
	roc := report.Figure{Name: "roc", Title: "ROC over all mutants", X: "false positive rate", Y: "true positive rate", Kind: report.Lines}
	reliability := report.Figure{Name: "reliability", Title: "Calibration: observed share by predicted probability", X: "predicted probability", Y: "observed share", Kind: report.Lines}
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
				judge, err := crossval.NewJudge(subjects, truth)
				if err != nil {
					return err
				}
				q, err := judge.Assess(ctx, chosen, m.bootstrap())
				if err != nil {
					return err
				}
				keys := []string{c.Name, t.name, group}
				folds, err := foldAUCs(subjects, truth, chosen)
				if err != nil {
					return err
				}
				whole.Add(keys, q.BaseRate, q.AUC, q.AUCLow, q.AUCHigh, number.Float(significance.Mean(folds)), q.SubjectAUCMedian, q.SubjectAUCMean,
					q.AveragePrecision, q.Brier, q.ECE, number.Float(t.auc))
				for _, top := range q.Top {
					retrieval.Add(append(keys, top.Top.String()), t.values(top)...)
				}
				if group == allMutants && !t.invert {
					p, err := judge.Predictions(chosen)
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
func (t task) values(top crossval.TopQuality) []number.Float {
	nan := number.Float(math.NaN())
	out := []number.Float{100 * top.Precision, 100 * top.Recall, 100 * top.F1, 100 * top.PrecisionGain, 100 * top.RecallGain, nan, nan, nan, nan, nan}
	for percent, p := range t.published {
		if predict.Percent(percent) == top.Top {
			for i, v := range []float64{p.precision, p.recall, p.f1, p.precisionGain, p.recallGain} {
				out[5+i] = number.Float(v)
			}
		}
	}
	return out
}

// orient returns the scores so that larger ones mean the task's positives.
func (t task) orient(scores *crossval.OutOfFold) *crossval.OutOfFold {
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
func (m *Material) group(scores *crossval.OutOfFold, group string) (subjects []subject.Subject, chosen *crossval.OutOfFold, known bool) {
	if group == allMutants {
		return m.Faulty, scores, true
	}
	if subjects, known = subject.Reached(m.Faulty); !known {
		return nil, nil, false
	}
	chosen = &crossval.OutOfFold{Label: scores.Label}
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

// foldAUCs are the areas fold by fold, without those of one class only.
func foldAUCs(subjects []subject.Subject, truth dataset.Label, scores *crossval.OutOfFold) ([]float64, error) {
	if len(subjects) == 0 {
		return nil, nil
	}
	var out []float64
	for fold := range 1 + slices.Max(scores.Fold) {
		var in []subject.Subject
		of := &crossval.OutOfFold{Label: scores.Label}
		for i := range subjects {
			if scores.Fold[i] == fold {
				in, of.Scores = append(in, subjects[i]), append(of.Scores, scores.Scores[i])
			}
		}
		judge, err := crossval.NewJudge(in, truth)
		if err != nil {
			return nil, err
		}
		p, err := judge.Predictions(of)
		if err != nil {
			return nil, err
		}
		if auc := p.AUC(); !math.IsNaN(auc) {
			out = append(out, auc)
		}
	}
	return out, nil
}

// curvePoints bounds the points of a ROC that are drawn.
const curvePoints = 200

func rocSeries(name string, p metric.Predictions) report.Series {
	s := report.Series{Name: name, Origin: report.Measured}
	points := p.ROC()
	step := max(1, len(points)/curvePoints)
	for i, point := range points {
		if i%step == 0 || i == len(points)-1 {
			s.X, s.Y = append(s.X, number.Float(point.FalsePositiveRate)), append(s.Y, number.Float(point.TruePositiveRate))
		}
	}
	return s
}

func reliabilitySeries(name string, p metric.Predictions) report.Series {
	s := report.Series{Name: name, Origin: report.Measured}
	for _, bin := range p.Reliability(10) {
		if bin.Count > 0 {
			s.X, s.Y = append(s.X, number.Float(bin.Predicted)), append(s.Y, number.Float(bin.Observed))
		}
	}
	return s
}
