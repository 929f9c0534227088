package command

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/execute"
)

// cannotRun is a shell's status for what it finds and cannot run, beside notThere for what it does not find.
const cannotRun = 126

// Judged is what a column says of a project as it was built.
type Judged struct {
	// Verdict is Killed where the test, or the case, fails, and Survived where it passes.
	Verdict execute.Verdict
	Outcome execute.Outcome // of the test
}

// Judge runs each test once on the project as it was built, and says of each column (Columns) whether it fails: of another
// version of a project than the one whose Cases the tests have, for instance.
func (e *Engine) Judge(ctx context.Context) ([]Judged, error) {
	columns := e.columnsOf()
	out := make([]Judged, len(e.Columns()))
	err := e.each(ctx, len(e.tests), func(ctx context.Context, c *client, test int) error {
		wall, _ := e.inTime(e.options.BaselineWall)
		answer, err := c.do(ctx, e.request(test, "", 0, 0, wall))
		if err != nil {
			return fmt.Errorf("running test %s: %w", e.tests[test].Name, err)
		}
		o := e.outcome(test, answer, table{})
		cell := execute.Cell{Test: int32(test), Verdict: execute.Survived, Cause: o.Cause}
		switch {
		case answer.TimedOut, answer.Status == notThere, answer.Status == cannotRun:
			// How far it came depends on the machine; and a test that was not built has found nothing.
			cell.Verdict = execute.Unknown
		case e.unusable(test, o) != "" || e.caseFails(test, answer):
			cell.Verdict = execute.Killed
		}
		cells := []execute.Cell{cell}
		if of := columns[test]; len(of) > 1 {
			cells = e.spread(answer, cell, of[1])
		}
		for _, column := range columns[test] {
			out[column] = Judged{execute.Survived, o}
		}
		for _, cell := range cells {
			out[cell.Test].Verdict = cell.Verdict
		}
		return nil
	})
	return out, err
}
