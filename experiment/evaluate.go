package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/shortlist"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/survivor"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/predict"
)

// Evaluate judges models and rankings on a history. With a bundle it judges
// that, which must not have learned from the history; without, it
// cross-validates models of its own.
func Evaluate(ctx context.Context, dir string, bundle *models.Bundle, opts Options) (*Evaluation, error) {
	if err := opts.checkReveal(); err != nil {
		return nil, err
	}
	columns := opts.columns()
	if bundle != nil {
		columns = bundle.Card.Features
	}
	_, subjects, skipped, err := Subjects(ctx, dir, columns, opts)
	if err != nil {
		return nil, err
	}
	var out *Evaluation
	warning, drift := "", ""
	if bundle != nil {
		if warning, err = refuseSeen(&bundle.Card, subjects); err != nil {
			return nil, err
		}
		out, err = judgeBundle(ctx, subjects, bundle, opts)
		drift = driftWarning(bundle, subjects)
	} else {
		out, _, err = judge(ctx, subjects, opts)
	}
	if err != nil {
		return nil, err
	}
	out.Skipped = skipped
	for _, w := range []string{warning, drift} {
		if w != "" {
			out.Warnings = append(out.Warnings, w)
		}
	}
	return out, nil
}

// judgeBundle judges a finished model on subjects that it has not seen.
func judgeBundle(ctx context.Context, subjects []subject.Subject, bundle *models.Bundle, opts Options) (*Evaluation, error) {
	scorer, err := predict.NewBundleScorer(bundle, ColumnsOf(features.FullSchema()))
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	fault := &crossval.OutOfFold{Label: FaultLabel, Fold: make([]int, len(subjects))}
	kill := &crossval.OutOfFold{Label: KillLabel, Fold: make([]int, len(subjects))}
	subjects = slices.Clone(subjects)
	task := opts.Display.Start("scoring mutants", len(subjects))
	defer task.Done()
	for i := range subjects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := &subjects[i]
		s.Mutants = slices.Clone(s.Mutants)
		if err := scorer.Apply(s.Mutants, s.Features.Dense()); err != nil {
			return nil, err
		}
		f, k := make([]float64, len(s.Mutants)), make([]float64, len(s.Mutants))
		for m := range s.Mutants {
			f[m], k[m] = s.Mutants[m].Fault, s.Mutants[m].Kill
		}
		fault.Scores, kill.Scores = append(fault.Scores, f), append(kill.Scores, k)
		task.Add(1)
	}
	// A model need not know of both.
	knowsFaults, knowsKills := bundle.Fault != nil, bundle.Kill != nil
	if foreign := bundle.Foreign; foreign != nil {
		knowsFaults, knowsKills = foreign.Fault != nil, foreign.Kill != nil
	}
	if opts.Strategies == nil && !(knowsFaults && knowsKills) {
		opts.Strategies = readyFor(subjects)
	}
	if !knowsFaults {
		fault = nil
	}
	if !knowsKills {
		kill = nil
	}
	model, err := survivor.New(bundle)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	known, err := oneForAll(ctx, subjects, kill, model, opts)
	if err != nil {
		return nil, err
	}
	return evaluate(ctx, subjects, fault, kill, known, opts)
}

// readyFor returns the strategies that need no score which a subject lacks.
func readyFor(subjects []subject.Subject) []predict.Strategy {
	return slices.DeleteFunc(simulate.Usable(subjects), func(s predict.Strategy) bool {
		return slices.ContainsFunc(subjects, func(one subject.Subject) bool { return s.Ready(simulate.Described(&one, []predict.Strategy{s})) != nil })
	})
}

// crossValidated are the scores of models that had not seen the subjects; fault and reveal
// are nil where no fault is known.
type crossValidated struct {
	fault, kill, late, reveal *crossval.OutOfFold
	// ranked says that the scores of reveal are raw ones of models that rank;
	// revelation are the probabilities, by subject and mutant, in either case.
	ranked     bool
	revelation [][]float64
	folds      int
	// besides are models of survivors, each of the subjects outside the fold.
	besides besides
}

