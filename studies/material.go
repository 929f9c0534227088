package studies

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// Contender is a way to learn: what is compared in the studies of predictions.
type Contender struct {
	Name, Doc string
	// FaultLabel is what its model of fault revelation learns, e.g.
	// fault-revealing; both models are judged by the same truth whatever they
	// learnt.
	FaultLabel dataset.Label
	Fit        crossval.Fit
}

// Material is what studies work on. Its methods remember what they computed;
// they are not for several goroutines.
type Material struct {
	// Faulty are the subjects, made from the faulty versions.
	Faulty []subject.Subject
	// Fixed reads, by the name of a subject, the same made from the fixed version; any
	// may lack. nil has none. Few studies ask for them.
	Fixed func(context.Context) (map[string]*subject.Subject, error)
	// Contenders learn; the first is the project's own.
	Contenders []Contender
	Split      crossval.Options
	// Grouped names what Split's groups are, e.g. problem.
	Grouped     string
	Repetitions int
	// Suites is the number of suites that studies of criteria sample for each
	// fault and size; 0 is 10,000.
	Suites  int
	Seed    uint64
	Workers int
	// Skipped are the run folders that lack a table.
	Skipped []string
	// Notes say what a reader of any answer should know of the history.
	Notes   []string
	Display *progress.Display

	audited     bool
	scores      map[string]*crossval.OutOfFold
	simulations map[bool]*simulate.Simulation
}

func (m *Material) sample() report.Sample {
	out := report.Sample{Faults: len(m.Faulty), Folds: m.Split.Folds, Grouped: m.Grouped, Repetitions: m.Repetitions, Seed: m.Seed, Skipped: len(m.Skipped)}
	problems := map[string]bool{}
	for i := range m.Faulty {
		s := &m.Faulty[i]
		problems[subject.ByProblem(s)] = true
		out.Mutants += len(s.Mutants)
		out.Tests += s.Tests()
	}
	out.Problems = len(problems)
	return out
}

func (m *Material) bootstrap() significance.Bootstrap {
	return significance.Bootstrap{Seed: m.Seed, Workers: m.Workers}
}

// side is which of a contender's two models.
type side string

const (
	faultSide side = "fault-revealing"
	killSide  side = "killable"
)

// outOfFold cross-validates one model of a contender, once.
func (m *Material) outOfFold(ctx context.Context, c Contender, which side) (*crossval.OutOfFold, error) {
	key := c.Name + "/" + string(which)
	if got := m.scores[key]; got != nil {
		return got, nil
	}
	if err := m.audit(ctx); err != nil {
		return nil, err
	}
	if m.Split.Folds < 2 {
		return nil, fmt.Errorf("the history's faults are all of one %s: there is nothing to test on that was not trained on; record faults of another one too", m.Grouped)
	}
	label := c.FaultLabel
	if which == killSide {
		var err error
		if label, err = dataset.LookupLabel(string(killSide)); err != nil {
			return nil, err
		}
	}
	task := m.Display.Start("learning "+key, m.Split.Folds)
	defer task.Done()
	fit := func(ctx context.Context, set crossval.TrainingSet) (crossval.Predictor, error) {
		defer task.Add(1)
		return c.Fit(ctx, set)
	}
	got, err := crossval.Run(ctx, m.Faulty, label, fit, m.Split)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.Name, err)
	}
	if m.scores == nil {
		m.scores = map[string]*crossval.OutOfFold{}
	}
	m.scores[key] = got
	return got, nil
}

// audit refuses, once, features that know the answer.
func (m *Material) audit(ctx context.Context) error {
	if m.audited {
		return nil
	}
	if len(m.Contenders) == 0 {
		return errors.New("there is no learner to compare")
	}
	leaks, err := experiment.Audit(ctx, m.Faulty, m.Display)
	if err != nil {
		return err
	}
	if err := experiment.LeakError(leaks); err != nil {
		return err
	}
	m.audited = true
	return nil
}

