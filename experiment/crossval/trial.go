package crossval

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/parallel"
)

// Trials cross-validates many models of the same label on the same folds, which
// differ in the columns that they read: what is the same for all of them is made
// once. What is learnt from is what CrossValidate learns from. The judges are the
// mutants that opts.Sample draws of each subject, the others are not scored; all
// where it draws none.
type Trials struct {
	p             *partition
	label, judge  dataset.Label
	learnt, truth [][]dataset.Value // of each subject's mutants
}

// NewTrials labels and splits the subjects. The label judge is binary.
func NewTrials(subjects []subject.Subject, label, judge dataset.Label, opts Options) (*Trials, error) {
	if !judge.Binary {
		return nil, fmt.Errorf("trials of %s: the label %s has no positives to tell from negatives; judge by a binary one", label.Name, judge.Name)
	}
	p, err := opts.partition(subjects)
	if err != nil {
		return nil, fmt.Errorf("trials of %s: %w", label.Name, err)
	}
	t := &Trials{p: p, label: label, judge: judge, learnt: valuesOf(subjects, label)}
	if t.truth = t.learnt; label.Name != judge.Name {
		t.truth = valuesOf(subjects, judge)
	}
	return t, nil
}

// Folds is the number of folds.
func (t *Trials) Folds() int { return t.p.Folds }

// FoldFit trains so many models, the same number for each fold, and hands the
// scores of the rows of held over, model by model. Several folds are at work at a
// time.
type FoldFit func(ctx context.Context, learn, held TrainingSet, score func(model int, scores []float64) error) error

// Run trains the models of each fold and judges each number of models over all
// folds.
func (t *Trials) Run(ctx context.Context, models int, fit FoldFit, boot significance.Bootstrap) ([]*Quality, error) {
	type held struct {
		set    TrainingSet
		scores [][]float64 // by model
	}
	folds, err := parallel.Map(ctx, t.p.Workers, make([]struct{}, t.p.Folds), func(ctx context.Context, fold int, _ struct{}) (held, error) {
		out := held{set: t.held(fold), scores: make([][]float64, models)}
		err := fit(ctx, t.p.outside(fold, t.label, t.learnt), out.set, func(model int, scores []float64) error {
			if len(scores) != out.set.Len() {
				return fmt.Errorf("model %d without fold %d: %d scores for %d mutants", model, fold, len(scores), out.set.Len())
			}
			out.scores[model] = scores
			return nil
		})
		return out, err
	})
	if err != nil {
		return nil, fmt.Errorf("trials of %s: %w", t.label.Name, err)
	}
	out := make([]*Quality, models)
	for model := range out {
		at := make([]int, len(folds)) // the next row of each fold
		all, err := pool(t.p.subjects, func(i int) (scores []float64, positive []bool, err error) {
			f := &folds[t.p.folds[i]]
			if f.scores[model] == nil {
				return nil, nil, fmt.Errorf("model %d was not trained", model)
			}
			name := t.p.subjects[i].Name()
			for k := &at[t.p.folds[i]]; *k < f.set.Len() && f.set.Subjects[*k] == name; *k++ {
				scores, positive = append(scores, f.scores[model][*k]), append(positive, f.set.Targets[*k] == 1)
			}
			return scores, positive, nil
		})
		if err != nil {
			return nil, fmt.Errorf("trials of %s: %w", t.label.Name, err)
		}
		if out[model], err = all.quality(ctx, boot); err != nil {
			return nil, fmt.Errorf("trials of %s: %w", t.label.Name, err)
		}
		out[model].Learnt, out[model].Judged, out[model].Subjects = t.label.Name, t.judge.Name, len(t.p.subjects)
	}
	return out, nil
}

// held is the mutants of a fold that are judged: those whose truth is settled.
func (t *Trials) held(fold int) TrainingSet {
	set := trainingSet(t.p.subjects, t.p.groups, t.judge, t.truth, Sampling{t.p.Sample, t.p.Seed}, func(i int) bool { return t.p.folds[i] == fold })
	set.Fold = fold
	return set
}
