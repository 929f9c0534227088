// Package simulate plays testers who follow an order of mutants: they kill mutant after
// mutant, each with a random test of the pool that kills it, and find the fault or do
// not (FaRM's study).
//
// Run plays every strategy on every subject and adds orders that are made of the truth,
// as ceilings. Compare sets the outcomes against a baseline, measure by measure, with
// effect sizes, intervals and p-values.
package simulate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/experiment/metric"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/predict"
)

// Options says what to simulate. The zero value is FaRM's study with
// every strategy.
type Options struct {
	// Strategies are the orders to play; nil is predict.All without those that need
	// features or models that some subject lacks and FaRM's study does without.
	// The ceilings are always added.
	Strategies []predict.Strategy
	// Repetitions of each strategy on each subject; 0 is 100.
	Repetitions int
	// Budgets are the numbers of mutants to analyse at which revelation is
	// counted; nil is 1, 2, 5, 10, 15 and 20 % of the mutants.
	Budgets []Budget
	Seed    uint64
	// Workers is the number of goroutines; 0 is one per CPU. It does not
	// change the result.
	Workers int
	// Display shows how many subjects are done; nil is silent.
	Display *progress.Display
}

func (o Options) withDefaults() Options {
	if o.Repetitions == 0 {
		o.Repetitions = 100
	}
	if o.Budgets == nil {
		for _, p := range []int{1, 2, 5, 10, 15, 20} {
			o.Budgets = append(o.Budgets, Share(predict.Percent(p)))
		}
	}
	return o
}

// Usable returns every strategy but those whose additional needs, features or
// models beyond FaRM's two, some subject does not meet.
func Usable(subjects []subject.Subject) []predict.Strategy {
	return slices.DeleteFunc(predict.All(), func(s predict.Strategy) bool {
		additional := s.NeedsFeatures || s.NeedsModel&^predict.NeedsBoth != 0
		return additional && slices.ContainsFunc(subjects, func(one subject.Subject) bool {
			return ready(&one, s) != nil
		})
	})
}

// Budget is how many mutants of a subject somebody is willing to analyse.
type Budget struct {
	Name string
	Of   func(s *subject.Subject) int
}

// Share is the budget of the first so many mutants, or of a share of all.
func Share(top predict.Top) Budget {
	return Budget{Name: top.String(), Of: func(s *subject.Subject) int { return top.Of(len(s.Mutants)) }}
}

// Outcome is what one strategy did on one subject, over all repetitions.
type Outcome struct {
	// Revealed is, for each budget, the share of repetitions in which the
	// fault was revealed by analysing no more mutants than the budget.
	Revealed []float64
	// APFD is the mean over repetitions of 1 - k/N + 1/(2N), 0 where the fault
	// was not revealed, by Cost. N is the number of mutants for the first two
	// costs and the size of the pool for the third.
	APFD [costs]float64
	// Spent is the mean cost of the repetitions that revealed the fault, by
	// Cost; NaN when none did.
	Spent [costs]float64
	// Runs is the mean number of executions of mutants that it took: each
	// mutant analysed runs on every test that reaches it. Over the repetitions
	// that revealed the fault; NaN when none did or it is not known what tests
	// reach.
	Runs float64
	// Ever is the share of repetitions in which the whole ranking revealed the
	// fault.
	Ever float64
}

// Simulation is the outcome of Run.
type Simulation struct {
	// Budgets names the budgets, in their order.
	Budgets     []string
	Repetitions int
	Seed        uint64
	// Strategies names the orders, the ceilings last; Subjects and Problems
	// name the subjects.
	Strategies         []string
	Subjects, Problems []string
	// Outcomes is indexed by strategy, then by subject.
	Outcomes [][]Outcome
}

// Run plays FaRM's selection and prioritization study (dissertation,
// section 6.5.3). Each strategy ranks the mutants of each subject; a developer
// follows the ranking, passes over mutants that are dead already, has a
// random killing test picked for each other one, and finds out by analysis
// that a mutant without killing test is (taken for) equivalent. A randomized
// strategy ranks anew in each repetition.
//
// The budgets count analysed mutants, of all mutants of the subject. This is
// one walk for selection and prioritization: a set selected by a budget is the
// ranking's head, worked on in its order.
//
// A strategy that needs scores which a subject lacks is an error.
func Run(ctx context.Context, subjects []subject.Subject, opts Options) (*Simulation, error) {
	opts = opts.withDefaults()
	if opts.Strategies == nil {
		opts.Strategies = Usable(subjects)
	}
	if opts.Repetitions < 0 {
		return nil, fmt.Errorf("simulate: %d repetitions", opts.Repetitions)
	}
	if len(subjects) == 0 {
		return nil, errors.New("simulate: no subject to study")
	}
	if err := subject.Check(subjects); err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	task := opts.Display.Start("simulating test sessions", len(subjects))
	defer task.Done()
	rows, err := parallel.Map(ctx, opts.Workers, subjects, func(ctx context.Context, i int, _ subject.Subject) ([]Outcome, error) {
		defer task.Add(1)
		return simulateSubject(ctx, &subjects[i], opts)
	})
	if err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}

	sim := &Simulation{Repetitions: opts.Repetitions, Seed: opts.Seed}
	for _, budget := range opts.Budgets {
		sim.Budgets = append(sim.Budgets, budget.Name)
	}
	for i := range subjects {
		sim.Subjects = append(sim.Subjects, subjects[i].Name())
		sim.Problems = append(sim.Problems, subject.ByProblem(&subjects[i]))
	}
	var names []string
	for _, s := range opts.Strategies {
		names = append(names, s.Name)
	}
	for _, c := range ceilings {
		names = append(names, c.name)
	}
	for k, name := range names {
		outcomes := make([]Outcome, len(subjects))
		for i := range rows {
			outcomes[i] = rows[i][k]
		}
		sim.Strategies = append(sim.Strategies, name)
		sim.Outcomes = append(sim.Outcomes, outcomes)
	}
	return sim, nil
}

