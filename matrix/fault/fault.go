// Package fault says which tests tell the faulty version of a program from the
// fixed one.
//
// A test reveals the fault when the two versions behave differently on it. Like
// a kill, that is a verdict of three values: a test whose runs disagree, run
// out of time or crash the fixed version says nothing about the fault, and is
// Unknown. See docs/formats/faults.md.
package fault

import (
	"fmt"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// Outcome is the behaviour of one run.
type Outcome struct {
	// Class is how the run ended.
	Class Class
	// Signal is the signal's number when Class is Crashed, else 0.
	Signal int
	// Output identifies the normalised standard output: its hash, or itself.
	Output string
}

// Class is how a run ended.
type Class string

const (
	// Ended: the program ended by itself. The exit status is not part of the
	// behaviour: C programs before C99 may leave it undefined.
	Ended Class = "ended"
	// Crashed: the program died of a signal.
	Crashed Class = "crashed"
	// TimedOut: the program ran out of time or counted work.
	TimedOut Class = "timeout"
	// Flooded: the program wrote more output than is allowed.
	Flooded Class = "flooded"
	// Failed: the program could not be run.
	Failed Class = "failed"
)

// Result is what one test says about the fault.
type Result struct {
	Test string
	// Verdict is Killed when the test reveals the fault, Survived when both
	// versions behave alike, and Unknown when the test is not usable.
	Verdict matrix.Verdict
	// Cause says why: what differed, or why the test is not usable.
	Cause         matrix.Cause
	Faulty, Fixed Outcome
	// Augmented tests were made by winnow from the others.
	Augmented bool
}

// Judge compares repeated runs of the faulty and of the fixed version on one
// test. Two runs of each, in separate processes, find most tests that are not
// deterministic.
func Judge(test string, faulty, fixed []Outcome) Result {
	r := Result{Test: test, Cause: matrix.NotRun}
	if len(faulty) == 0 || len(fixed) == 0 {
		return r
	}
	r.Faulty, r.Fixed = faulty[0], fixed[0]
	switch {
	case contains(Failed, faulty, fixed):
		r.Cause = matrix.Failed
	case contains(TimedOut, faulty, fixed):
		// How far a run came in its time depends on the machine.
		r.Cause = matrix.Time
	case !agree(faulty) || !agree(fixed):
		r.Cause = matrix.Flaky
	case r.Fixed.Class == Crashed:
		// The fixed version is the oracle: where it crashes there is none.
		r.Cause = matrix.Signal
	case contains(Flooded, fixed):
		r.Cause = matrix.OutputLimit
	case r.Faulty == r.Fixed:
		r.Verdict, r.Cause = matrix.Survived, matrix.NoCause
	default:
		r.Verdict, r.Cause = matrix.Killed, difference(r.Faulty, r.Fixed)
	}
	return r
}

func contains(class Class, runs ...[]Outcome) bool {
	for _, outcomes := range runs {
		for _, o := range outcomes {
			if o.Class == class {
				return true
			}
		}
	}
	return false
}

func agree(runs []Outcome) bool {
	for _, o := range runs {
		if o != runs[0] {
			return false
		}
	}
	return true
}

func difference(faulty, fixed Outcome) matrix.Cause {
	switch {
	case faulty.Class == fixed.Class:
		return matrix.Output
	case faulty.Class == Crashed:
		return matrix.Signal
	}
	return matrix.OutputLimit
}

// Table is the results of all tests, in their order.
type Table []Result

// Revealing returns the tests that reveal the fault, by their place.
func (t Table) Revealing() matrix.Bits { return t.having(matrix.Killed) }

// Unknown returns the tests that are not usable, by their place.
func (t Table) Unknown() matrix.Bits { return t.having(matrix.Unknown) }

func (t Table) having(v matrix.Verdict) matrix.Bits {
	b := matrix.NewBits(len(t))
	for i, r := range t {
		if r.Verdict == v {
			b.Set(i)
		}
	}
	return b
}

// Schema is the columns of faults.parquet.
func Schema() table.Schema {
	return table.Schema{
		{Name: "test", Type: table.String, Doc: "name of the test"},
		{Name: "reveals", Type: table.Int64, Doc: "1 the versions behave differently, 0 alike, -1 the test is not usable"},
		{Name: "cause", Type: table.String, Doc: "what differed, or why the test is not usable"},
		{Name: "faulty_class", Type: table.String, Doc: "how the faulty version ended: ended, crashed, timeout, flooded or failed"},
		{Name: "faulty_signal", Type: table.Int64, Doc: "signal the faulty version died of, or 0"},
		{Name: "faulty_output", Type: table.String, Doc: "identifies the faulty version's normalised output"},
		{Name: "fixed_class", Type: table.String, Doc: "how the fixed version ended"},
		{Name: "fixed_signal", Type: table.Int64, Doc: "signal the fixed version died of, or 0"},
		{Name: "fixed_output", Type: table.String, Doc: "identifies the fixed version's normalised output"},
		{Name: augmented, Type: table.Bool, Doc: "the test was made from the others by an import with --augment"},
	}
}

// augmented is the column that files from before such tests do not have.
const augmented = "augmented"

// Write puts the results at path.
func Write(path string, results Table) error {
	t, err := table.New(Schema())
	if err != nil {
		return fmt.Errorf("write fault table: %w", err)
	}
	for _, r := range results {
		err := t.Append(r.Test, r.Verdict.Code(), r.Cause.String(),
			string(r.Faulty.Class), r.Faulty.Signal, r.Faulty.Output,
			string(r.Fixed.Class), r.Fixed.Signal, r.Fixed.Output, r.Augmented)
		if err != nil {
			return fmt.Errorf("write fault table: %w", err)
		}
	}
	return table.Write(path, t)
}

// Read reads the results at path.
func Read(path string) (Table, error) {
	t, err := table.Read(path)
	if err != nil {
		return nil, fmt.Errorf("read fault table: %w", err)
	}
	want := Schema()
	if t.Schema().Index(augmented) < 0 {
		want = want[:len(want)-1]
	}
	if d := want.Difference(t.Schema()); d != "" {
		return nil, fmt.Errorf("read fault table %s: %s: %w", path, d, table.ErrForeign)
	}
	out := make(Table, t.Rows())
	seen := make(map[string]bool, len(out))
	for i := range out {
		if out[i], err = resultOf(t, i); err != nil {
			return nil, fmt.Errorf("read fault table %s: row %d: %w", path, i, err)
		}
		if seen[out[i].Test] {
			return nil, fmt.Errorf("read fault table %s: test %q occurs twice", path, out[i].Test)
		}
		seen[out[i].Test] = true
	}
	return out, nil
}

// resultOf reads a row of a table that has Schema.
func resultOf(t *table.Table, row int) (r Result, err error) {
	text := func(col int) string { return t.Value(row, col).(string) }
	number := func(col int) int64 { return t.Value(row, col).(int64) }
	r.Test = text(0)
	if r.Verdict, err = matrix.VerdictOf(number(1)); err != nil {
		return r, err
	}
	if r.Cause, err = matrix.ParseCause(text(2)); err != nil {
		return r, err
	}
	r.Faulty = Outcome{Class(text(3)), int(number(4)), text(5)}
	r.Fixed = Outcome{Class(text(6)), int(number(7)), text(8)}
	if at := t.Schema().Index(augmented); at >= 0 {
		r.Augmented = t.Value(row, at).(bool)
	}
	return r, nil
}
