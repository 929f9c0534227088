package command

import (
	"context"
	"fmt"
	"sync"

	"github.com/winnow-mutants/winnow/execute"
)

// Some tests pass whatever the program does: the makefile ignores how it ends, or hands what it
// prints to a filter, and a person is to look at it. No mutant can be killed by such a test as it
// is. Each test therefore runs with a program that is stopped as soon as it begins; one that passes
// all the same runs again with programs that are stopped midway and near the end, since a test that
// compares two outputs of the program passes where both are empty. One that passes always is
// compared by what it prints.

// judgedByStatus reports a test of which nobody said what else is compared.
func (e *Engine) judgedByStatus(test int) bool {
	t := &e.tests[test]
	return !t.Fails && t.Compare == (Comparison{}) && len(t.Files) == 0
}

// attend chooses what is compared on a test that passed with answer: how it ends, and of a blind
// one what it prints, if that is the same each time and tells the stopped program from the original.
func (e *Engine) attend(ctx context.Context, c *client, test int, answer *reply, base *execute.TestBaseline, telling *sync.Mutex) error {
	t := &e.tests[test]
	if base.SetAside != "" || !e.judgedByStatus(test) || t.Tally != "" || t.Status != 0 {
		return nil
	}
	wall := e.options.BaselineWall
	if _, cut := e.inTime(2 * base.Wall); cut {
		return nil // most tests notice at once; one that does not is run five times
	}
	run := func(fuel int64) (*reply, table, error) {
		again, err := c.do(ctx, e.request(test, mutantsBuild, 0, fuel, wall))
		if err != nil {
			return nil, table{}, fmt.Errorf("running test %s with the mutants built in: %w", t.Name, err)
		}
		return again, readTable(again.Table, e.builds.Sites), nil
	}
	var stopped *reply // as soon as it began
	for _, fuel := range []int64{1, base.Work / 2, base.Work * 9 / 10} {
		if fuel == 0 {
			continue // the program does hardly anything, or nobody knows how much
		}
		answer, seen, err := run(fuel)
		if err != nil {
			return err
		}
		if seen.outOfFuel == 0 || !e.outcome(test, answer, seen).Same(base.Outcome, execute.ExitStatus) {
			return nil
		}
		if stopped == nil {
			stopped = answer
		}
	}
	again, _, err := run(0)
	if err != nil {
		return err
	}
	chosen := false
	for _, one := range []Comparison{{Stdout: true}, {Stderr: true}} {
		t.Compare = one
		// Work counts in no comparison.
		first := e.outcome(test, answer, table{work: base.Work})
		if first.Same(e.outcome(test, again, table{}), execute.ExitStatus) && !first.Same(e.outcome(test, stopped, table{}), execute.ExitStatus) {
			base.Outcome, chosen = first, true
			break
		}
		t.Compare = Comparison{}
	}
	if e.options.OnBlind != nil {
		telling.Lock()
		defer telling.Unlock()
		e.options.OnBlind(test, chosen)
	}
	return nil
}
