package pipeline

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/evaluate/significance"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/train"
)

// The labels of the two models of a bundle.
const (
	FaultLabel = "fault-revealing"
	KillLabel  = "killable"
)

// farmGroup is the group of FaRM's own features.
const farmGroup = "farm"

// LearnOptions choose how models are trained and judged.
type LearnOptions struct {
	// Train are the learner's options; Workers and Seed are set from below.
	Train train.Options
	// Learner makes the models; its zero value means train.Boosting.
	Learner train.Learner
	// Target is the label that the fault model learns; "" means FaultLabel, by
	// whose truth it is judged whatever it learns.
	Target string
	// WarmStart is a model whose ensembles are continued; nil starts from nothing.
	WarmStart *models.Bundle
	// Pool is the tests that labels rest on; "" means all.
	Pool dataset.Pool
	// Columns names the features to learn from; nil means all.
	Columns []string
	// Folds and ByProgram say how to split for judging: Folds 0 means 10, or
	// one a group when there are fewer; groups are problems unless ByProgram.
	Folds     int
	ByProgram bool
	Seed      uint64
	// Sample bounds the mutants of a fault that are learnt from; 0 is all.
	Sample int
	// Workers is the number of CPUs to use; 0 means all. It does not change
	// the result.
	Workers int
	// HoldSuite makes labels without the tests that stand for an existing suite,
	// as dynamic features always do: to compare static ones with them.
	HoldSuite bool
	// Published also judges FaRM as it was published, on the same subjects.
	Published bool
	// Repetitions of the simulation; 0 means 100.
	Repetitions int
	// Strategies to simulate; nil means all. Random, with which they are
	// compared, is always among them.
	Strategies []predict.Strategy
}

func (o *LearnOptions) columns() []string {
	if o.Columns != nil {
		return o.Columns
	}
	return features.Schema().Names()[1:]
}

// definitionsOf is the hash that a model's card keeps of the named features.
func definitionsOf(names []string) (string, error) {
	known := map[string]models.Column{}
	for _, c := range columnsOf(features.FullSchema()) {
		known[c.Name] = c
	}
	read := make([]models.Column, len(names))
	for i, name := range names {
		c, ok := known[name]
		if !ok {
			return "", exit.New(exit.Usage, fmt.Errorf("no feature is called %q", name), "docs/features.md lists them")
		}
		read[i] = c
	}
	return models.HashColumns(read), nil
}

// subjectsOf reads the subjects of a history with the named features.
// Dynamic ones are computed for an existing suite, drawn from the seed, that the
// labels do without.
func subjectsOf(dir string, columns []string, opts LearnOptions) (*dataset.History, []evaluate.Subject, []string, error) {
	h, err := dataset.OpenHistory(dir)
	if err != nil {
		return nil, nil, nil, exit.New(exit.Input, err, "record a history first with winnow run --faults or winnow import")
	}
	h.UsePool(opts.Pool)
	static, dynamic, err := splitColumns(columns)
	if err != nil {
		return nil, nil, nil, err
	}
	subjects, skipped, err := evaluate.FromHistory(h, static)
	if err != nil {
		return nil, nil, nil, exit.New(exit.Input, err, "record the history again with this version of winnow")
	}
	if len(subjects) == 0 {
		return nil, nil, nil, exit.New(exit.Input, fmt.Errorf("%s: no run folder has mutants, features, kills and faults", dir), "")
	}
	if len(dynamic) > 0 || opts.HoldSuite {
		if err := putSuiteAside(h, subjects, columns, opts.Seed); err != nil {
			return nil, nil, nil, err
		}
	}
	return h, subjects, skipped, nil
}

// Evaluate judges models and rankings on a history. With a bundle it judges
// that, which must not have learned from the history; without, it
// cross-validates models of its own.
func Evaluate(ctx context.Context, dir string, bundle *models.Bundle, opts LearnOptions) (*report.Study, error) {
	columns := opts.columns()
	if bundle != nil {
		columns = bundle.Card.Features
	}
	_, subjects, skipped, err := subjectsOf(dir, columns, opts)
	if err != nil {
		return nil, err
	}
	var study *report.Study
	warning, drift := "", ""
	if bundle != nil {
		if warning, err = refuseSeen(&bundle.Card, subjects); err != nil {
			return nil, err
		}
		study, err = judgeBundle(ctx, subjects, bundle, opts)
		drift = driftWarning(bundle, subjects)
	} else {
		study, _, err = judge(ctx, subjects, opts)
	}
	if err != nil {
		return nil, err
	}
	study.Skipped = skipped
	for _, w := range []string{warning, drift} {
		if w != "" {
			study.Warnings = append(study.Warnings, w)
		}
	}
	return study, nil
}

