package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/train"
)

// The model of revelation is trained to rank within a fault (train.Revelation): most
// orders that read it find more faults early than with one that is trained for
// probabilities (docs/results/learning.md). But its scores are on no scale, and the rule
// of the order winnow, budgets and people want probabilities. So scores by models that
// had not seen the mutants are held against what these turned out to be worth: a rising
// logistic curve (train.CalibrateScores) makes probabilities in the same order.
//
// The curve of a model that is kept is learnt from all folds and goes onto its card. In
// cross-validation each fold has one of its own, learnt from the others: what a mutant
// turned out to be worth has no part in its probability.

// RevealObjectives are the losses that the model of revelation can learn by, the default
// first.
func RevealObjectives() []train.Objective {
	return []train.Objective{train.Revelation, train.NDCG, train.CrossEntropy}
}

// LookupRevealObjective finds one of RevealObjectives by its name.
func LookupRevealObjective(name string) (train.Objective, error) {
	var names []string
	for _, o := range RevealObjectives() {
		if o.Name == name {
			return o, nil
		}
		names = append(names, o.Name)
	}
	return train.Objective{}, exit.New(exit.Usage, fmt.Errorf("the model of revelation cannot learn by the objective %s", name), "take "+strings.Join(names, ", "))
}

// learner is the one that makes the models.
func (o *Options) learner() train.Learner {
	if o.Learner.Fit == nil {
		return train.Boosting
	}
	return o.Learner
}

// revealObjective is the loss of the model of revelation: the one that was asked for,
// else that of the model to be continued, else the one that ranks, by a learner that can.
func (o *Options) revealObjective() train.Objective {
	switch {
	case o.RevealObjective.Name != "":
		return o.RevealObjective
	case o.continuesReveal() && o.WarmStart.Reveal.Objective == tree.Binary, !o.learner().Ranks:
		return train.CrossEntropy
	}
	return train.Revelation
}

func (o *Options) continuesReveal() bool { return o.WarmStart != nil && o.WarmStart.Reveal != nil }

// checkReveal reports a loss that was asked for and that the model of revelation, the
// learner or the model to be continued cannot have.
func (o *Options) checkReveal() error {
	asked := o.RevealObjective
	if asked.Name == "" {
		return nil
	}
	if _, err := LookupRevealObjective(asked.Name); err != nil {
		return err
	}
	if asked.Listwise != nil && !o.learner().Ranks {
		return exit.New(exit.Usage, fmt.Errorf("the learner %s cannot learn by the objective %s, which ranks", o.learner().Name, asked.Name), "take "+train.CrossEntropy.Name)
	}
	if o.continuesReveal() && o.WarmStart.Reveal.Objective != asked.Link {
		return exit.New(exit.Usage, fmt.Errorf("model %s to be continued has a model of revelation whose scores are those of %s, and the objective %s gives %s",
			o.WarmStart.Card.Name, o.WarmStart.Reveal.Objective, asked.Name, asked.Link), "leave the objective out: the model is continued as it began")
	}
	return nil
}

// calibrateRevelation makes the curve for a model that is kept, from all the scores of
// models that had not seen the subjects.
func calibrateRevelation(subjects []subject.Subject, scores *crossval.OutOfFold) (models.Calibration, error) {
	worth, err := worthOf(subjects)
	if err != nil {
		return models.Calibration{}, err
	}
	return fitRevelation(worth, scores, func(int) bool { return true })
}

// crossCalibrate makes probabilities of the scores of each fold, by the curve of the
// other folds.
func crossCalibrate(ctx context.Context, subjects []subject.Subject, scores *crossval.OutOfFold, workers int) ([][]float64, error) {
	worth, err := worthOf(subjects)
	if err != nil {
		return nil, err
	}
	curves, err := parallel.Map(ctx, workers, make([]struct{}, 1+slices.Max(scores.Fold)), func(_ context.Context, own int, _ struct{}) (models.Calibration, error) {
		return fitRevelation(worth, scores, func(fold int) bool { return fold != own })
	})
	if err != nil {
		return nil, err
	}
	out := make([][]float64, len(scores.Scores))
	for i, raw := range scores.Scores {
		out[i] = make([]float64, len(raw))
		for m, score := range raw {
			out[i][m] = curves[scores.Fold[i]].ApplyScore(score)
		}
	}
	return out, nil
}

// worthOf is what analysing each mutant of each subject is worth.
func worthOf(subjects []subject.Subject) ([][]dataset.Value, error) {
	label, err := dataset.LookupLabel(RevealLabel)
	if err != nil {
		return nil, err
	}
	out := make([][]dataset.Value, len(subjects))
	for i := range subjects {
		out[i] = subject.Values(&subjects[i], label)
	}
	return out, nil
}

// fitRevelation makes the curve from scores of some folds to what the mutants are worth.
// Where nothing is known of any of them there is no more than the penalty: the logistic
// function itself.
func fitRevelation(worth [][]dataset.Value, scores *crossval.OutOfFold, in func(fold int) bool) (models.Calibration, error) {
	var s train.Scored
	for i, raw := range scores.Scores {
		if !in(scores.Fold[i]) {
			continue
		}
		for m, value := range worth[i] {
			if value.Target == value.Target { // settled
				s.Predictions, s.Labels = append(s.Predictions, raw[m]), append(s.Labels, value.Target)
			}
		}
	}
	if len(s.Predictions) == 0 {
		return models.Calibration{Method: models.PlattCalibration, Slope: 1}, nil
	}
	curve, err := train.CalibrateScores(s)
	if err != nil {
		return curve, fmt.Errorf("calibrating %s: %w", RevealLabel, err)
	}
	return curve, nil
}
