package agent

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv/tce"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/mutant/scope"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
)

// Check is what a test, or the project's tests as they are now, make of a mutant.
type Check struct {
	ID string `json:"id"`
	// Verdict is killed, infected (it may compute something else, and the test does not
	// notice), reached (it is run, and computes the same), "not reached", or unknown.
	Verdict string `json:"verdict"`
	// Seen is what told the mutant from the original, in words.
	Seen string `json:"seen,omitempty"`
	// KilledBy are the tests that kill it.
	KilledBy []string `json:"killed_by,omitempty"`
	Tests    int      `json:"tests"`
	Advice   string   `json:"advice"`
}

// checking bounds a check: an agent waits.
const checking = 5 * time.Minute

// Check runs a mutant on a test; nil is the project's own tests, as they are now.
func (s *Session) Check(ctx context.Context, id string, test *Test) (*Check, error) {
	if err := s.runs(ctx); err != nil {
		return nil, err
	}
	i, err := s.find(id)
	if err != nil {
		return nil, err
	}
	if test != nil {
		if err := test.check(); err != nil {
			return nil, err
		}
		if s.of.Build != nil {
			return nil, refusef("the tests of %s are programs of its own: add the test to the project, and check without a test", s.found.Program)
		}
	}
	s.running.Lock()
	defer s.running.Unlock()
	ctx, cancel := context.WithTimeout(ctx, checking)
	defer cancel()
	f := &s.found.Findings[i]
	kills, err := s.ofBuilt(ctx, f.ID, test)
	if err != nil {
		return nil, err
	}
	if kills == nil {
		if kills, err = s.run(ctx, f.ID, f.Function, test); err != nil {
			return nil, err
		}
	}
	out := verdictOf(f.ID, kills)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.tried++; out.Verdict == "killed" {
		s.tried, s.settled[f.ID] = 0, "killed"
		if test == nil { // it is in the project's suite, and stays killed
			if err := dataset.AppendFeedback(s.dir, dataset.Feedback{Mutant: f.ID, Told: dataset.ToldKilled, Test: out.KilledBy[0], Time: time.Now().UTC().Truncate(time.Second)}); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// ofBuilt runs a mutant in what was built already; nil where that is not so.
func (s *Session) ofBuilt(ctx context.Context, id string, test *Test) (*kill.Matrix, error) {
	if of, err := s.sources(); err != nil || test == nil || s.built == nil || s.built.of != of {
		return nil, err
	}
	return s.built.Kills(ctx, test.asTest(), func(other string) bool { return other == id })
}

// run records one mutant on a test, or on all.
func (s *Session) run(ctx context.Context, id, function string, test *Test) (*kill.Matrix, error) {
	only := func(_ context.Context, p *program.Program, _ func() (map[string]int, error)) ([]string, error) {
		for _, m := range p.Mutants() {
			if m.ID == id {
				return []string{id}, nil
			}
		}
		return nil, refusef("mutant %s is no more: the code has changed since the run was recorded", id)
	}
	// A mutant that equals another one was left out of the run; which of the two depends on what
	// else there was, and so nothing is left out here.
	all, err := tce.ByName("none")
	if err != nil {
		return nil, err
	}
	record := campaign.RecordOptions{Tool: s.tool, Seed: 1, NoFeatures: true, NoBranches: true, Choose: only,
		Mutation: program.Mutation{Rules: s.rules, Passes: all, Scope: scope.Options{Functions: []string{function}}}}
	return s.record(ctx, record, test, "mutant "+id+" is no more")
}

// record runs the mutants that the options choose on a test, or on all of the project's. That there
// are none means what the last argument says.
func (s *Session) record(ctx context.Context, record campaign.RecordOptions, test *Test, what string) (*kill.Matrix, error) {
	work, err := scratch.New("agent")
	if err != nil {
		return nil, exit.New(exit.System, err, "")
	}
	defer work.Remove()
	dir := filepath.Join(work.Path, "run")
	if test == nil {
		_, err = campaign.Run(ctx, s.tools, []string{s.project}, dir, campaign.RunOptions{Record: record, Matrix: true})
		dir = filepath.Join(dir, s.of.Program)
	} else {
		c := *s.of
		c.Tests, c.Expected, c.Repeated = []execute.Test{test.asTest()}, []project.Expectation{{}}, nil
		var builder *build.Builder
		var remove func()
		if builder, remove, err = build.Temporary(ctx, s.tools); err == nil {
			defer remove()
			_, err = campaign.Record(ctx, builder, c, dir, record)
		}
	}
	if err != nil {
		return nil, gone(err, what)
	}
	return kill.Read(filepath.Join(dir, dataset.KillsFile), kill.Everything)
}

// gone says of an error that nothing was to be run what it means.
func gone(err error, what string) error {
	if none := (*scope.EmptyError)(nil); errors.As(err, &none) || errors.Is(err, campaign.ErrNoneChosen) {
		return refusef("%s: the code has changed since the run was recorded", what)
	}
	return err
}

// verdictOf sums up the tests on one mutant.
func verdictOf(id string, kills *kill.Matrix) *Check {
	out := &Check{ID: id, Tests: len(kills.Tests())}
	for m, known := range kills.Mutants() {
		if known != id {
			continue
		}
		causes := map[matrix.Cause]bool{}
		for t := range kills.Killed(m).All() {
			out.KilledBy = append(out.KilledBy, kills.Tests()[t])
			causes[kills.Cell(m, t).Cause] = true
		}
		switch {
		case len(out.KilledBy) > 0:
			out.Verdict, out.Advice = "killed", "keep the test, and take the next gap"
			for _, c := range matrix.Causes() {
				if causes[c] && out.Seen == "" {
					out.Seen = "told apart by " + c.String()
				}
			}
		case kills.Verdict(m) == matrix.Unknown:
			out.Verdict, out.Advice = "unknown", "the run gave no verdict: the test may not repeat itself"
		case kills.Reached(m).Empty():
			out.Verdict, out.Advice = "not reached", "no test runs the place: look at the conditions before it"
		case kills.Infected(m).Empty():
			out.Verdict, out.Advice = "reached", "the place is run with values for which the two are equal: choose others"
		default:
			out.Verdict, out.Advice = "infected", "the mutant may compute something else there, and nothing that is looked at shows it"
		}
		return out
	}
	out.Verdict, out.Advice = "unknown", fmt.Sprintf("mutant %s was not run", id)
	return out
}

// PutBack is what the project's tests make of a known fault.
type PutBack struct {
	Fault string `json:"fault"`
	// Revealed says whether a test notices, By which.
	Revealed bool     `json:"revealed"`
	By       []string `json:"by"`
	Tests    int      `json:"tests"`
}

// PutBack puts a fault back that the project's file names, and runs the tests: a suite that
// lets it through would let it in again.
func (s *Session) PutBack(ctx context.Context, fault string) (*PutBack, error) {
	if err := s.runs(ctx); err != nil {
		return nil, err
	}
	cases, err := project.CasesOf([]string{s.project}, true)
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range cases {
		names = append(names, cases[i].Fault)
		if cases[i].Fault == fault && fault != "" {
			return s.putBack(ctx, cases[i])
		}
	}
	return nil, refusef("the project names no fault %q; it names %v", fault, names)
}

func (s *Session) putBack(ctx context.Context, c project.Case) (*PutBack, error) {
	s.running.Lock()
	defer s.running.Unlock()
	ctx, cancel := context.WithTimeout(ctx, checking)
	defer cancel()
	builder, remove, err := build.Temporary(ctx, s.tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	// The two versions are run before anything is mutated: that is all that is wanted.
	out := &PutBack{Fault: c.Fault, By: []string{}}
	enough := func(results fault.Table) ([]int, string) {
		out.Tests = len(results)
		for t := range results.Revealing().All() {
			out.By = append(out.By, results[t].Test)
		}
		return nil, "both versions have run"
	}
	_, err = campaign.Record(ctx, builder, c, s.dir, campaign.RecordOptions{Tool: s.tool, Pool: enough})
	if ended := new(campaign.Unusable); !errors.As(err, &ended) {
		return nil, err
	}
	out.Revealed = len(out.By) > 0
	return out, nil
}
