// Package experiment makes models of recorded histories and says how good they are on
// programs that they have not seen.
//
// A history (package dataset) becomes subjects: the mutants of each fault with their
// features and verdicts (Subjects). Train fits the models of a bundle to them;
// Evaluate cross-validates such models, or judges a finished one, and simulates
// testers who follow the orders made of their scores. MeasureImportance and Ablate ask
// what features are worth, DrawLearningCurves what more faults would be, Tune which
// rule makes the best order; a Rival is judged beside the models. leakWarnings and
// Audit look for features that know the answer.
//
// # The parts
//
// Each part knows only the ones before it:
//
//	subject        one fault: its mutants, its tests, what kills and what reveals
//	metric         how good scores and orders are, as numbers
//	significance   how large a difference is, and how easily chance makes it
//	crossval       folds that no group crosses; training sets, scores, their quality
//	survivor       how likely another test is to kill what the tests at hand let live
//	simulate       testers who follow an order; orders compared
//	experiment     what is learnt from what: labels, features, folds, existing suites
//
// How trees grow is package train's, how results look package report's, and which
// question of which paper is asked package studies'. Nothing here compiles or runs a
// program.
//
// Randomness comes from named streams: a result depends on the seed, not on the number
// of workers nor on the order of the subjects. The names of streams are part of the
// results, and stay as they are when code moves.
//
// Source of the procedures: T. Titcheu Chekam's dissertation, sections 2.5
// (statistics, APFD) and 6.5 (prediction, selection and prioritization); where
// it leaves a choice open, the comments say what was chosen.
package experiment

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/train"
)

// The labels of the two models of a bundle that people are shown, and what that of survivors says of a mutant.
const (
	FaultLabel    = "fault-revealing"
	KillLabel     = "killable"
	SurvivorLabel = "killed by another test"
)

// Options choose how models are trained and judged.
type Options struct {
	// Train are the learner's options; Workers and Seed are set from below.
	Train train.Options
	// Learner makes the models; its zero value means train.Boosting.
	Learner train.Learner
	// Target is the label that the fault model learns; "" means FaultLabel, by
	// whose truth it is judged whatever it learns.
	Target string
	// Objective is the loss that the fault model learns by; its zero value means
	// log-loss. One that ranks (Objective.Listwise) gives scores that are no
	// probabilities, which Evaluate judges and Train refuses.
	Objective train.Objective
	// RevealObjective is the loss of the model of revelation, one of RevealObjectives;
	// its zero value means train.Revelation, or what a model that is continued began
	// with, or what the learner can do (revealObjective).
	RevealObjective train.Objective
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
	// Rivals are judged beside the models, on the same subjects and folds.
	Rivals []Rival
	// Repetitions of the simulation; 0 means 100.
	Repetitions int
	// Strategies to simulate; nil means all. Random, with which they are
	// compared, is always among them.
	Strategies []predict.Strategy
	// Display shows how far the work has come; nil is silent.
	Display *progress.Display
}

func (o *Options) columns() []string {
	if o.Columns != nil {
		return o.Columns
	}
	return features.Learnt()
}

// DefinitionsOf is the hash that a model's card keeps of the named features.
func DefinitionsOf(names []string) (string, error) {
	known := map[string]models.Column{}
	for _, c := range ColumnsOf(features.FullSchema()) {
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

// Subjects reads the subjects of a history with the named features.
// Dynamic ones are computed for an existing suite, drawn from the seed, that the
// labels do without.
func Subjects(ctx context.Context, dir string, columns []string, opts Options) (*dataset.History, []subject.Subject, []string, error) {
	h, err := dataset.OpenHistory(dir)
	if err != nil {
		return nil, nil, nil, exit.Mark(exit.Input, dataset.ErrNoHistory, err)
	}
	h.UsePool(opts.Pool)
	static, dynamic, err := SplitColumns(columns)
	if err != nil {
		return nil, nil, nil, err
	}
	subjects, skipped, err := subject.FromHistory(ctx, h, static, subject.Loading{Workers: opts.Workers, Display: opts.Display, Faultless: true})
	if err := ctx.Err(); err != nil { // no fault of the history
		return nil, nil, nil, err
	}
	if err != nil {
		return nil, nil, nil, exit.New(exit.Input, err, "record the history again with this version of winnow")
	}
	if len(subjects) == 0 {
		return nil, nil, nil, exit.New(exit.Input, fmt.Errorf("%s: no run folder has mutants, features and kills", dir), "")
	}
	if len(dynamic) > 0 || opts.HoldSuite {
		if err := putSuiteAside(ctx, h, subjects, columns, opts); err != nil {
			return nil, nil, nil, err
		}
	}
	return h, subjects, skipped, nil
}
