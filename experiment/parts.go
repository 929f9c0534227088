package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/train"
)

// LateLabel and RevealLabel are what the models behind strategy winnow learn.
const (
	LateLabel   = "late-killable"
	RevealLabel = "revelation"
)

// modelPart is one model of a bundle: what it learns and how.
type modelPart struct {
	label   string
	learner train.Learner
	options train.Options
	// raw says that, where it ranks, its scores stay as they are, and become
	// probabilities by what they turned out to be worth (revelation.go).
	raw bool
	// ensemble is its place in a bundle, scores that of its scores by models that
	// had not seen the subjects.
	ensemble func(*models.Bundle) **models.Ensemble
	scores   func(*crossValidated) **crossval.OutOfFold
}

// parts lists the models that training makes.
func (o *Options) parts() []modelPart {
	target := o.Target
	if target == "" {
		target = FaultLabel
	}
	parts := []modelPart{
		{label: target, options: o.Train,
			ensemble: func(b *models.Bundle) **models.Ensemble { return &b.Fault },
			scores:   func(c *crossValidated) **crossval.OutOfFold { return &c.fault }},
		{label: KillLabel, options: o.Train,
			ensemble: func(b *models.Bundle) **models.Ensemble { return &b.Kill },
			scores:   func(c *crossValidated) **crossval.OutOfFold { return &c.kill }},
		{label: LateLabel, options: o.Train,
			ensemble: func(b *models.Bundle) **models.Ensemble { return &b.Late },
			scores:   func(c *crossValidated) **crossval.OutOfFold { return &c.late }},
		{label: RevealLabel, options: o.Train, raw: true,
			ensemble: func(b *models.Bundle) **models.Ensemble { return &b.Reveal },
			scores:   func(c *crossValidated) **crossval.OutOfFold { return &c.reveal }},
	}
	parts[0].options.Objective, parts[3].options.Objective = o.Objective, o.revealObjective()
	for i := range parts {
		p := &parts[i]
		p.learner = o.learner()
		p.options.Seed = o.Seed
		if o.WarmStart != nil {
			p.options.WarmStart = *p.ensemble(o.WarmStart)
		}
	}
	return parts
}

// DefaultOptions are how models are trained unless somebody says otherwise. What
// tells mutants of other programs apart is faint, and some thousand columns are many
// for the faults that anybody has: each tree sees three in ten, leaves are large, and
// steps are short (docs/results/learning.md).
func DefaultOptions() train.Options {
	return train.Options{Rounds: 200, LearningRate: 0.05, MaxDepth: 5, ColumnFraction: 0.3, MinLeafSamples: 50, L2: 5}
}

// optionsFor are the options for a set: ratios need the loss for ratios.
func (p *modelPart) optionsFor(set crossval.TrainingSet) train.Options {
	o := p.options
	ratio := func(y float64) bool { return y != 0 && y != 1 }
	if o.Objective.Name == "" && slices.ContainsFunc(set.Targets, ratio) {
		o.Objective = train.CrossEntropy
	}
	return o
}

// fit makes the model from all subjects.
func (p *modelPart) fit(ctx context.Context, subjects []subject.Subject, opts Options) (*tree.Ensemble, error) {
	label, err := dataset.LookupLabel(p.label)
	if err != nil {
		return nil, err
	}
	set, err := crossval.NewTrainingSet(subjects, label, crossval.Sampling{PerSubject: opts.Sample, Seed: opts.Seed})
	if err != nil {
		return nil, fmt.Errorf("labelling %s: %w", p.label, err)
	}
	o := p.optionsFor(set)
	o.Workers = opts.Workers
	task := opts.Display.Start("growing trees of the final model for "+p.label, o.Rounds)
	defer task.Done()
	model, err := p.grow(ctx, dataOf(ctx, set), o, task)
	if err != nil {
		return nil, fmt.Errorf("training %s: %w", p.label, err)
	}
	return model, nil
}

// attach returns copies of the subjects whose mutants carry the scores that
// evaluate does not judge by itself, where there are some.
func (c *crossValidated) attach(subjects []subject.Subject) []subject.Subject {
	out := slices.Clone(subjects)
	for i := range out {
		out[i].Mutants = slices.Clone(out[i].Mutants)
		for m := range out[i].Mutants {
			if c.late != nil {
				out[i].Mutants[m].Late = c.late.Scores[i][m]
			}
			if c.revelation != nil {
				out[i].Mutants[m].Reveal = c.revelation[i][m]
			}
		}
	}
	return out
}

// calibrate corrects the probabilities that are shown to people, and makes those of a
// model of revelation that ranks, on the scores of models that had not seen the subjects.
func calibrate(subjects []subject.Subject, scores *crossValidated, opts Options) (map[string]models.Calibration, error) {
	out := map[string]models.Calibration{}
	if scores.reveal != nil && scores.ranked {
		var err error
		if out[models.RevealFile], err = calibrateRevelation(subjects, scores.reveal); err != nil {
			return nil, err
		}
	}
	for file, part := range map[string]struct {
		label string
		of    *crossval.OutOfFold
	}{models.FaultFile: {FaultLabel, scores.fault}, models.KillFile: {KillLabel, scores.kill}} {
		if part.of == nil {
			continue
		}
		label, err := dataset.LookupLabel(part.label)
		if err != nil {
			return nil, err
		}
		var s train.Scored
		for i := range subjects {
			for m, value := range subject.Values(&subjects[i], label) {
				if value.Target == value.Target { // settled
					s.Predictions = append(s.Predictions, part.of.Scores[i][m])
					s.Labels = append(s.Labels, value.Target)
					s.Groups = append(s.Groups, int32(i))
				}
			}
		}
		choice, err := train.Calibrate(s, opts.Seed)
		if err != nil {
			return nil, fmt.Errorf("calibrating %s: %w", part.label, err)
		}
		if choice.Method != models.NoCalibration {
			out[file] = choice.Calibration
		}
	}
	return out, nil
}

// describedColumns is how many columns a card describes, to notice drift.
const describedColumns = 30

// columnOf returns the values of a column over all subjects, by name.
func columnOf(subjects []subject.Subject) func(name string) []float64 {
	return func(name string) []float64 {
		at := slices.Index(subjects[0].Columns, name)
		if at < 0 {
			return nil
		}
		var out []float64
		for i := range subjects {
			out = subjects[i].Features.Column(at, out)
		}
		return out
	}
}