// curveBudgets are the shares, in percent, at which curves are drawn.
func curveBudgets() []simulate.Budget {
	var out []simulate.Budget
	for p := 1; p <= 100; p++ {
		out = append(out, simulate.Share(predict.Percent(p)))
	}
	return out
}

// The budgets of RQ4: as many mutants as a baseline selects by its own rule.
var ownBudgets = []simulate.Budget{
	{Name: "|SDL|", Of: count(predict.IsDeletion)},
	{Name: "|E-Selective|", Of: count(predict.IsSelective)},
}

func count(is func(*predict.Score) bool) func(*subject.Subject) int {
	return func(s *subject.Subject) int {
		n := 0
		for i := range s.Mutants {
			if is(&s.Mutants[i]) {
				n++
			}
		}
		return n
	}
}

// simulation plays every strategy with every contender's scores, once, on all
// mutants or on those that some test reaches. It is nil, without an error, when
// only the reached are asked for and it is not known which they are.
func (m *Material) simulation(ctx context.Context, reachedOnly bool) (*simulate.Simulation, error) {
	if got, done := m.simulations[reachedOnly]; done {
		return got, nil
	}
	opts := simulate.Options{Repetitions: m.Repetitions, Seed: m.Seed, Workers: m.Workers, Display: m.Display, Budgets: append(curveBudgets(), ownBudgets...)}
	var sim *simulate.Simulation
	for _, part := range m.parts() {
		scored, err := m.scored(ctx, part.contender)
		if err != nil {
			return nil, err
		}
		if reachedOnly {
			known := false
			if scored, known = subject.Reached(scored); !known {
				return m.remember(reachedOnly, nil), nil
			}
		}
		opts.Strategies = part.strategies
		next, err := simulate.Run(ctx, scored, opts)
		if err != nil {
			return nil, err
		}
		sim = join(sim, next, part.prefix())
	}
	return m.remember(reachedOnly, sim), nil
}

func (m *Material) remember(reachedOnly bool, sim *simulate.Simulation) *simulate.Simulation {
	if m.simulations == nil {
		m.simulations = map[bool]*simulate.Simulation{}
	}
	m.simulations[reachedOnly] = sim
	return sim
}

// part is the strategies that are simulated on one contender's scores, or, with
// no contender, those that need none.
type part struct {
	contender  *Contender
	strategies []predict.Strategy
}

func (p part) prefix() string {
	if p.contender == nil {
		return ""
	}
	return p.contender.Name + ": "
}

func (m *Material) parts() []part {
	var learnt, plain []predict.Strategy
	for _, s := range simulate.Usable(m.Faulty) {
		if s.NeedsModel == predict.NeedsNone {
			plain = append(plain, s)
		} else {
			learnt = append(learnt, s)
		}
	}
	var out []part
	for i := range m.Contenders {
		out = append(out, part{&m.Contenders[i], learnt})
	}
	return append(out, part{nil, plain})
}

// scored returns the subjects with a contender's out-of-fold scores.
func (m *Material) scored(ctx context.Context, c *Contender) ([]subject.Subject, error) {
	if c == nil {
		return m.Faulty, nil
	}
	fault, err := m.outOfFold(ctx, *c, faultSide)
	if err != nil {
		return nil, err
	}
	kill, err := m.outOfFold(ctx, *c, killSide)
	if err != nil {
		return nil, err
	}
	return crossval.WithScores(m.Faulty, fault, kill)
}

// join appends the strategies of next to sim under a prefix; the ceilings, which
// are the same in both, stay once and last.
func join(sim, next *simulate.Simulation, prefix string) *simulate.Simulation {
	out := *next
	out.Strategies, out.Outcomes = nil, nil
	if sim != nil {
		first := slices.IndexFunc(sim.Strategies, simulate.IsCeiling)
		out.Strategies, out.Outcomes = slices.Clone(sim.Strategies[:first]), slices.Clone(sim.Outcomes[:first])
	}
	for k, name := range next.Strategies {
		if !simulate.IsCeiling(name) {
			name = prefix + name
		}
		out.Strategies, out.Outcomes = append(out.Strategies, name), append(out.Outcomes, next.Outcomes[k])
	}
	return &out
}
