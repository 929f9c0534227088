package learn

import (
	"context"
	"errors"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/internal/progress"
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

// splitOf says how the models of opts are cross-validated.
func splitOf(subjects []evaluate.Subject, opts Options) evaluate.CrossValidateOptions {
	return evaluate.CrossValidateOptions{Folds: foldsOf(subjects, opts), Group: groupOf(opts), Seed: opts.Seed, Sample: opts.Sample, Workers: opts.Workers}
}

// crossValidate makes a part's models of every fold and scores the subjects by
// them. What says which models these are, where progress is shown; keep is handed
// each model with the fold that it was trained without.
func (p *modelPart) crossValidate(ctx context.Context, subjects []evaluate.Subject, opts Options, what string, keep func(fold int, e *tree.Ensemble)) (*evaluate.OutOfFold, error) {
	label, err := dataset.LookupLabel(p.label)
	if err != nil {
		return nil, err
	}
	split := splitOf(subjects, opts)
	task := opts.Display.Start("growing trees for "+what, split.Folds*p.options.Rounds)
	defer task.Done()
	return evaluate.CrossValidate(ctx, subjects, label, p.fitterTo(task, keep), split)
}

// fitter makes the learner of opts fit for cross-validation.
func fitter(opts Options) evaluate.Fit { return opts.parts()[0].fitter() }

// fitter makes the learner of a part fit for cross-validation. Folds run in
// parallel, so each learner keeps to one CPU.
func (p *modelPart) fitter() evaluate.Fit { return p.fitterTo(nil, nil) }

// fitterTo also counts trees and hands over each model with the number of the fold
// that it was trained without. Both may be nil.
func (p *modelPart) fitterTo(task *progress.Task, keep func(fold int, e *tree.Ensemble)) evaluate.Fit {
	return func(ctx context.Context, set evaluate.TrainingSet) (evaluate.Predictor, error) {
		o := p.optionsFor(set)
		o.Workers = 1
		model, err := p.grow(ctx, set, o, task)
		if err != nil {
			return nil, err
		}
		if o.Objective.Listwise != nil && !p.raw {
			// Its scores are on no scale; between 0 and 1 they can be judged as others.
			model.Objective = tree.Binary
		}
		if keep != nil {
			keep(set.Fold, model)
		}
		compiled, err := tree.Compile(model)
		if err != nil {
			return nil, err
		}
		return compiled.Predict, nil
	}
}

// grow fits a model and counts its trees: all that were asked for when it is done,
// also where the learner makes fewer or does not tell.
func (p *modelPart) grow(ctx context.Context, set evaluate.TrainingSet, o train.Options, task *progress.Task) (*tree.Ensemble, error) {
	return p.growOn(ctx, dataOf(ctx, set), o, task)
}

// growOn is grow of data.
func (p *modelPart) growOn(ctx context.Context, data *train.Data, o train.Options, task *progress.Task) (*tree.Ensemble, error) {
	counted := 0
	o.Progress = func(done, _ int) {
		task.Add(done - counted)
		counted = done
	}
	model, err := p.learner.Fit(ctx, data, o)
	if p.raw && errors.Is(err, train.ErrNoOrder) {
		// None of the mutants revealed anything, or all: it is no reason to do without
		// the other models.
		model, err = train.Constant.Fit(ctx, data, o)
	}
	if err == nil && o.Rounds > counted {
		task.Add(o.Rounds - counted)
	}
	return model, err
}

// dataOf shows a training set to a learner, column by column as it asks for them.
// There are no more columns once ctx is cancelled, so that whoever walks over them
// stops.
func dataOf(ctx context.Context, set evaluate.TrainingSet) *train.Data {
	d := &train.Data{Names: set.Columns, Labels: set.Targets, Weights: set.Weights, Groups: make([]int32, set.Len())}
	number := map[string]int32{}
	for i, s := range set.Subjects {
		if _, ok := number[s]; !ok {
			number[s] = int32(len(number))
		}
		d.Groups[i] = number[s]
	}
	for k := range set.Columns {
		d.Columns = append(d.Columns, train.Column{Load: func() (train.Column, error) {
			if err := ctx.Err(); err != nil {
				return train.Column{}, err
			}
			return train.Compress(set.Column(k)), nil
		}})
	}
	return d
}
