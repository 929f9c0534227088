package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/winnow-mutants/winnow/evaluate/indicator"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
)

// SuiteScores are the mean scores, over repetitions, of the suites that the
// head of a ranking leads to. NaN on a subject of which nothing is killable.
type SuiteScores struct {
	// Mutation is indicator.MutationScore over all mutants of the subject,
	// Subsuming indicator.SubsumingMutationScore.
	Mutation, Subsuming float64
	// Tests is the size of the suite.
	Tests float64
}

// Suites are the scores by strategy, then subject, then budget.
type Suites struct {
	Strategies []string
	Budgets    []string
	Scores     [][][]SuiteScores
}

// SimulateSuites asks what the test suites are worth that the selected mutants
// lead to: each strategy selects by budget, a tester kills what was selected,
// each mutant by a random test unless it is dead already, and the tests picked
// are scored against all mutants. The fault plays no part. A strategy that
// finds faults well need not do well here (dissertation, section 6.7.2).
//
// The rankings and random draws of Simulate and SimulateSuites are separate.
func SimulateSuites(ctx context.Context, subjects []Subject, opts SimulateOptions) (*Suites, error) {
	opts = opts.withDefaults()
	if len(subjects) == 0 || opts.Repetitions < 1 {
		return nil, errors.New("simulate suites: no subject or no repetition")
	}
	if err := validate(subjects); err != nil {
		return nil, fmt.Errorf("simulate suites: %w", err)
	}
	task := opts.Display.Start("simulating suites", len(subjects))
	defer task.Done()
	rows, err := parallel.Map(ctx, opts.Workers, subjects, func(ctx context.Context, i int, _ Subject) ([][]SuiteScores, error) {
		defer task.Add(1)
		s := sortedByID(&subjects[i])
		s.Mutants = s.describedFor(opts.Strategies)
		scorer := newSuiteScorer(s)
		var out [][]SuiteScores
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
	out := &Suites{Scores: make([][][]SuiteScores, len(opts.Strategies))}
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
	board    *board
	classes  []indicator.Class
	killable int
	minimal  []matrix.Bits // killing sets of the subsuming classes
}

func newSuiteScorer(s *Subject) *suiteScorer {
	out := &suiteScorer{board: newBoard(s), classes: indicator.Classes(s.Kills)}
	for _, c := range out.classes {
		out.killable += len(c.Members)
	}
	for _, c := range indicator.SubsumingClasses(s.Kills) {
		out.minimal = append(out.minimal, c.Kill)
	}
	return out
}

func (c *suiteScorer) play(s *Subject, rank predict.Rule, name string, opts SimulateOptions) []SuiteScores {
	out := make([]SuiteScores, len(opts.Budgets))
	for repetition := range opts.Repetitions {
		rng := stream.New(opts.Seed, name+"/"+s.Name(), repetition)
		order := rank(rng)
		for i, budget := range opts.Budgets {
			suite := c.board.suite(order[:min(budget.Of(s), len(order))], rng)
			got := c.score(suite)
			out[i].Mutation += got.Mutation / float64(opts.Repetitions)
			out[i].Subsuming += got.Subsuming / float64(opts.Repetitions)
			out[i].Tests += got.Tests / float64(opts.Repetitions)
		}
	}
	return out
}

func (c *suiteScorer) score(suite matrix.Bits) SuiteScores {
	out := SuiteScores{Mutation: math.NaN(), Subsuming: math.NaN(), Tests: float64(suite.Count())}
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
func (b *board) suite(selected []int, rng *rand.Rand) matrix.Bits {
	b.dead.AndNot(b.dead)
	suite := matrix.NewBits(len(b.killedBy))
	for _, m := range selected {
		killers := b.killers[m]
		if b.dead.Get(m) || len(killers) == 0 {
			continue
		}
		test := int(killers[rng.IntN(len(killers))])
		suite.Set(test)
		b.dead.Or(b.killedBy[test])
	}
	return suite
}
