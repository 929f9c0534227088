package experiment

import (
	"context"
	"errors"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/train"
)

// group names a subject's group, which no fold splits.
func (o *Options) group() func(*subject.Subject) string {
	if o.ByProgram {
		return subject.ByProgram
	}
	return subject.ByProblem
}

// Grouped names what groups are.
func (o *Options) Grouped() string {
	if o.ByProgram {
		return "program"
	}
	return "problem"
}

// folds is their number, no more than there are groups.
func (o *Options) folds(subjects []subject.Subject) int {
	groups := map[string]bool{}
	group := o.group()
	for i := range subjects {
		groups[group(&subjects[i])] = true
	}
	folds := o.Folds
	if folds == 0 {
		folds = 10
	}
	return min(folds, len(groups))
}

// Split says how models are cross-validated on the subjects.
func (o *Options) Split(subjects []subject.Subject) crossval.Options {
	return crossval.Options{Folds: o.folds(subjects), Group: o.group(), Seed: o.Seed, Sample: o.Sample, Workers: o.Workers}
}

// crossValidate makes a part's models of every fold and scores the subjects by
// them. What says which models these are, where progress is shown; keep is handed
// each model with the fold that it was trained without.
func (p *modelPart) crossValidate(ctx context.Context, subjects []subject.Subject, opts Options, what string, keep func(fold int, e *tree.Ensemble)) (*crossval.OutOfFold, error) {
	label, err := dataset.LookupLabel(p.label)
	if err != nil {
		return nil, err
	}
	split := opts.Split(subjects)
	task := opts.Display.Start("growing trees for "+what, split.Folds*p.options.Rounds)
	defer task.Done()
	return crossval.Run(ctx, subjects, label, p.forFolds(task, keep), split)
}

// Fit is the learner, for cross-validation.
func (o *Options) Fit() crossval.Fit { return o.parts()[0].forFolds(nil, nil) }

// forFolds makes the learner of a part fit for cross-validation. Folds run in parallel,
// so that each learner keeps to one CPU. Trees are counted by task, and keep is handed
// each model with the number of the fold that it was trained without; both may be nil.
func (p *modelPart) forFolds(task *progress.Task, keep func(fold int, e *tree.Ensemble)) crossval.Fit {
	return func(ctx context.Context, set crossval.TrainingSet) (crossval.Predictor, error) {
		o := p.optionsFor(set)
		o.Workers = 1
		model, err := p.grow(ctx, dataOf(ctx, set), o, task)
		if err != nil {
			return nil, err
		}
		if keep != nil {
			keep(set.Fold, model)
		}
		return predictor(model, nil)
	}
}

// predictor scores by a model of the columns at some places; nil is all from the first
// on. Columns that the model does not read are not unpacked.
func predictor(model *tree.Ensemble, places []int) (crossval.Predictor, error) {
	compiled, err := tree.Compile(model)
	if err != nil {
		return nil, err
	}
	return func(rows *crossval.Rows) ([]float64, error) {
		columns := make([][]float64, len(model.Features))
		for _, k := range compiled.Reads() {
			at := k
			if places != nil {
				at = places[k]
			}
			columns[k] = rows.Column(at)
		}
		return compiled.PredictColumns(columns, rows.Len())
	}, nil
}

// grow fits a model and counts its trees: all that were asked for when it is done,
// also where the learner makes fewer or does not tell.
func (p *modelPart) grow(ctx context.Context, data *train.Data, o train.Options, task *progress.Task) (*tree.Ensemble, error) {
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
	if err != nil {
		return nil, err
	}
	if o.Rounds > counted {
		task.Add(o.Rounds - counted)
	}
	if o.Objective.Listwise != nil && !p.raw {
		// Its scores are on no scale; between 0 and 1 they can be judged as others.
		model.Objective = tree.Binary
	}
	return model, nil
}

// dataOf shows a training set to a learner, column by column as it asks for them.
// There are no more columns once ctx is cancelled, so that whoever walks over them
// stops.
func dataOf(ctx context.Context, set crossval.TrainingSet) *train.Data {
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
