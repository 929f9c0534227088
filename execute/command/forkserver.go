package command

import (
	"context"
	"fmt"
	"time"

	"github.com/winnow-mutants/winnow/execute"
)

// Where a fork server pays: a command that takes longer hardly gains, and one that has fewer runs
// has lost as much by the trial.
const (
	servedWall = 500 * time.Millisecond
	servedRuns = 8
)

// trial finds the tests whose commands fork servers can run: there, the original must behave as it
// does when it is started, and do the very same work, twice.
func (k *killing) trial(ctx context.Context, open []int) error {
	e := k.engine
	k.served = make([]bool, len(e.tests))
	if e.options.NoForkServer {
		return nil
	}
	runs := make([]int, len(e.tests))
	for _, m := range open {
		for _, test := range k.todo[m] {
			runs[test]++
		}
	}
	return e.each(ctx, len(e.tests), func(ctx context.Context, c *client, test int) error {
		base := &k.base.Tests[test]
		if runs[test] < servedRuns || base.Wall > servedWall || e.late() {
			return nil
		}
		for range 2 {
			answer, err := c.do(ctx, k.request(test, 0, mostWall(base), true))
			if err != nil {
				return fmt.Errorf("running test %s with the mutants built in: %w", e.tests[test].Name, err)
			}
			seen := readTable(answer.Table, e.builds.Sites)
			if o := e.outcome(test, answer, seen); !answer.Served || !o.Same(base.Outcome, execute.ExitStatus) || base.Work >= 0 && seen.work != base.Work {
				return nil
			}
		}
		k.served[test] = true
		if e.options.OnServed != nil {
			k.mu.Lock()
			defer k.mu.Unlock()
			e.options.OnServed(test)
		}
		return nil
	})
}

// request is a run of a mutant on a test, by a fork server or by a new process.
func (k *killing) request(test int, selector int32, wall time.Duration, served bool) request {
	r := k.engine.request(test, mutantsBuild, selector, mostWork(&k.base.Tests[test]), wall)
	r.Brief = true
	if served {
		r.Server = test + 1
	}
	return r
}
