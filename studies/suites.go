package studies

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/winnow-mutants/winnow/experiment/indicator"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
)

// suiteScores are the mean scores, over repetitions, of the suites that the
// head of a ranking leads to. NaN on a subject of which nothing is killable.
type suiteScores struct {
	// Mutation is the share of the subject's killable mutants that the suite kills,
	// Subsuming that of the subsuming classes: easily killed mutants and duplicates
	// cannot inflate it (Papadakis and others, "Threats to the validity of
	// mutation-based test assessment", ISSTA 2016).
	Mutation, Subsuming float64
	// Tests is the size of the suite.
	Tests float64
}

// suiteSimulation is the scores by strategy, then subject, then budget.
type suiteSimulation struct {
	Strategies []string
	Budgets    []string
	Scores     [][][]suiteScores
}

// simulateSuites asks what the test suites are worth that the selected mutants
// lead to: each strategy selects by budget, a tester kills what was selected,
// each mutant by a random test unless it is dead already, and the tests picked
// are scored against all mutants. The fault plays no part. A strategy that
// finds faults well need not do well here (dissertation, section 6.7.2).
//
// The rankings and random draws of simulate.Run are others.
func simulateSuites(ctx context.Context, subjects []subject.Subject, opts simulate.Options) (*suiteSimulation, error) {
	if len(subjects) == 0 || opts.Repetitions < 1 {
		return nil, errors.New("simulate suites: no subject or no repetition")
	}
	if err := subject.Check(subjects); err != nil {
		return nil, fmt.Errorf("simulate suites: %w", err)
	}
	task := opts.Display.Start("simulating suites", len(subjects))
	defer task.Done()
	rows, err := parallel.Map(ctx, opts.Workers, subjects, func(ctx context.Context, i int, _ subject.Subject) ([][]suiteScores, error) {
		defer task.Add(1)
		s := subjects[i].SortedByID()
		s.Mutants = simulate.Described(s, opts.Strategies)
		scorer := newSuiteScorer(s)
		var out [][]suiteScores
		for _, strategy := range opts.Strategies {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if err := strategy.Ready(s.Mutants); err != nil {
				return nil, fmt.Errorf("%s: %w", s.Name(), err)
			}
			out = append(out, scorer.play(s, strategy.Prepare(s.Mutants), "evaluate/suites/"+strategy.Name, opts))
		}
		return out, nil
	})
	if err != nil {
		return nil, fmt.Errorf("simulate suites: %w", err)
	}
	out := &suiteSimulation{Scores: make([][][]suiteScores, len(opts.Strategies))}
	for k, strategy := range opts.Strategies {
		out.Strategies = append(out.Strategies, strategy.Name)
		for i := range rows {
			out.Scores[k] = append(out.Scores[k], rows[i][k])
		}
	}
	for _, b := range opts.Budgets {
		out.Budgets = append(out.Budgets, b.Name)
	}
	return out, nil
}

// suiteScorer scores suites of one subject. Killing a class kills all its
// mutants, so classes with their sizes stand for the mutants.
type suiteScorer struct {
	killers  [][]int32     // by mutant: the tests that kill it
	killedBy []matrix.Bits // by test: the mutants that it kills
	dead     matrix.Bits   // scratch: the mutants killed so far
	classes  []indicator.Class
	killable int
	minimal  []matrix.Bits // killing sets of the subsuming classes
}

func newSuiteScorer(s *subject.Subject) *suiteScorer {
	out := &suiteScorer{killers: make([][]int32, len(s.Kills)), killedBy: make([]matrix.Bits, s.Tests()), dead: matrix.NewBits(len(s.Kills)), classes: indicator.Classes(s.Kills)}
	for test := range out.killedBy {
		out.killedBy[test] = matrix.NewBits(len(s.Kills))
	}
	for m, kill := range s.Kills {
		for test := range kill.All() {
			out.killers[m] = append(out.killers[m], int32(test))
			out.killedBy[test].Set(m)
		}
	}
	for _, c := range out.classes {
		out.killable += len(c.Members)
	}
	for _, c := range indicator.SubsumingClasses(s.Kills) {
		out.minimal = append(out.minimal, c.Kill)
	}
	return out
}

func (c *suiteScorer) play(s *subject.Subject, rank predict.Rule, name string, opts simulate.Options) []suiteScores {
	out := make([]suiteScores, len(opts.Budgets))
	for repetition := range opts.Repetitions {
		rng := stream.New(opts.Seed, name+"/"+s.Name(), repetition)
		order := rank(rng)
		for i, budget := range opts.Budgets {
			suite := c.suite(order[:min(budget.Of(s), len(order))], rng)
			got := c.score(suite)
			out[i].Mutation += got.Mutation / float64(opts.Repetitions)
			out[i].Subsuming += got.Subsuming / float64(opts.Repetitions)
			out[i].Tests += got.Tests / float64(opts.Repetitions)
		}
	}
	return out
}

func (c *suiteScorer) score(suite matrix.Bits) suiteScores {
	out := suiteScores{Mutation: math.NaN(), Subsuming: math.NaN(), Tests: float64(suite.Count())}
	if c.killable == 0 {
		return out
	}
	killed, minimal := 0, 0
	for _, class := range c.classes {
		if class.Kill.Intersects(suite) {
			killed += len(class.Members)
		}
	}
	for _, kill := range c.minimal {
		if kill.Intersects(suite) {
			minimal++
		}
	}
	out.Mutation = float64(killed) / float64(c.killable)
	out.Subsuming = float64(minimal) / float64(len(c.minimal))
	return out
}

// suite returns the tests picked to kill the selected mutants, in their order.
func (c *suiteScorer) suite(selected []int, rng *rand.Rand) matrix.Bits {
	c.dead.AndNot(c.dead)
	suite := matrix.NewBits(len(c.killedBy))
	for _, m := range selected {
		killers := c.killers[m]
		if c.dead.Get(m) || len(killers) == 0 {
			continue
		}
		test := int(killers[rng.IntN(len(killers))])
		suite.Set(test)
		c.dead.Or(c.killedBy[test])
	}
	return suite
}
