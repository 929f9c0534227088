package shortlist

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/survivor"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/predict"
)

// The orders that are no strategies.
const (
	// TestsName is k random tests, picked without any mutant.
	TestsName = "random tests"
	// CouplingOracleName knows which test kills which mutant, and nothing of the fault.
	CouplingOracleName = "coupling oracle"
)

// How a list is read.
const (
	Printed = "as printed"
	Passing = "passing over what died"
)

// Options say what is judged. The zero value judges every strategy that can rank the
// subjects.
type Options struct {
	Strategies []predict.Strategy
	// Survivors is the model that is asked beside a suite about the mutants of a subject that it lets live; nil of a
	// subject for none. Where it is nil there is none of any.
	Survivors func(s *subject.Subject) *survivor.Model
	// Lengths are those of the lists; nil is 1, 5, 10, 20 and 50.
	Lengths []int
	// Draws of the tests that stand for suites, for each subject; 0 is 8. On each, orders
	// by chance are drawn anew, and Walks are played; 0 is 4.
	Draws, Walks int
	Seed         uint64
	// Workers is the number of goroutines; 0 is one per CPU. It does not change the
	// result.
	Workers int
	// Bootstrap makes the intervals of differences from random order.
	Bootstrap significance.Bootstrap
	// Display shows how many subjects are done; nil is silent.
	Display *progress.Display
}

func (o Options) withDefaults() Options {
	if o.Lengths == nil {
		o.Lengths = []int{1, 5, 10, 20, 50}
	}
	if o.Draws == 0 {
		o.Draws = 8
	}
	if o.Walks == 0 {
		o.Walks = 4
	}
	return o
}

// key is one figure of a subject.
type key struct {
	suite, reading, order string
	length                int
}

// Run judges orders on subjects whose mutants have their scores.
func Run(ctx context.Context, subjects []subject.Subject, opts Options) (*Table, error) {
	opts = opts.withDefaults()
	if opts.Strategies == nil {
		opts.Strategies = simulate.Usable(subjects)
	}
	if len(subjects) == 0 {
		return nil, errors.New("judge lists: no subject to study")
	}
	if err := subject.Check(subjects); err != nil {
		return nil, fmt.Errorf("judge lists: %w", err)
	}
	task := opts.Display.Start("judging lists", len(subjects))
	defer task.Done()
	found, err := parallel.Map(ctx, opts.Workers, subjects, func(ctx context.Context, i int, _ subject.Subject) (map[key]worth, error) {
		defer task.Add(1)
		return judgeSubject(ctx, subjects[i].SortedByID(), opts)
	})
	if err != nil {
		return nil, fmt.Errorf("judge lists: %w", err)
	}
	return tabulate(ctx, subjects, found, opts)
}

// judge judges the orders of one subject.
type judge struct {
	s         *subject.Subject
	opts      Options
	scores    []predict.Score
	statement []int // by mutant
	sum       map[key]worth
	survivors *survivor.Model
	suite     *survivor.Suite // of all tests; nil where it is not known which come to what
}

func judgeSubject(ctx context.Context, s *subject.Subject, opts Options) (map[key]worth, error) {
	j := &judge{s: s, opts: opts, scores: simulate.Described(s, opts.Strategies), sum: map[key]worth{}}
	for _, strategy := range opts.Strategies {
		if err := strategy.Ready(j.scores); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name(), err)
		}
	}
	type place struct {
		file      string
		statement int
	}
	numbers := map[place]int{}
	for _, m := range j.scores {
		p := place{m.File, m.Statement}
		if _, seen := numbers[p]; !seen {
			numbers[p] = len(numbers)
		}
		j.statement = append(j.statement, numbers[p])
	}
	if opts.Survivors != nil {
		j.survivors, j.suite = opts.Survivors(s), survivor.SuiteOf(s)
	}
	for draw := range opts.Draws {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := j.draw(draw); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name(), err)
		}
	}
	return j.sum, nil
}

// draw judges all orders on one draw of tests.
func (j *judge) draw(number int) error {
	named := func(what string) *rand.Rand {
		return stream.New(j.opts.Seed, "shortlist/"+what+"/"+j.s.Name(), number)
	}
	tests := newSplit(j.s, named("tests"))
	t := newTruth(at(j.s.Kills, tests.judges), j.s.Reveals.At(tests.judges))
	for _, suite := range Suites() {
		for _, k := range j.opts.Lengths {
			j.add(key{suite.Name, Printed, TestsName, k}, t.ofTests(k))
		}
		left := live(j.s, tests.of(suite))
		known, err := j.besides(tests.of(suite))
		if err != nil {
			return err
		}
		scores := make([]predict.Score, len(left))
		for i, m := range left {
			if scores[i] = known[m]; scores[i].Another == 0 {
				scores[i].Survived = j.survived(m, tests.of(suite))
			}
		}
		judged := func(name string, order []int) {
			list := make([]int, len(order))
			for i, at := range order {
				list[i] = left[at]
			}
			j.list(t, suite, name, list, named("walks of "+name+" beside "+suite.Name))
		}
		for _, s := range j.opts.Strategies {
			rule, rng := s.Prepare(scores), named(s.Name+" beside "+suite.Name)
			judged(s.Name, rule(rng))
		}
		for _, c := range ceilings {
			judged(c.name, c.order(t, left, scores, named(c.name+" beside "+suite.Name)))
		}
	}
	return nil
}

// besides are the scores of all mutants, with what a model of survivors says of those that a suite lets live.
func (j *judge) besides(suite []int) ([]predict.Score, error) {
	if j.survivors == nil || j.suite == nil || len(suite) == 0 {
		return j.scores, nil
	}
	scores := slices.Clone(j.scores)
	return scores, j.survivors.Give(scores, j.suite.At(suite))
}

// survived is how many tests of a suite that does not kill a mutant come to it, as far as
// that is known.
func (j *judge) survived(m int, suite []int) int {
	sets := j.s.Infected
	if sets == nil {
		sets = j.s.Reached
	}
	if sets == nil {
		return 0
	}
	n := 0
	for _, t := range suite {
		if sets[m].Get(t) {
			n++
		}
	}
	return n
}

// list judges one order of mutants, both ways.
func (j *judge) list(t *truth, suite Suite, name string, order []int, rng *rand.Rand) {
	for _, k := range j.opts.Lengths {
		j.add(key{suite.Name, Printed, name, k}, t.of(order[:min(k, len(order))], j.statement))
	}
	for range j.opts.Walks {
		for i, w := range t.walk(order, j.statement, j.opts.Lengths, rng) {
			j.add(key{suite.Name, Passing, name, j.opts.Lengths[i]}, w.times(1/float64(j.opts.Walks)))
		}
	}
}

// add adds what one draw says to the mean of all.
func (j *judge) add(k key, w worth) {
	j.sum[k] = j.sum[k].plus(w.times(1 / float64(j.opts.Draws)))
}
