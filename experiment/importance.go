package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/train"
)

// The features shown one by one, and how often values are dealt out.
const (
	importanceFeatures    = 15
	importanceRepetitions = 3
)

// MeasureImportance measures what features, alone and by family, are worth to the models
// that Options describe, in cross-validation: by gain on what is learnt from,
// by permutation on what is held out.
func MeasureImportance(ctx context.Context, dir string, opts Options) ([]*Importance, error) {
	if err := opts.checkReveal(); err != nil {
		return nil, err
	}
	_, subjects, _, err := Subjects(ctx, dir, opts.columns(), opts)
	if err != nil {
		return nil, err
	}
	parts, err := opts.learnable(subjects)
	if err != nil {
		return nil, err
	}
	var out []*Importance
	for _, part := range parts {
		one, err := part.importance(ctx, subjects, opts)
		if err != nil {
			return nil, fmt.Errorf("importance for %s: %w", part.label, err)
		}
		out = append(out, one)
	}
	return out, nil
}

// importance cross-validates one model and takes its columns from it in turn.
func (p *modelPart) importance(ctx context.Context, subjects []subject.Subject, opts Options) (*Importance, error) {
	label, err := dataset.LookupLabel(p.label)
	if err != nil {
		return nil, err
	}
	trained := make([]*tree.Ensemble, opts.folds(subjects))
	scores, err := p.crossValidate(ctx, subjects, opts, p.label, func(fold int, e *tree.Ensemble) { trained[fold] = e })
	if err != nil {
		return nil, err
	}
	columns := subjects[0].Columns
	gains := make([]float64, len(columns))
	for _, e := range trained {
		for i, share := range e.Importance() {
			gains[i] += share / float64(len(trained))
		}
	}
	names, groups := familiesOf(columns)
	families := len(groups)
	for _, i := range largest(gains, importanceFeatures) {
		names, groups = append(names, columns[i]), append(groups, []int{i})
	}
	worth := make([]Worth, len(groups))
	for g, group := range groups {
		worth[g] = Worth{Name: names[g], Columns: len(group)}
		for _, i := range group {
			worth[g].Gain += number.Float(gains[i])
		}
	}
	loss := 0.0
	task := opts.Display.Start("dealing out features of "+p.label, len(trained))
	defer task.Done()
	for fold, e := range trained {
		var held []subject.Subject
		for i := range subjects {
			if scores.Fold[i] == fold {
				held = append(held, subjects[i])
			}
		}
		set, err := crossval.NewTrainingSet(held, label, crossval.Sampling{PerSubject: opts.Sample, Seed: opts.Seed})
		if err != nil {
			return nil, err
		}
		if set.Len() == 0 {
			continue
		}
		got, err := train.PermutationImportance(ctx, e, dataOf(ctx, set), p.optionsFor(set).Objective, groups, importanceRepetitions, opts.Seed, opts.Workers)
		if errors.Is(err, train.ErrNoOrder) {
			task.Add(1)
			continue // nothing to tell apart, so that no feature matters
		}
		if err != nil {
			return nil, err
		}
		// Folds count by their mutants.
		loss += got.Loss * float64(set.Len())
		for g, increase := range got.Increase {
			worth[g].Loss += number.Float(increase * float64(set.Len()))
		}
		task.Add(1)
	}
	for g := range worth {
		worth[g].Loss /= number.Float(loss)
	}
	byLoss := func(a, b Worth) int { return cmp.Compare(b.Loss, a.Loss) }
	slices.SortStableFunc(worth[:families], byLoss)
	slices.SortStableFunc(worth[families:], byLoss)
	return &Importance{Label: p.label, Families: worth[:families], Features: worth[families:], Columns: columns, Gains: gains}, nil
}

// familiesOf returns the families that have some of the columns, and the positions
// of these.
func familiesOf(columns []string) (names []string, groups [][]int) {
	for _, family := range features.All() {
		var group []int
		for _, c := range family.Columns {
			if at := slices.Index(columns, c.Name); at >= 0 {
				group = append(group, at)
			}
		}
		if group != nil {
			names, groups = append(names, family.Name), append(groups, group)
		}
	}
	return names, groups
}

// largest returns the positions of the n largest values above 0.
func largest(values []float64, n int) []int {
	var order []int
	for i, v := range values {
		if v > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return order[:min(n, len(order))]
}
