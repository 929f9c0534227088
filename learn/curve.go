package learn

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/evaluate/significance"
	"github.com/winnow-mutants/winnow/report"
)

// curveShares are the shares of the training problems that a learning curve shows.
var curveShares = []float64{0.125, 0.25, 0.5, 1}

// LearningCurve judges the models of fault revelation and of killability that learn
// from a growing share of the problems, on the same folds: whether more faults would
// make them better, or they tell already what their features can tell.
func LearningCurve(ctx context.Context, dir string, opts Options) ([]*report.LearningCurve, error) {
	_, subjects, _, err := Subjects(ctx, dir, opts.columns(), opts)
	if err != nil {
		return nil, err
	}
	var out []*report.LearningCurve
	for _, part := range opts.parts()[:2] {
		curve, err := part.curve(ctx, subjects, opts)
		if err != nil {
			return nil, fmt.Errorf("learning curve of %s: %w", part.label, err)
		}
		out = append(out, curve)
	}
	return out, nil
}

func (p *modelPart) curve(ctx context.Context, subjects []evaluate.Subject, opts Options) (*report.LearningCurve, error) {
	label, judge, err := p.judgedBy()
	if err != nil {
		return nil, err
	}
	out := &report.LearningCurve{Label: p.label, Judged: judge.Name}
	for _, share := range curveShares {
		split := splitOf(subjects, opts)
		split.Share = share
		groups, rows := make([]int, split.Folds), make([]int, split.Folds)
		task := opts.Display.Start(fmt.Sprintf("growing trees for %s, %g %% of the groups", p.label, 100*share), split.Folds*p.options.Rounds)
		fit := p.fitterTo(task, nil)
		scores, err := evaluate.CrossValidate(ctx, subjects, label, func(ctx context.Context, set evaluate.TrainingSet) (evaluate.Predictor, error) {
			seen := map[string]bool{}
			for _, g := range set.Groups {
				seen[g] = true
			}
			groups[set.Fold], rows[set.Fold] = len(seen), set.Len()
			return fit(ctx, set)
		}, split)
		task.Done()
		if err != nil {
			return nil, err
		}
		q, err := evaluate.Assess(ctx, subjects, judge, scores, significance.Bootstrap{Seed: opts.Seed, Workers: opts.Workers})
		if err != nil {
			return nil, err
		}
		out.Points = append(out.Points, report.CurvePoint{Share: evaluate.Number(share), Groups: meanOf(groups), Mutants: meanOf(rows),
			AUC: report.AUC{Pooled: q.AUC, Low: q.AUCLow, High: q.AUCHigh, Within: q.SubjectAUCMean}})
	}
	return out, nil
}

func meanOf(counts []int) evaluate.Number {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return evaluate.Number(float64(sum) / float64(len(counts)))
}