// judgeBundle judges a finished model on subjects that it has not seen.
func judgeBundle(ctx context.Context, subjects []evaluate.Subject, bundle *models.Bundle, opts LearnOptions) (*report.Study, error) {
	scorer, err := predict.NewBundleScorer(bundle, columnsOf(features.FullSchema()))
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	fault := &evaluate.OutOfFold{Label: FaultLabel, Fold: make([]int, len(subjects))}
	kill := &evaluate.OutOfFold{Label: KillLabel, Fold: make([]int, len(subjects))}
	subjects = slices.Clone(subjects)
	for i := range subjects {
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
	}
	return study(ctx, subjects, fault, kill, opts)
}

// crossValidated are the scores of models that had not seen the subjects.
type crossValidated struct {
	fault, kill, late, reveal *evaluate.OutOfFold
	folds                     int
}

// crossValidate makes the models of every fold and scores the subjects by them.
func crossValidate(ctx context.Context, subjects []evaluate.Subject, opts LearnOptions) (*crossValidated, error) {
	split := evaluate.CrossValidateOptions{Folds: foldsOf(subjects, opts), Group: groupOf(opts), Seed: opts.Seed, Sample: opts.Sample, Workers: opts.Workers}
	if split.Folds < 2 {
		return nil, exit.New(exit.Input, fmt.Errorf("the history's faults are all of one %s: there is nothing to test on that was not trained on", groupName(opts)),
			"record faults of another "+groupName(opts)+" too")
	}
	out := &crossValidated{folds: split.Folds}
	for _, part := range opts.parts() {
		label, err := dataset.LookupLabel(part.label)
		if err != nil {
			return nil, err
		}
		scores, err := evaluate.CrossValidate(ctx, subjects, label, part.fitter(), split)
		if err != nil {
			return nil, fmt.Errorf("cross-validating %s: %w", part.label, err)
		}
		*part.scores(out) = scores
	}
	out.fault.Label = FaultLabel // which it is judged by
	return out, nil
}

// judge cross-validates models and says how good they are.
func judge(ctx context.Context, subjects []evaluate.Subject, opts LearnOptions) (*report.Study, *crossValidated, error) {
	scores, err := crossValidate(ctx, subjects, opts)
	if err != nil {
		return nil, nil, err
	}
	out, err := study(ctx, scores.attach(subjects), scores.fault, scores.kill, opts)
	if err != nil {
		return nil, nil, err
	}
	out.Folds = scores.folds
	return out, scores, nil
}

// study judges scores by the truth and simulates the strategies on them.
func study(ctx context.Context, subjects []evaluate.Subject, fault, kill *evaluate.OutOfFold, opts LearnOptions) (*report.Study, error) {
	out := &report.Study{Subjects: len(subjects)}
	for i := range subjects {
		out.Mutants += len(subjects[i].Mutants)
	}
	boot := significance.Bootstrap{Seed: opts.Seed}
	for _, scores := range []*evaluate.OutOfFold{fault, kill} {
		label, err := dataset.LookupLabel(scores.Label)
		if err != nil {
			return nil, err
		}
		quality, err := evaluate.Assess(ctx, subjects, label, scores, boot)
		if err != nil {
			return nil, fmt.Errorf("judging %s: %w", scores.Label, err)
		}
		out.Qualities = append(out.Qualities, quality)
	}
	scored, err := evaluate.WithScores(subjects, fault, kill)
	if err != nil {
		return nil, err
	}
	strategies := opts.Strategies
	isRandom := func(s predict.Strategy) bool { return s.Name == predict.Random.Name }
	if len(strategies) > 0 && !slices.ContainsFunc(strategies, isRandom) {
		strategies = append(slices.Clone(strategies), predict.Random)
	}
	sim, err := evaluate.Simulate(ctx, scored, evaluate.SimulateOptions{
		Strategies: strategies, Repetitions: opts.Repetitions, Seed: opts.Seed, Workers: opts.Workers})
	if err != nil {
		return nil, fmt.Errorf("simulating the strategies: %w", err)
	}
	if opts.Published {
		p, err := learnPublished(ctx, subjects, opts)
		if err != nil {
			return nil, err
		}
		return out, p.addTo(ctx, out, sim, boot)
	}
	out.Comparison, err = evaluate.Compare(ctx, sim, evaluate.CompareOptions{Bootstrap: boot})
	if err != nil {
		return nil, fmt.Errorf("comparing the strategies: %w", err)
	}
	return out, nil
}

func groupOf(opts LearnOptions) func(*evaluate.Subject) string {
	if opts.ByProgram {
		return evaluate.ByProgram
	}
	return evaluate.ByProblem
}

func groupName(opts LearnOptions) string {
	if opts.ByProgram {
		return "program"
	}
	return "problem"
}

