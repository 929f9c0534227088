package experiment

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/train"
)

// Ablate cross-validates the models of fault revelation and of killability with
// each family of features alone, and with all but it: what a family can tell by
// itself, and what no other tells. The mutants that judge are those that
// opts.Sample draws, of faults that were not learnt from; all where it is 0.
func Ablate(ctx context.Context, dir string, opts Options) ([]*Ablation, error) {
	_, subjects, _, err := Subjects(ctx, dir, opts.columns(), opts)
	if err != nil {
		return nil, err
	}
	names, groups := familiesOf(subjects[0].Columns)
	n := len(subjects[0].Columns)
	choices := [][]int{others(nil, n)}
	for _, group := range groups {
		choices = append(choices, group)
		if rest := others(group, n); len(rest) > 0 {
			choices = append(choices, rest)
		}
	}
	parts, err := opts.headline(subjects)
	if err != nil {
		return nil, err
	}
	var out []*Ablation
	for _, part := range parts {
		aucs, err := part.ablate(ctx, subjects, choices, opts)
		if err != nil {
			return nil, fmt.Errorf("ablation of %s: %w", part.label, err)
		}
		one := &Ablation{Label: part.label, Sample: opts.Sample, Columns: n, All: aucs[0]}
		aucs = aucs[1:]
		for f, group := range groups {
			row := AblatedFamily{Name: names[f], Columns: len(group), Alone: aucs[0]}
			aucs = aucs[1:]
			if len(group) < n {
				row.Without = aucs[0]
				aucs = aucs[1:]
			}
			one.Families = append(one.Families, row)
		}
		out = append(out, one)
	}
	return out, nil
}

// others returns the numbers below n that are not in group, which ascends.
func others(group []int, n int) []int {
	var out []int
	for i := range n {
		if len(group) > 0 && group[0] == i {
			group = group[1:]
			continue
		}
		out = append(out, i)
	}
	return out
}

// ablate judges the part's models by each choice of columns, given by their places.
// The columns of a fold are binned once for all of them.
func (p *modelPart) ablate(ctx context.Context, subjects []subject.Subject, choices [][]int, opts Options) ([]AUC, error) {
	label, truth, err := p.judgedBy()
	if err != nil {
		return nil, err
	}
	split := opts.Split(subjects)
	split.SampleHeld = true
	task := opts.Display.Start(fmt.Sprintf("growing trees for %s with parts of the features", p.label), split.Folds*len(choices)*p.options.Rounds)
	defer task.Done()
	scores, err := crossval.RunEach(ctx, subjects, label, len(choices), func(ctx context.Context, set crossval.TrainingSet, trained func(int, crossval.Predictor) error) error {
		o := p.optionsFor(set)
		o.Workers = 1 // folds run in parallel
		binned, err := train.Bin(dataOf(ctx, set), o)
		if err != nil {
			return err
		}
		for k, places := range choices {
			model, err := p.grow(ctx, binned.Choose(places), o, task)
			if err != nil {
				return err
			}
			scores, err := predictor(model, places)
			if err == nil {
				err = trained(k, scores)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, split)
	if err != nil {
		return nil, err
	}
	judge, err := crossval.NewJudge(subjects, truth)
	if err != nil {
		return nil, err
	}
	out := make([]AUC, len(scores))
	for k := range scores {
		q, err := judge.Assess(ctx, scores[k], significance.Bootstrap{Seed: opts.Seed, Workers: opts.Workers})
		if err != nil {
			return nil, err
		}
		out[k] = aucOf(q)
	}
	return out, nil
}

func aucOf(q *crossval.Quality) AUC {
	return AUC{Pooled: q.AUC, Low: q.AUCLow, High: q.AUCHigh, Within: q.SubjectAUCMean}
}

// judgedBy is what the part learns, and the label by whose truth it is judged.
func (p *modelPart) judgedBy() (label, judge dataset.Label, err error) {
	if label, err = dataset.LookupLabel(p.label); err != nil || label.Binary {
		return label, label, err
	}
	judge, err = dataset.LookupLabel(FaultLabel)
	return label, judge, err
}

// withColumns returns copies of the subjects with the columns at some places.
func withColumns(subjects []subject.Subject, places []int) []subject.Subject {
	names := make([]string, len(places))
	for i, at := range places {
		names[i] = subjects[0].Columns[at]
	}
	out := make([]subject.Subject, len(subjects))
	for i := range subjects {
		out[i] = subjects[i]
		out[i].Columns, out[i].Features = names, subjects[i].Features.Choose(places, nil)
	}
	return out
}
