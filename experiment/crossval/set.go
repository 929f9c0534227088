package crossval

import (
	"fmt"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/stream"
)

// Rows are the feature rows of some mutants of some subjects.
type Rows struct {
	// Columns names the features; Column returns the values of one.
	Columns []string

	pieces []piece
}

// piece is the rows that are of one subject.
type piece struct {
	rows *subject.Rows
	all  bool  // or
	at   []int // those at some places
}

func allRows(s *subject.Subject) *Rows {
	return &Rows{Columns: s.Columns, pieces: []piece{{rows: s.Features, all: true}}}
}

func rowsAt(s *subject.Subject, places []int) *Rows {
	return &Rows{Columns: s.Columns, pieces: []piece{{rows: s.Features, at: places}}}
}

// Len is the number of rows.
func (r *Rows) Len() int {
	n := 0
	for i := range r.pieces {
		if p := &r.pieces[i]; p.all {
			n += p.rows.Len()
		} else {
			n += len(p.at)
		}
	}
	return n
}

// Column returns the values of a column, one a row. It may be called from several
// goroutines.
func (r *Rows) Column(column int) []float64 {
	out := make([]float64, 0, r.Len())
	for i := range r.pieces {
		if p := &r.pieces[i]; p.all {
			out = p.rows.Column(column, out)
		} else {
			out = p.rows.ColumnAt(column, p.at, out)
		}
	}
	return out
}

// TrainingSet is what a learner gets to see: the mutants of some subjects.
type TrainingSet struct {
	Rows
	// Label names what is to be learnt; Targets and Weights hold it, one per
	// row. Mutants whose label the evidence does not settle are left out.
	Label            string
	Targets, Weights []float64
	// Subjects names each row's subject, for learners that compare mutants of
	// one subject only; rows of a subject are contiguous.
	Subjects []string
	// Groups names each row's group.
	Groups []string
	// Fold is the fold that was left out, from 0: a number for the learner's
	// own random streams.
	Fold int
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

// Sampling draws the mutants to learn from: of each subject at most PerSubject,
// all of them when that is 0. A large program has thousands of mutants that
// resemble each other, and says no more about other programs than a small one.
type Sampling struct {
	PerSubject int
	Seed       uint64
}

// of returns the places of a subject's mutants to learn from, in order. They do
// not depend on the other subjects.
func (s Sampling) of(one *subject.Subject) []int {
	n := len(one.Mutants)
	if s.PerSubject <= 0 || n <= s.PerSubject {
		s.PerSubject = n
	}
	chosen := stream.New(s.Seed, "evaluate/sample/"+one.Name()).Perm(n)[:s.PerSubject]
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

func trainingSet(subjects []subject.Subject, groups []string, label dataset.Label, values [][]dataset.Value, sampling Sampling, in func(i int) bool) TrainingSet {
	set := TrainingSet{Rows: Rows{Columns: subjects[0].Columns}, Label: label.Name}
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
