// Package crossval trains on some subjects and scores the others, never with two
// subjects of one group (problem or program) on both sides, and says how good the
// scores are.
//
// Folds deals groups into folds. For each fold, Run hands the TrainingSet of the
// subjects outside it to a learner that it knows nothing of (Fit), and keeps what the
// model says of the subjects inside; RunEach does so for many models that learn from
// the same set. A Judge knows the truth of a label, and gives the Quality of scores.
//
// Every cross-validation of this project is this one. It is from T. Titcheu Chekam's
// dissertation, section 6.5.3 (ten folds) and section 6.7.4 (by problem).
package crossval

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/stream"
)

// Predictor scores mutants by their features. The columns are those of the
// TrainingSet, and maybe others behind them.
type Predictor func(rows *Rows) ([]float64, error)

// Fit trains a predictor. It is called from several goroutines.
type Fit func(ctx context.Context, set TrainingSet) (Predictor, error)

// FitEach trains several predictors from one set and hands each over with its number,
// in any order. It is called from several goroutines.
type FitEach func(ctx context.Context, set TrainingSet, trained func(model int, p Predictor) error) error

// Options says how to split. The zero value is ten folds by problem.
type Options struct {
	// Folds is the number of folds; 0 is 10.
	Folds int
	// Group names a subject's group; subjects of one group share a fold. Nil
	// is ByProblem.
	Group func(*subject.Subject) string
	Seed  uint64
	// Sample bounds the mutants of a subject that are learnt from; 0 is all. All
	// are scored, unless SampleHeld says that those are which Sample would draw.
	Sample     int
	SampleHeld bool
	// Share is how much of the groups outside a fold is learnt from; 0 is all. A
	// smaller share's groups are among those of a larger one. All are scored.
	Share float64
	// Workers is the number of folds trained at the same time; 0 is one per
	// CPU. It does not change the result.
	Workers int
}

// OutOfFold are the scores that cross-validation gave.
type OutOfFold struct {
	// Label is what the models learnt.
	Label string
	// Fold is each subject's fold.
	Fold []int
	// Scores are, for each subject and mutant, the score by the model that was
	// trained without the subject's fold.
	Scores [][]float64
	// Places are, for each subject, the mutants that Scores are of; nil is all.
	Places [][]int
}

// Run trains a model for each fold on the subjects outside it and scores the mutants of
// those inside.
func Run(ctx context.Context, subjects []subject.Subject, label dataset.Label, fit Fit, opts Options) (*OutOfFold, error) {
	one := func(ctx context.Context, set TrainingSet, trained func(int, Predictor) error) error {
		p, err := fit(ctx, set)
		if err != nil {
			return err
		}
		return trained(0, p)
	}
	out, err := RunEach(ctx, subjects, label, 1, one, opts)
	if err != nil {
		return nil, err
	}
	return out[0], nil
}

// RunEach is Run of many models that learn from the same sets, on the same folds, and
// differ in what they make of them.
func RunEach(ctx context.Context, subjects []subject.Subject, label dataset.Label, models int, fit FitEach, opts Options) ([]*OutOfFold, error) {
	p, err := opts.partition(subjects)
	if err != nil {
		return nil, fmt.Errorf("cross-validate: %w", err)
	}
	values := valuesOf(subjects, label)
	out := make([]*OutOfFold, models)
	for k := range out {
		out[k] = &OutOfFold{Label: label.Name, Fold: p.folds, Scores: make([][]float64, len(subjects)), Places: p.places}
	}
	_, err = parallel.Map(ctx, p.Workers, make([]struct{}, p.Folds), func(ctx context.Context, fold int, _ struct{}) (struct{}, error) {
		if err := ctx.Err(); err != nil {
			return struct{}{}, err
		}
		done := make([]bool, models)
		err := fit(ctx, p.outside(fold, label, values), func(model int, predictor Predictor) error {
			done[model] = true
			return p.score(ctx, fold, predictor, out[model].Scores)
		})
		if at := slices.Index(done, false); err == nil && at >= 0 {
			err = fmt.Errorf("model %d was not trained", at)
		}
		if err != nil {
			return struct{}{}, fmt.Errorf("without fold %d: %w", fold, err)
		}
		return struct{}{}, nil
	})
	if err != nil {
		return nil, fmt.Errorf("cross-validate %s: %w", label.Name, err)
	}
	return out, nil
}

