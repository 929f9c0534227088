// Package verdict says what runs showed, in the words of the tables that others read:
// the kill matrix and the table of faults.
//
// A run of package execute ends by itself, by a signal, a trap, or a limit, and prints
// something; it knows the original it is compared with, and no table. A kill matrix says
// what told a mutant from the original, and a table of faults whether a test reveals one.
// Between them stands what this package decides: nothing here runs anything.
package verdict

import (
	"strconv"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
)

// Runs are what to make tables of: the runs of mutants on tests, and the original's.
type Runs struct {
	Mutants, Tests []string // their names
	Original       []execute.TestBaseline
	Result         *execute.Result
	// Exit is which exit statuses count as the same.
	Exit execute.ExitComparison
}

// Kills is the kill matrix of runs.
func Kills(r *Runs) (*kill.Matrix, error) {
	m, err := kill.New(r.Mutants, r.Tests)
	if err != nil {
		return nil, err
	}
	for i := range r.Mutants {
		for t := range r.Tests {
			if err := r.set(m, i, t); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// Causes count the killing runs by what told the mutant from the original.
func Causes(r *Runs) map[string]int {
	out := map[string]int{}
	for _, c := range r.Result.Cells {
		if c.Verdict == execute.Killed {
			out[r.cause(c, int(c.Test)).String()]++
		}
	}
	return out
}

func (r *Runs) set(m *kill.Matrix, mutant, test int) error {
	verdict := r.Result.Verdict(mutant, test)
	if !r.Result.Reached[mutant].Has(test) && verdict != execute.Unknown {
		return m.SetNotReached(mutant, test)
	}
	cell := kill.Cell{Verdict: matrix.Survived}
	if verdict == execute.Survived && !r.Result.Infected[mutant].Has(test) {
		cell.Cause = matrix.NotInfected
	}
	switch verdict {
	case execute.Killed:
		cell.Verdict = matrix.Killed
	case execute.Unknown:
		cell.Verdict = matrix.Unknown
	}
	if c, ok := r.Result.Cell(mutant, test); ok {
		cell.Cause, cell.Work = r.cause(c, test), max(c.Work, 0)
	}
	return m.Set(mutant, test, cell)
}

func (r *Runs) cause(c execute.Cell, test int) matrix.Cause {
	return Cause(c, r.Original[test], r.Exit)
}

// Cause says what told a mutant from the original on a test.
func Cause(c execute.Cell, original execute.TestBaseline, counts execute.ExitComparison) matrix.Cause {
	switch c.Cause {
	case execute.CauseExit:
		if original.Cause != execute.CauseExit || statusDiffers(int(c.Status), original.Status, counts) {
			return matrix.Exit
		}
		return matrix.Output
	case execute.CauseSignal:
		if original.Cause == execute.CauseSignal && original.Status == int(c.Status) {
			return matrix.Output
		}
		return matrix.Signal
	case execute.CauseTrap:
		return matrix.Trap
	case execute.CauseWork:
		return matrix.Work
	case execute.CauseTime:
		return matrix.Time
	case execute.CauseMemory:
		return matrix.Memory
	case execute.CauseOutput:
		return matrix.OutputLimit
	case execute.CauseFailed:
		return matrix.Failed
	}
	return matrix.NotRun
}

// statusDiffers reports whether two exit statuses differ in what counts.
func statusDiffers(a, b int, counts execute.ExitComparison) bool {
	switch counts {
	case execute.ExitIgnored:
		return false
	case execute.ExitSuccess:
		return (a == 0) != (b == 0)
	}
	return a != b
}

// Faults compares the faulty with the fixed version, test by test. Of a test that cannot
// be used with both it is unknown whether it reveals the fault.
func Faults(tests []execute.Test, faulty, fixed []execute.TestBaseline) fault.Table {
	var out fault.Table
	for t, test := range tests {
		a, b := Outcome(faulty[t]), Outcome(fixed[t])
		if SetAside(faulty, fixed, t) != "" {
			out = append(out, fault.Result{Test: test.Name, Verdict: matrix.Unknown, Cause: matrix.Flaky, Faulty: a, Fixed: b})
			continue
		}
		out = append(out, fault.Judge(test.Name, []fault.Outcome{a}, []fault.Outcome{b}))
	}
	return out
}

// SetAside says why a test cannot be used with a version or, where there is one, with the
// fixed version: "" when it can.
func SetAside(version, fixed []execute.TestBaseline, test int) string {
	if why := version[test].SetAside; why != "" {
		return why
	}
	if fixed != nil && fixed[test].SetAside != "" {
		return "the fixed version: " + fixed[test].SetAside
	}
	return ""
}

// Outcome is what a version did on a test.
func Outcome(t execute.TestBaseline) fault.Outcome {
	o := fault.Outcome{Class: fault.Ended, Output: strconv.FormatUint(t.OutputLength, 10) + ":" + strconv.FormatUint(t.OutputHash, 16)}
	switch t.Cause {
	case execute.CauseSignal:
		o.Class, o.Signal = fault.Crashed, t.Status
	case execute.CauseWork, execute.CauseTime:
		o.Class = fault.TimedOut
	case execute.CauseOutput:
		o.Class = fault.Flooded
	case execute.CauseFailed:
		o.Class = fault.Failed
	}
	return o
}