// crossValidate makes the models of every fold and scores the subjects by them.
func crossValidate(ctx context.Context, subjects []subject.Subject, opts Options) (*crossValidated, error) {
	out := &crossValidated{folds: opts.folds(subjects)}
	if out.folds < 2 {
		return nil, exit.New(exit.Input, fmt.Errorf("the history's faults are all of one %s: there is nothing to test on that was not trained on", opts.Grouped()),
			"record faults of another "+opts.Grouped()+" too")
	}
	parts, err := opts.learnable(subjects)
	if err != nil {
		return nil, err
	}
	for _, part := range parts {
		scores, err := part.crossValidate(ctx, subjects, opts, part.label, nil)
		if err != nil {
			return nil, fmt.Errorf("cross-validating %s: %w", part.label, err)
		}
		*part.scores(out) = scores
	}
	if out.kill != nil {
		if out.besides, err = crossSurvivors(ctx, subjects, out.kill, opts); err != nil {
			return nil, err
		}
	}
	if out.fault == nil {
		return out, nil
	}
	out.fault.Label = FaultLabel // which it is judged by
	out.revelation, out.ranked = out.reveal.Scores, opts.revealObjective().Listwise != nil
	if out.ranked {
		if out.revelation, err = crossCalibrate(ctx, subjects, out.reveal, opts.Workers); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// judge cross-validates models and says how good they are.
func judge(ctx context.Context, subjects []subject.Subject, opts Options) (*Evaluation, *crossValidated, error) {
	scores, err := crossValidate(ctx, subjects, opts)
	if err != nil {
		return nil, nil, err
	}
	out, err := evaluate(ctx, scores.attach(subjects), scores.fault, scores.kill, scores.besides, opts)
	if err != nil {
		return nil, nil, err
	}
	out.Folds = scores.folds
	return out, scores, nil
}

// evaluate judges scores by the truth and simulates the strategies on them. Either of the
// two may be nil. Beside tests the models of survivors are asked.
func evaluate(ctx context.Context, subjects []subject.Subject, fault, kill *crossval.OutOfFold, known besides, opts Options) (*Evaluation, error) {
	out := &Evaluation{Subjects: len(subjects), Faultless: len(subjects) - len(subject.Faulty(subjects))}
	for i := range subjects {
		out.Mutants += len(subjects[i].Mutants)
	}
	boot := significance.Bootstrap{Seed: opts.Seed, Workers: opts.Workers}
	var err error
	var judged []*crossval.OutOfFold
	for _, scores := range []*crossval.OutOfFold{fault, kill} {
		if scores != nil {
			judged = append(judged, scores)
		}
	}
	if out.Qualities, err = qualitiesOf(ctx, subjects, judged, opts.Display, boot); err != nil {
		return nil, err
	}
	if kill != nil && out.Faultless > 0 && out.Faultless < out.Subjects {
		apart, scores := faultlessOnly(subjects, kill)
		more, err := qualitiesOf(ctx, apart, []*crossval.OutOfFold{scores}, opts.Display, boot)
		if err != nil {
			return nil, err
		}
		more[0].Learnt += ", where no fault is known"
		out.Qualities = append(out.Qualities, more...)
	}
	more, err := judgeSurvivors(ctx, subjects, known, boot)
	if err != nil {
		return nil, fmt.Errorf("judging what is said of survivors: %w", err)
	}
	out.Qualities = append(out.Qualities, more...)
	scored, err := crossval.WithScores(subjects, fault, kill)
	if err != nil {
		return nil, err
	}
	if err := out.judgeOrders(ctx, subject.Faulty(scored), known, boot, opts); err != nil {
		return nil, err
	}
	if err := out.judgeKills(ctx, subject.Varied(scored, fewestWays), known, boot, opts); err != nil {
		return nil, err
	}
	return out, nil
}

// faultlessOnly are the subjects of which no fault is known, with their scores: programs as
// they are, which are mostly larger, and judged by other tests, than those that faults were
// collected of.
func faultlessOnly(subjects []subject.Subject, scores *crossval.OutOfFold) ([]subject.Subject, *crossval.OutOfFold) {
	var out []subject.Subject
	of := &crossval.OutOfFold{Label: scores.Label}
	for i := range subjects {
		if subjects[i].Faultless {
			out, of.Scores, of.Fold = append(out, subjects[i]), append(of.Scores, scores.Scores[i]), append(of.Fold, scores.Fold[i])
		}
	}
	return out, of
}

// learnable are the parts that the subjects can teach and that something reads: where no fault is
// known, those whose labels need none, but for late kills, which count beside revelation alone
// (predict.MarginalRule).
func (o *Options) learnable(subjects []subject.Subject) ([]modelPart, error) {
	parts := o.parts()
	if len(subject.Faulty(subjects)) > 0 {
		return parts, nil
	}
	var out []modelPart
	for _, p := range parts {
		label, err := dataset.LookupLabel(p.label)
		if err != nil {
			return nil, err
		}
		if p.label != LateLabel && !slices.Contains(label.Requires, dataset.FaultsFile) {
			out = append(out, p)
		}
	}
	return out, nil
}

// headline are those of them whose scores people are shown: of faults and of kills.
func (o *Options) headline(subjects []subject.Subject) ([]modelPart, error) {
	parts, err := o.learnable(subjects)
	return slices.DeleteFunc(parts, func(p modelPart) bool { return p.label == LateLabel || p.label == RevealLabel }), err
}

// judgeOrders says what orders made of scores find, of subjects whose fault is known. There
// is nothing to say where none is.
func (out *Evaluation) judgeOrders(ctx context.Context, scored []subject.Subject, known besides, boot significance.Bootstrap, opts Options) (err error) {
	if len(scored) == 0 {
		return nil
	}
	strategies := withRandom(opts.Strategies)
	if out.Lists, err = shortlist.Run(ctx, scored, shortlist.Options{
		Strategies: strategies, Survivors: known.of, Seed: opts.Seed, Workers: opts.Workers, Bootstrap: boot, Display: opts.Display}); err != nil {
		return err
	}
	sim, err := simulate.Run(ctx, scored, simulate.Options{
		Strategies: strategies, Repetitions: opts.Repetitions, Seed: opts.Seed, Workers: opts.Workers, Display: opts.Display})
	if err != nil {
		return fmt.Errorf("simulating the strategies: %w", err)
	}
	for i := range opts.Rivals {
		rival, err := opts.Rivals[i].judge(ctx, scored, opts)
		if err != nil {
			return err
		}
		out.Qualities = append(out.Qualities, rival.qualities...)
		if sim, err = sim.With(rival.simulation); err != nil {
			return err
		}
	}
	out.Comparison, err = simulate.Compare(ctx, sim, simulate.CompareOptions{Bootstrap: boot, Display: opts.Display})
	if err != nil {
		return fmt.Errorf("comparing the strategies: %w", err)
	}
	return nil
}

// withRandom adds random order to those strategies that are asked for.
func withRandom(strategies []predict.Strategy) []predict.Strategy {
	isRandom := func(s predict.Strategy) bool { return s.Name == predict.Random.Name }
	if len(strategies) > 0 && !slices.ContainsFunc(strategies, isRandom) {
		return append(slices.Clone(strategies), predict.Random)
	}
	return strategies
}

// fewestWays is in how many ways the tests of a program kill at least (subject.Varied) whose
// orders are judged by kills: tests that kill much the same make all lists the same.
const fewestWays = 5

// judgeKills says how much of what their tests can kill the first mutants of orders stand for, of
// programs without a known fault.
func (out *Evaluation) judgeKills(ctx context.Context, scored []subject.Subject, known besides, boot significance.Bootstrap, opts Options) (err error) {
	if len(scored) == 0 {
		return nil
	}
	strategies := withRandom(opts.Strategies)
	if strategies == nil {
		strategies = readyFor(scored)
	}
	out.KillLists, err = shortlist.Run(ctx, scored, shortlist.Options{
		Strategies: strategies, Survivors: known.of, Seed: opts.Seed, Workers: opts.Workers, Bootstrap: boot, Display: opts.Display})
	return err
}

// qualitiesOf judges scores by the truth of the labels that they are named by.
func qualitiesOf(ctx context.Context, subjects []subject.Subject, all []*crossval.OutOfFold, display *progress.Display, boot significance.Bootstrap) ([]*crossval.Quality, error) {
	task := display.Start("judging scores", len(all))
	defer task.Done()
	var out []*crossval.Quality
	for _, scores := range all {
		label, err := dataset.LookupLabel(scores.Label)
		if err != nil {
			return nil, err
		}
		quality, err := crossval.Assess(ctx, subjects, label, scores, boot)
		if err != nil {
			return nil, fmt.Errorf("judging %s: %w", scores.Label, err)
		}
		out = append(out, quality)
		task.Add(1)
	}
	return out, nil
}