// score writes the scores of a fold's subjects, which no other fold writes.
func (p *partition) score(ctx context.Context, fold int, predictor Predictor, scores [][]float64) error {
	for i := range p.subjects {
		if p.folds[i] != fold {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		s := &p.subjects[i]
		rows := allRows(s)
		if p.places != nil {
			rows = rowsAt(s, p.places[i])
		}
		if rows.Len() == 0 {
			continue
		}
		got, err := predictor(rows)
		if err != nil {
			return fmt.Errorf("score %s: %w", s.Name(), err)
		}
		if len(got) != rows.Len() {
			return fmt.Errorf("score %s: %d scores for %d mutants", s.Name(), len(got), rows.Len())
		}
		scores[i] = got
	}
	return nil
}

// partition is subjects with the folds that options lead to.
type partition struct {
	Options
	subjects []subject.Subject
	groups   []string // of each subject
	folds    []int    // likewise
	places   [][]int  // of each subject: the mutants to score; nil is all
}

func (o Options) partition(subjects []subject.Subject) (*partition, error) {
	if o.Folds == 0 {
		o.Folds = 10
	}
	if o.Group == nil {
		o.Group = subject.ByProblem
	}
	if !(o.Share >= 0 && o.Share <= 1) { // true of NaN
		return nil, fmt.Errorf("a share of %v of the groups: want more than 0, at most 1", o.Share)
	}
	if err := subject.CheckFeatures(subjects); err != nil {
		return nil, err
	}
	p := &partition{Options: o, subjects: subjects, groups: make([]string, len(subjects))}
	for i := range subjects {
		p.groups[i] = o.Group(&subjects[i])
	}
	if o.SampleHeld && o.Sample > 0 {
		for i := range subjects {
			p.places = append(p.places, Sampling{o.Sample, o.Seed}.of(&subjects[i]))
		}
	}
	var err error
	p.folds, err = Folds(p.groups, o.Folds, o.Seed)
	return p, err
}

// outside is what is learnt from for a fold.
func (p *partition) outside(fold int, label dataset.Label, values [][]dataset.Value) TrainingSet {
	learnt := p.learnt(p.groups, p.folds, fold)
	set := trainingSet(p.subjects, p.groups, label, values, Sampling{p.Sample, p.Seed}, func(i int) bool { return p.folds[i] != fold && learnt[p.groups[i]] })
	set.Fold = fold
	return set
}

// learnt draws the groups outside a fold that are learnt from: the first so many of
// one order, whatever the share.
func (o *Options) learnt(groups []string, folds []int, fold int) map[string]bool {
	var names []string
	for i, g := range groups {
		if folds[i] != fold {
			names = append(names, g)
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if o.Share > 0 && o.Share < 1 {
		stream.New(o.Seed, "evaluate/share", fold).Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
		names = names[:int(math.Ceil(o.Share*float64(len(names))))]
	}
	chosen := make(map[string]bool, len(names))
	for _, g := range names {
		chosen[g] = true
	}
	return chosen
}

// WithScores returns copies of the subjects whose mutants carry the given
// out-of-fold scores, ready to be simulated. Either of the two may be nil: that
// probability stays as it is.
func WithScores(subjects []subject.Subject, fault, kill *OutOfFold) ([]subject.Subject, error) {
	out := slices.Clone(subjects)
	for i := range out {
		s := &out[i]
		s.Mutants = slices.Clone(s.Mutants)
		for _, scores := range []*OutOfFold{fault, kill} {
			if scores != nil && (len(scores.Scores) != len(out) || len(scores.Scores[i]) != len(s.Mutants)) {
				return nil, fmt.Errorf("attach scores: %w %s: the %s scores are of other subjects", subject.ErrSubject, s.Name(), scores.Label)
			}
		}
		for m := range s.Mutants {
			if fault != nil {
				s.Mutants[m].Fault = fault.Scores[i][m]
			}
			if kill != nil {
				s.Mutants[m].Kill = kill.Scores[i][m]
			}
		}
	}
	return out, nil
}
