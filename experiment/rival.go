package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/train"
)

// Rival is another way to learn, judged beside that of Options on the same subjects and
// folds, so that a difference is one of the ways and not of the data. It has the two
// models of FaRM, of fault revelation and of killability, and the orders that read
// these.
type Rival struct {
	// Name stands behind the names of its models and orders.
	Name string
	// Train are the learner's options, Target the label that the model of fault
	// revelation learns, and Columns the features, which are some of those of Options.
	Train   train.Options
	Target  string
	Columns []string
}

// rivalOrders read no more than the two models that a rival has.
var rivalOrders = []predict.Strategy{predict.FaRM, predict.FaRMStar, predict.PredKillable}

func (r *Rival) called(name string) string { return name + " (" + r.Name + ")" }

// judged is what a rival's models are worth, and its orders.
type judged struct {
	qualities  []*crossval.Quality
	simulation *simulate.Simulation
}

// judge cross-validates the rival's two models and simulates its orders. Learner, folds,
// seed and repetitions are those of opts.
func (r *Rival) judge(ctx context.Context, subjects []subject.Subject, opts Options) (*judged, error) {
	subjects, err := r.reads(subjects)
	if err != nil {
		return nil, err
	}
	opts.Train, opts.Target, opts.WarmStart = r.Train, r.Target, nil
	out := &judged{}
	var scores []*crossval.OutOfFold
	for k, truth := range []string{FaultLabel, KillLabel} {
		part := opts.parts()[k]
		label, err := dataset.LookupLabel(truth)
		if err != nil {
			return nil, err
		}
		s, err := part.crossValidate(ctx, subjects, opts, r.called(part.label), nil)
		if err != nil {
			return nil, fmt.Errorf("cross-validating %s: %w", r.called(part.label), err)
		}
		s.Label = r.called(truth)
		q, err := crossval.Assess(ctx, subjects, label, s, significance.Bootstrap{Seed: opts.Seed, Workers: opts.Workers})
		if err != nil {
			return nil, fmt.Errorf("judging %s: %w", s.Label, err)
		}
		scores, out.qualities = append(scores, s), append(out.qualities, q)
	}
	scored, err := crossval.WithScores(subjects, scores[0], scores[1])
	if err != nil {
		return nil, err
	}
	orders := slices.Clone(rivalOrders)
	for i := range orders {
		orders[i].Name = r.called(orders[i].Name)
	}
	out.simulation, err = simulate.Run(ctx, scored, simulate.Options{Strategies: orders, Repetitions: opts.Repetitions, Seed: opts.Seed, Workers: opts.Workers, Display: opts.Display})
	return out, err
}

// reads returns the subjects with the rival's columns only.
func (r *Rival) reads(subjects []subject.Subject) ([]subject.Subject, error) {
	places := make([]int, len(r.Columns))
	for i, name := range r.Columns {
		if places[i] = slices.Index(subjects[0].Columns, name); places[i] < 0 {
			return nil, exit.Mark(exit.Usage, ErrOtherFeatures, fmt.Errorf("%s reads the feature %s, which is not among those that are learnt from", r.Name, name))
		}
	}
	return withColumns(subjects, places), nil
}
