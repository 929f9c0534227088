package built

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
)

// Reveal says which tests, and which of their cases, tell the faulty version of a project from the fixed one: those that
// pass on the fixed version, each time, and fail on the faulty one, twice. Of the others that pass on the fixed version it says
// that they do not, or that nothing is known, where the faulty version does not have them or is not the same each time. opts are those that
// the fixed version is recorded with.
func Reveal(ctx context.Context, fixed, faulty *capture.Capture, opts Options) (fault.Table, error) {
	opts.Say = oneAtATime(opts.Say)
	right := &recording{opts: opts, build: fixed}
	suite, err := right.tests(ctx)
	if err != nil {
		return nil, fmt.Errorf("the fixed version: %w", err)
	}
	wrong := &recording{opts: opts, build: faulty}
	there := map[string]command.Test{}
	for i := range faulty.Tests {
		there[faulty.Tests[i].Name] = wrong.test(&faulty.Tests[i])
	}
	var tests []command.Test
	for t, test := range suite.tests {
		if suite.failing[t] != nil {
			continue
		}
		if version, known := there[test.Name]; known {
			version.Tally, version.Cases, version.Status = test.Tally, test.Cases, test.Status
			tests = append(tests, version)
		}
	}
	engine, err := command.Start(ctx, command.Builds{Base: faulty.Work}, tests, command.Options{Workers: opts.Workers, Until: opts.Until,
		BaselineWall: patience(suite.took)})
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	done := wrong.during("running the tests on the faulty version")
	defer done()
	first, err := engine.Judge(ctx)
	if err != nil {
		return nil, err
	}
	again, err := engine.Judge(ctx)
	if err != nil {
		return nil, err
	}
	var out fault.Table
	for at, c := range engine.Columns() {
		one := fault.Result{Test: c.Name, Verdict: matrix.Survived, Fixed: fault.Outcome{Class: fault.Ended}, Faulty: outcomeOf(first[at].Outcome)}
		switch {
		case first[at].Verdict != again[at].Verdict:
			one.Verdict, one.Cause = matrix.Unknown, matrix.Flaky
		case first[at].Verdict == execute.Unknown && one.Faulty.Class == fault.TimedOut:
			one.Verdict, one.Cause = matrix.Unknown, matrix.Time
		case first[at].Verdict == execute.Unknown: // not built there, or behind where the run ended
			one.Verdict, one.Cause = matrix.Unknown, matrix.NotRun
		case first[at].Verdict == execute.Killed && one.Faulty.Class == fault.Crashed:
			one.Verdict, one.Cause = matrix.Killed, matrix.Signal
		case first[at].Verdict == execute.Killed:
			one.Verdict, one.Cause = matrix.Killed, matrix.Output
		}
		out = append(out, one)
	}
	return out, nil
}

// patience is how long a test of the faulty version may take, which may have no end, where all of the fixed one take so long.
func patience(suite time.Duration) time.Duration { return 10*suite + 10*time.Second }

// outcomeOf is how a test ended that is judged by whether it passes: what it printed does not count.
func outcomeOf(o execute.Outcome) fault.Outcome {
	out := verdict.Outcome(execute.TestBaseline{Outcome: o})
	out.Output = ""
	return out
}

// OnTests is a table of the tests that a recorded matrix has, in its order; nothing is known of those that the table has not.
func OnTests(table fault.Table, tests []string) fault.Table {
	var out fault.Table
	for _, name := range tests {
		at := slices.IndexFunc(table, func(r fault.Result) bool { return r.Test == name })
		if at < 0 {
			out = append(out, fault.Result{Test: name, Cause: matrix.NotRun})
			continue
		}
		out = append(out, table[at])
	}
	return out
}
