// Package crossval trains on some subjects and scores the others, never with two
// subjects of one group (problem or program) on both sides, and says how good the
// scores are.
//
// Folds deals groups into folds. Run and Trials make, for each fold, the TrainingSet of
// the subjects outside it, hand it to a learner (Fit) that they know nothing of, and
// keep what the model says of the subjects inside. Assess holds such scores against the
// truth of a label and gives their Quality.
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

// TrainingSet is what a learner gets to see: the mutants of some subjects.
type TrainingSet struct {
	// Columns names the features; Column returns the values of one.
	Columns []string
	// Label names what is to be learnt; Targets and Weights hold it, one per
	// row. Mutants whose label the evidence does not settle are left out.
	Label            string
	Targets, Weights []float64
	// Subjects names each row's subject, for learners that compare mutants of
	// one subject only; rows of a subject are contiguous.
	Subjects []string
	// Groups names each row's group: a validation set that a learner splits
	// off should keep groups whole.
	Groups []string
	// Fold is the fold that was left out, from 0: a number for the learner's
	// own random streams.
	Fold int

	pieces []piece
}

// piece is the rows of a training set that are of one subject.
type piece struct {
	rows *subject.Rows
	at   []int
}

// Len is the number of rows.
func (s *TrainingSet) Len() int { return len(s.Targets) }

// Column returns the values of a column, one a row. It may be called from several
// goroutines.
func (s *TrainingSet) Column(column int) []float64 {
	out := make([]float64, 0, s.Len())
	for _, p := range s.pieces {
		out = p.rows.ColumnAt(column, p.at, out)
	}
	return out
}

// Predictor scores feature rows, which it must not change.
type Predictor func(rows [][]float64) ([]float64, error)

// Fit trains a predictor. It is called from several goroutines.
type Fit func(ctx context.Context, set TrainingSet) (Predictor, error)

// Options says how to split. The zero value is ten folds by
// problem.
type Options struct {
	// Folds is the number of folds; 0 is 10.
	Folds int
	// Group names a subject's group; subjects of one group share a fold. Nil
	// is ByProblem.
	Group func(*subject.Subject) string
	Seed  uint64
	// Sample bounds the mutants of a subject that are learnt from; 0 is all. All
	// are scored.
	Sample int
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
}

// Run trains, for each fold, on the subjects outside it and scores
// the mutants of those inside (dissertation, section 6.5.3: ten folds; section
// 6.7.4: by problem).
func Run(ctx context.Context, subjects []subject.Subject, label dataset.Label, fit Fit, opts Options) (*OutOfFold, error) {
	p, err := opts.partition(subjects)
	if err != nil {
		return nil, fmt.Errorf("cross-validate: %w", err)
	}
	values := valuesOf(subjects, label)
	scored, err := parallel.Map(ctx, opts.Workers, make([]struct{}, p.Folds),
		func(ctx context.Context, fold int, _ struct{}) (map[int][]float64, error) {
			return runFold(ctx, subjects, p.folds, p.outside(fold, label, values), fit)
		})
	if err != nil {
		return nil, fmt.Errorf("cross-validate %s: %w", label.Name, err)
	}
	out := &OutOfFold{Label: label.Name, Fold: p.folds, Scores: make([][]float64, len(subjects))}
	for i, fold := range p.folds {
		out.Scores[i] = scored[fold][i]
	}
	return out, nil
}

// partition is subjects with the folds that options lead to.
type partition struct {
	Options
	subjects []subject.Subject
	groups   []string // of each subject
	folds    []int    // likewise
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

// valuesOf are a label's values of all mutants. Folds share them: sets of tests are
// compared for each.
func valuesOf(subjects []subject.Subject, label dataset.Label) [][]dataset.Value {
	out := make([][]dataset.Value, len(subjects))
	for i := range subjects {
		out[i] = subject.Values(&subjects[i], label)
	}
	return out
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

// runFold trains on set and scores the subjects of its fold.
func runFold(ctx context.Context, subjects []subject.Subject, folds []int, set TrainingSet, fit Fit) (map[int][]float64, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	predictor, err := fit(ctx, set)
	if err != nil {
		return nil, fmt.Errorf("train without fold %d: %w", set.Fold, err)
	}
	scores := map[int][]float64{}
	for i := range subjects {
		if folds[i] != set.Fold {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		s := &subjects[i]
		if len(s.Mutants) == 0 {
			continue
		}
		got, err := predictor(s.Features.Dense())
		if err != nil {
			return nil, fmt.Errorf("score %s: %w", s.Name(), err)
		}
		if len(got) != len(s.Mutants) {
			return nil, fmt.Errorf("score %s: %d scores for %d mutants", s.Name(), len(got), len(s.Mutants))
		}
		scores[i] = got
	}
	return scores, nil
}

// Sampling draws the mutants to learn from: of each subject at most PerSubject,
// all of them when that is 0. A large program has thousands of mutants that
// resemble each other, and says no more about other programs than a small one.
type Sampling struct {
	PerSubject int
	Seed       uint64
}

// of returns the places of a subject's mutants to learn from, in order. They do
// not depend on the other subjects.
func (s Sampling) of(subject *subject.Subject) []int {
	n := len(subject.Mutants)
	if s.PerSubject <= 0 || n <= s.PerSubject {
		s.PerSubject = n
	}
	chosen := stream.New(s.Seed, "evaluate/sample/"+subject.Name()).Perm(n)[:s.PerSubject]
	slices.Sort(chosen)
	return chosen
}

// NewTrainingSet returns the subjects' mutants with the label: what a model to
// be released is trained on. Groups are by problem.
func NewTrainingSet(subjects []subject.Subject, label dataset.Label, sampling Sampling) (TrainingSet, error) {
	if err := subject.CheckFeatures(subjects); err != nil {
		return TrainingSet{}, fmt.Errorf("training set: %w", err)
	}
	groups := make([]string, len(subjects))
	for i := range subjects {
		groups[i] = subject.ByProblem(&subjects[i])
	}
	return trainingSet(subjects, groups, label, valuesOf(subjects, label), sampling, func(int) bool { return true }), nil
}

func trainingSet(subjects []subject.Subject, groups []string, label dataset.Label, values [][]dataset.Value, sampling Sampling, in func(subject int) bool) TrainingSet {
	set := TrainingSet{Columns: subjects[0].Columns, Label: label.Name}
	for i := range subjects {
		if !in(i) {
			continue
		}
		s := &subjects[i]
		own := piece{rows: s.Features}
		for _, m := range sampling.of(s) {
			value := values[i][m]
			if math.IsNaN(value.Target) {
				continue
			}
			own.at = append(own.at, m)
			set.Targets = append(set.Targets, value.Target)
			set.Weights = append(set.Weights, value.Weight)
			set.Subjects = append(set.Subjects, s.Name())
			set.Groups = append(set.Groups, groups[i])
		}
		set.pieces = append(set.pieces, own)
	}
	return set
}

// WithScores returns copies of the subjects whose mutants carry the given
// out-of-fold scores, ready for Simulate. Either of the two may be nil: that
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