func foldsOf(subjects []evaluate.Subject, opts LearnOptions) int {
	groups := map[string]bool{}
	group := groupOf(opts)
	for i := range subjects {
		groups[group(&subjects[i])] = true
	}
	folds := opts.Folds
	if folds == 0 {
		folds = 10
	}
	return min(folds, len(groups))
}

// fitter makes the learner of opts fit for cross-validation.
func fitter(opts LearnOptions) evaluate.Fit { return opts.parts()[0].fitter() }

// fitter makes the learner of a part fit for cross-validation. Folds run in
// parallel, so each learner keeps to one CPU.
func (p *modelPart) fitter() evaluate.Fit { return p.fitterTo(func(int, *tree.Ensemble) {}) }

// fitterTo also hands over each model with the number of the fold that it was
// trained without.
func (p *modelPart) fitterTo(keep func(fold int, e *tree.Ensemble)) evaluate.Fit {
	return func(ctx context.Context, set evaluate.TrainingSet) (evaluate.Predictor, error) {
		o := p.optionsFor(set)
		o.Workers = 1
		model, err := p.learner.Fit(ctx, dataOf(set), o)
		if err != nil {
			return nil, err
		}
		keep(set.Fold, model)
		compiled, err := tree.Compile(model)
		if err != nil {
			return nil, err
		}
		return compiled.Predict, nil
	}
}

// dataOf shows a training set to a learner, column by column as it asks for them.
func dataOf(set evaluate.TrainingSet) *train.Data {
	d := &train.Data{Names: set.Columns, Labels: set.Targets, Weights: set.Weights, Groups: make([]int32, set.Len())}
	number := map[string]int32{}
	for i, s := range set.Subjects {
		if _, ok := number[s]; !ok {
			number[s] = int32(len(number))
		}
		d.Groups[i] = number[s]
	}
	for k := range set.Columns {
		d.Columns = append(d.Columns, train.Column{Load: func() (train.Column, error) { return train.Compress(set.Column(k)), nil }})
	}
	return d
}

// Train fits both models on a whole history and judges them by
// cross-validation, so that the card's figures are of unseen programs.
func Train(ctx context.Context, dir string, card models.Card, opts LearnOptions) (*models.Bundle, *report.Study, error) {
	_, subjects, skipped, err := subjectsOf(dir, opts.columns(), opts)
	if err != nil {
		return nil, nil, err
	}
	study, scores, err := judge(ctx, subjects, opts)
	if err != nil {
		return nil, nil, err
	}
	study.Skipped = skipped
	if study.Warnings, err = leakWarnings(ctx, subjects, opts); err != nil {
		return nil, nil, err
	}
	bundle := &models.Bundle{}
	for _, part := range opts.parts() {
		if *part.ensemble(bundle), err = part.fit(ctx, subjects, evaluate.Sampling{PerSubject: opts.Sample, Seed: opts.Seed}, opts.Workers); err != nil {
			return nil, nil, err
		}
	}
	if card.Calibrations, err = calibrate(subjects, scores, opts); err != nil {
		return nil, nil, err
	}
	card.Features = opts.columns()
	if card.Schema, err = definitionsOf(card.Features); err != nil {
		return nil, nil, err
	}
	card.TrainedOn = sourcesOf(subjects)
	card.Faults, card.Mutants, card.Programs = len(subjects), study.Mutants, countPrograms(subjects)
	card.Folds, card.Seed = study.Folds, opts.Seed
	card.Figures = figuresOf(study)
	options := opts.Train
	options.Seed = opts.Seed
	card.HyperParameters = options.Settings()
	bundle.Card = card
	bundle.Describe(describedColumns, columnOf(subjects))
	bundle.Acquaint(programsOf(subjects))
	return bundle, study, nil
}

func countPrograms(subjects []evaluate.Subject) int {
	seen := map[string]bool{}
	for i := range subjects {
		seen[evaluate.ByProblem(&subjects[i])] = true
	}
	return len(seen)
}

// figuresOf are the study's headline numbers by name, for a model's card.
func figuresOf(s *report.Study) map[string]float64 {
	out := map[string]float64{}
	for _, q := range s.Qualities {
		out[q.Learnt+" AUC"] = float64(q.AUC)
		out[q.Learnt+" AUC low"] = float64(q.AUCLow)
		out[q.Learnt+" AUC high"] = float64(q.AUCHigh)
		out[q.Learnt+" AUC per subject (mean)"] = float64(q.SubjectAUCMean)
		out[q.Learnt+" average precision"] = float64(q.AveragePrecision)
		out[q.Learnt+" base rate"] = float64(q.BaseRate)
	}
	for _, row := range s.Comparison.Rows {
		if row.Measure == "revealed at 5%" {
			out[row.Strategy+" revealed at 5% (mean)"] = float64(row.Mean)
		}
	}
	for name, v := range out {
		if v != v {
			delete(out, name) // undefined figures have no place on a card
		}
	}
	return out
}
