package agent

import (
	"context"
	"maps"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/report/findings"
)

// Tried is what a new test makes of all mutants that live.
type Tried struct {
	Test string `json:"test"`
	// Killed are the ids of those that it kills; Live is how many are left.
	Killed []string `json:"killed"`
	Live   int      `json:"live"`
}

// Try runs a new test on all mutants that live and are not settled. Those that it kills are
// settled until the session ends: who keeps the test says so (Killed).
func (s *Session) Try(ctx context.Context, test *Test) (*Tried, error) {
	if err := s.runs(ctx); err != nil {
		return nil, err
	}
	if s.of.Build != nil {
		return nil, refusef("the tests of %s are programs of its own: add the test to the project, and check", s.found.Program)
	}
	if err := test.check(); err != nil {
		return nil, err
	}
	live := s.live()
	if len(live) == 0 {
		return nil, refusef("no mutant lives")
	}
	s.running.Lock()
	defer s.running.Unlock()
	ctx, cancel := context.WithTimeout(ctx, checking)
	defer cancel()
	ready, err := s.ready(ctx)
	if err != nil {
		return nil, gone(err, "none of the mutants is there any more")
	}
	kills, err := ready.Kills(ctx, test.asTest(), func(id string) bool { return live[id] })
	if err != nil {
		return nil, err
	}
	if kills == nil {
		return nil, refusef("none of the mutants is there any more: the code has changed since the run was recorded")
	}
	out := &Tried{Test: test.asTest().Name, Killed: []string{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	for m, id := range kills.Mutants() {
		switch {
		case !live[id]:
		case kills.Verdict(m) == matrix.Killed:
			out.Killed = append(out.Killed, id)
		case kills.Verdict(m) == matrix.Survived && !kills.Infected(m).Empty():
			s.since[id]++
		}
	}
	if s.tried++; len(out.Killed) > 0 {
		s.tried = 0
	}
	for _, id := range out.Killed {
		s.settled[id] = string(dataset.ToldKilled)
	}
	out.Live = len(live) - len(out.Killed)
	return out, s.order(ctx)
}

// order orders the mutants anew, after a test that told something of them; who calls it holds the
// lock.
func (s *Session) order(ctx context.Context) error {
	if s.again == nil {
		return nil
	}
	ids, err := s.again(ctx, maps.Clone(s.since))
	if err != nil || ids == nil {
		return err
	}
	s.rank = make(map[string]int, len(ids))
	for place, id := range ids {
		s.rank[id] = place
	}
	return nil
}

// live are the ids of the mutants that no test kills and that nobody settled.
func (s *Session) live() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string]bool{}
	for i := range s.found.Findings {
		f := &s.found.Findings[i]
		if _, settled := s.settled[f.ID]; !settled && (f.Status == findings.Survived || f.Status == findings.Unreached) {
			out[f.ID] = true
		}
	}
	return out
}

// Killed notes that a test kills a mutant.
func (s *Session) Killed(id, test string) error {
	i, err := s.find(id)
	if err != nil {
		return err
	}
	if test = strings.TrimSpace(test); test == "" {
		return refusef("name the test that kills the mutant")
	}
	f := &s.found.Findings[i]
	if err := dataset.AppendFeedback(s.dir, dataset.Feedback{Mutant: f.ID, Told: dataset.ToldKilled, Test: test, Time: time.Now().UTC().Truncate(time.Second)}); err != nil {
		return err
	}
	s.mu.Lock()
	s.settled[f.ID] = string(dataset.ToldKilled)
	s.mu.Unlock()
	return nil
}
