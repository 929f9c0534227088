package learn

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/evaluate/significance"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// asPublished ends the names of what FaRM as published gave.
const asPublished = " (FaRM as published)"

// published is FaRM as it was published, on the same subjects and folds: its
// features, its trees and its weights, so that what goes beyond it is measured on
// the same data.
type published struct {
	qualities  []*evaluate.Quality
	simulation *evaluate.Simulation
}

// learnPublished cross-validates FaRM's two models and simulates its orders. Folds,
// seed and repetitions are those of opts; all mutants are learnt from unless Sample
// bounds them.
func learnPublished(ctx context.Context, subjects []evaluate.Subject, opts Options) (*published, error) {
	names, err := features.Columns(farmGroup)
	if err != nil {
		return nil, err
	}
	var places []int
	for _, name := range names {
		at := slices.Index(subjects[0].Columns, name)
		if at < 0 {
			return nil, exit.New(exit.Usage, fmt.Errorf("FaRM as published reads the feature %s, which is not among those that are learnt from", name), "learn from --features static, or farm, or all")
		}
		places = append(places, at)
	}
	subjects = withColumns(subjects, places)
	opts.Train, opts.Target, opts.WarmStart = PublishedOptions(), "fault-revealing-weighted", nil
	out := &published{}
	var scores []*evaluate.OutOfFold
	for k, judged := range []string{FaultLabel, KillLabel} {
		part := opts.parts()[k]
		judge, err := dataset.LookupLabel(judged)
		if err != nil {
			return nil, err
		}
		s, err := part.crossValidate(ctx, subjects, opts, part.label+asPublished, nil)
		if err != nil {
			return nil, fmt.Errorf("cross-validating %s%s: %w", part.label, asPublished, err)
		}
		s.Label = judged + asPublished
		q, err := evaluate.Assess(ctx, subjects, judge, s, significance.Bootstrap{Seed: opts.Seed, Workers: opts.Workers})
		if err != nil {
			return nil, fmt.Errorf("judging %s: %w", s.Label, err)
		}
		scores, out.qualities = append(scores, s), append(out.qualities, q)
	}
	scored, err := evaluate.WithScores(subjects, scores[0], scores[1])
	if err != nil {
		return nil, err
	}
	var orders []predict.Strategy
	for _, s := range []predict.Strategy{predict.FaRM, predict.FaRMStar, predict.PredKillable} {
		s.Name += asPublished
		orders = append(orders, s)
	}
	out.simulation, err = evaluate.Simulate(ctx, scored, evaluate.SimulateOptions{Strategies: orders, Repetitions: opts.Repetitions, Seed: opts.Seed, Workers: opts.Workers, Display: opts.Display})
	return out, err
}

// addTo puts the published models beside those of a study, whose simulation is sim.
func (p *published) addTo(ctx context.Context, out *report.Study, sim *evaluate.Simulation, opts Options) error {
	out.Qualities = append(out.Qualities, p.qualities...)
	joined, err := sim.With(p.simulation)
	if err != nil {
		return err
	}
	out.Comparison, err = evaluate.Compare(ctx, joined, evaluate.CompareOptions{Bootstrap: significance.Bootstrap{Seed: opts.Seed, Workers: opts.Workers}, Display: opts.Display})
	return err
}
