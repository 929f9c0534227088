package learn

import (
	"context"

	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/train"
)

func groupOf(opts Options) func(*evaluate.Subject) string {
	if opts.ByProgram {
		return evaluate.ByProgram
	}
	return evaluate.ByProblem
}

func groupName(opts Options) string {
	if opts.ByProgram {
		return "program"
	}
	return "problem"
}

func foldsOf(subjects []evaluate.Subject, opts Options) int {
	groups := map[string]bool{}
	group := groupOf(opts)
	for i := range subjects {
		groups[group(&subjects[i])] = true
	}
	folds := opts.Folds
	if folds == 0 {
		folds = 10
	}
	return min(folds, len(groups))
}

// fitter makes the learner of opts fit for cross-validation.
func fitter(opts Options) evaluate.Fit { return opts.parts()[0].fitter() }

// fitter makes the learner of a part fit for cross-validation. Folds run in
// parallel, so each learner keeps to one CPU.
func (p *modelPart) fitter() evaluate.Fit { return p.fitterTo(func(int, *tree.Ensemble) {}) }

// fitterTo also hands over each model with the number of the fold that it was
// trained without.
func (p *modelPart) fitterTo(keep func(fold int, e *tree.Ensemble)) evaluate.Fit {
	return func(ctx context.Context, set evaluate.TrainingSet) (evaluate.Predictor, error) {
		o := p.optionsFor(set)
		o.Workers = 1
		model, err := p.learner.Fit(ctx, dataOf(set), o)
		if err != nil {
			return nil, err
		}
		keep(set.Fold, model)
		compiled, err := tree.Compile(model)
		if err != nil {
			return nil, err
		}
		return compiled.Predict, nil
	}
}

// dataOf shows a training set to a learner, column by column as it asks for them.
func dataOf(set evaluate.TrainingSet) *train.Data {
	d := &train.Data{Names: set.Columns, Labels: set.Targets, Weights: set.Weights, Groups: make([]int32, set.Len())}
	number := map[string]int32{}
	for i, s := range set.Subjects {
		if _, ok := number[s]; !ok {
			number[s] = int32(len(number))
		}
		d.Groups[i] = number[s]
	}
	for k := range set.Columns {
		d.Columns = append(d.Columns, train.Column{Load: func() (train.Column, error) { return train.Compress(set.Column(k)), nil }})
	}
	return d
}