// With returns the simulation with the orders of another one, which must be of
// the same subjects, budgets, seed and repetitions, before the ceilings.
func (s *Simulation) With(other *Simulation) (*Simulation, error) {
	if !slices.Equal(s.Subjects, other.Subjects) || !slices.Equal(s.Budgets, other.Budgets) || s.Seed != other.Seed || s.Repetitions != other.Repetitions {
		return nil, errors.New("joining simulations: they are not of the same subjects, budgets, seed and repetitions")
	}
	out, last := *s, len(s.Strategies)-len(ceilings)
	more := len(other.Strategies) - len(ceilings)
	out.Strategies = slices.Insert(slices.Clone(s.Strategies), last, other.Strategies[:more]...)
	out.Outcomes = slices.Insert(slices.Clone(s.Outcomes), last, other.Outcomes[:more]...)
	return &out, nil
}

// simulateSubject returns the outcome of each strategy and, last, of the ceilings.
func simulateSubject(ctx context.Context, s *subject.Subject, opts Options) ([]Outcome, error) {
	s = s.SortedByID()
	board := newBoard(s)
	var outcomes []Outcome
	s.Mutants = Described(s, opts.Strategies)
	for _, strategy := range opts.Strategies {
		if err := strategy.Ready(s.Mutants); err != nil {
			return nil, fmt.Errorf("%s: %w", s.Name(), err)
		}
		outcome, err := play(ctx, board, s, strategy.Prepare(s.Mutants), "evaluate/simulate/"+strategy.Name, opts)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, outcome)
	}
	for _, c := range ceilings {
		outcome, err := play(ctx, board, s, c.prepare(s), "evaluate/simulate/"+c.name, opts)
		if err != nil {
			return nil, err
		}
		outcomes = append(outcomes, outcome)
	}
	return outcomes, nil
}

// play repeats the walk down one strategy's rankings of one subject.
func play(ctx context.Context, b *board, s *subject.Subject, rank predict.Rule, name string, opts Options) (Outcome, error) {
	out := Outcome{Revealed: make([]float64, len(opts.Budgets))}
	budgets := make([]int, len(opts.Budgets))
	for i, budget := range opts.Budgets {
		budgets[i] = budget.Of(s)
	}
	sizes := [costs]int{Selected: len(s.Mutants), Analysed: len(s.Mutants), Required: s.Tests()}
	revealed := 0
	for repetition := range opts.Repetitions {
		if err := ctx.Err(); err != nil {
			return Outcome{}, err
		}
		rng := stream.New(opts.Seed, name+"/"+s.Name(), repetition)
		cost := b.walk(rank(rng), rng)
		if !cost.revealed() {
			continue
		}
		revealed++
		for i, budget := range budgets {
			if cost[Analysed] <= budget {
				out.Revealed[i]++
			}
		}
		out.Runs += float64(b.runs)
		for c, k := range cost {
			out.Spent[c] += float64(k)
			out.APFD[c] += metric.APFD([]int{k}, sizes[c])
		}
	}
	repetitions := float64(opts.Repetitions)
	for i := range out.Revealed {
		out.Revealed[i] /= repetitions
	}
	for c := range costs {
		out.APFD[c] /= repetitions
		out.Spent[c] /= float64(revealed)
		if revealed == 0 {
			out.Spent[c] = math.NaN()
		}
	}
	out.Runs /= float64(revealed)
	if revealed == 0 || s.Reached == nil {
		out.Runs = math.NaN()
	}
	out.Ever = float64(revealed) / repetitions
	return out, nil
}

// ready reports what a strategy lacks to rank the subject's mutants.
func ready(s *subject.Subject, strategy predict.Strategy) error {
	scores := s.Mutants
	if strategy.NeedsFeatures && s.Features.Len() > 0 {
		scores = slices.Clone(scores)
		scores[0].Features, scores[0].Columns = s.Features.Pick([]int{0}).Dense()[0], s.Columns
	}
	return strategy.Ready(scores)
}

// Described returns the subject's mutants, with their features if they are known
// and one of the strategies reads them: else the memory is spared.
func Described(s *subject.Subject, strategies []predict.Strategy) []predict.Score {
	if s.Features == nil || !slices.ContainsFunc(strategies, func(s predict.Strategy) bool { return s.NeedsFeatures }) {
		return s.Mutants
	}
	out := slices.Clone(s.Mutants)
	for m, row := range s.Features.Dense() {
		out[m].Features, out[m].Columns = row, s.Columns
	}
	return out
}
