package experiment

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/number"
)

// curveShares are the shares of the training problems that a learning curve shows.
var curveShares = []float64{0.125, 0.25, 0.5, 1}

// DrawLearningCurves judges the models of fault revelation and of killability that learn
// from a growing share of the problems, on the same folds: whether more faults would
// make them better, or they tell already what their features can tell.
func DrawLearningCurves(ctx context.Context, dir string, opts Options) ([]*LearningCurve, error) {
	_, subjects, _, err := Subjects(ctx, dir, opts.columns(), opts)
	if err != nil {
		return nil, err
	}
	parts, err := opts.headline(subjects)
	if err != nil {
		return nil, err
	}
	var out []*LearningCurve
	for _, part := range parts {
		curve, err := part.curve(ctx, subjects, opts)
		if err != nil {
			return nil, fmt.Errorf("learning curve of %s: %w", part.label, err)
		}
		out = append(out, curve)
	}
	return out, nil
}

func (p *modelPart) curve(ctx context.Context, subjects []subject.Subject, opts Options) (*LearningCurve, error) {
	label, truth, err := p.judgedBy()
	if err != nil {
		return nil, err
	}
	judge, err := crossval.NewJudge(subjects, truth)
	if err != nil {
		return nil, err
	}
	out := &LearningCurve{Label: p.label, Judged: truth.Name}
	for _, share := range curveShares {
		split := opts.Split(subjects)
		split.Share = share
		groups, rows := make([]int, split.Folds), make([]int, split.Folds)
		task := opts.Display.Start(fmt.Sprintf("growing trees for %s, %g %% of the groups", p.label, 100*share), split.Folds*p.options.Rounds)
		fit := p.forFolds(task, nil)
		scores, err := crossval.Run(ctx, subjects, label, func(ctx context.Context, set crossval.TrainingSet) (crossval.Predictor, error) {
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
		q, err := judge.Assess(ctx, scores, significance.Bootstrap{Seed: opts.Seed, Workers: opts.Workers})
		if err != nil {
			return nil, err
		}
		out.Points = append(out.Points, CurvePoint{Share: number.Float(share), Groups: meanOf(groups), Mutants: meanOf(rows),
			AUC: aucOf(q)})
	}
	return out, nil
}

func meanOf(counts []int) number.Float {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return number.Float(float64(sum) / float64(len(counts)))
}
