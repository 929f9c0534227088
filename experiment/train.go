package experiment

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/models"
)

// Train fits the models of a bundle on a whole history and judges them by
// cross-validation, so that the card's figures are of unseen programs. Where no fault is
// known they say what is killable, and no more.
func Train(ctx context.Context, dir string, card models.Card, opts Options) (*models.Bundle, *Evaluation, error) {
	if opts.Objective.Listwise != nil {
		return nil, nil, exit.New(exit.Usage, fmt.Errorf("objective %s makes an order and no probabilities, which models are for", opts.Objective.Name),
			"judge it with winnow evaluate, or train with another")
	}
	if err := opts.checkReveal(); err != nil {
		return nil, nil, err
	}
	_, subjects, skipped, err := Subjects(ctx, dir, opts.columns(), opts)
	if err != nil {
		return nil, nil, err
	}
	evaluation, scores, err := judge(ctx, subjects, opts)
	if err != nil {
		return nil, nil, err
	}
	evaluation.Skipped = skipped
	if evaluation.Warnings, err = leakWarnings(ctx, subjects, opts); err != nil {
		return nil, nil, err
	}
	parts, err := opts.learnable(subjects)
	if err != nil {
		return nil, nil, err
	}
	bundle := &models.Bundle{}
	for _, part := range parts {
		if *part.ensemble(bundle), err = part.fit(ctx, subjects, opts); err != nil {
			return nil, nil, err
		}
	}
	if card.Calibrations, err = calibrate(subjects, scores, opts); err != nil {
		return nil, nil, err
	}
	if scores.kill != nil {
		if bundle.Survivor, err = fitAllSurvivors(ctx, subjects, scores.kill, card.Calibrations[models.KillFile], opts); err != nil {
			return nil, nil, err
		}
	}
	card.Features = opts.columns()
	if card.Schema, err = DefinitionsOf(card.Features); err != nil {
		return nil, nil, err
	}
	card.TrainedOn = sourcesOf(subjects)
	card.Faults, card.Mutants, card.Programs = len(subjects)-evaluation.Faultless, evaluation.Mutants, countPrograms(subjects)
	card.Folds, card.Seed = evaluation.Folds, opts.Seed
	card.Figures = figuresOf(evaluation)
	options := opts.Train
	options.Seed = opts.Seed
	card.HyperParameters = options.Settings()
	if bundle.Reveal != nil {
		card.HyperParameters["RevealObjective"] = opts.revealObjective().Name
	}
	bundle.Card = card
	bundle.Describe(describedColumns, columnOf(subjects))
	bundle.Acquaint(programsOf(subjects))
	return bundle, evaluation, nil
}

func countPrograms(subjects []subject.Subject) int {
	seen := map[string]bool{}
	for i := range subjects {
		seen[subject.ByProblem(&subjects[i])] = true
	}
	return len(seen)
}

// figuresOf are an evaluation's headline numbers by name, for a model's card.
func figuresOf(s *Evaluation) map[string]float64 {
	out := map[string]float64{}
	for _, q := range s.Qualities {
		out[q.Learnt+" AUC"] = float64(q.AUC)
		out[q.Learnt+" AUC low"] = float64(q.AUCLow)
		out[q.Learnt+" AUC high"] = float64(q.AUCHigh)
		out[q.Learnt+" AUC per subject (mean)"] = float64(q.SubjectAUCMean)
		out[q.Learnt+" average precision"] = float64(q.AveragePrecision)
		out[q.Learnt+" base rate"] = float64(q.BaseRate)
		out[q.Learnt+" calibration error"] = float64(q.ECE)
	}
	if s.Comparison != nil {
		for _, row := range s.Comparison.Rows {
			if row.Measure == "revealed at 5%" {
				out[row.Strategy+" revealed at 5% (mean)"] = float64(row.Mean)
			}
		}
	}
	for name, v := range out {
		if v != v {
			delete(out, name) // undefined figures have no place on a card
		}
	}
	return out
}
