package campaign

import (
	"fmt"
	"maps"
	"strconv"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/project"
)

// killMatrix translates the engine's result.
func (r *recorder) killMatrix(base *execute.Baseline, result *execute.Result) (*kill.Matrix, error) {
	mutants := r.mutants
	ids := make([]string, len(mutants))
	for i, m := range mutants {
		ids[i] = m.ID
	}
	names := make([]string, len(r.c.Tests))
	for i, t := range r.c.Tests {
		names[i] = t.Name
	}
	m, err := kill.New(ids, names)
	if err != nil {
		return nil, err
	}
	for i := range mutants {
		for t := range names {
			if err := r.setCell(m, pair{i, t}, base.Tests[t], result); err != nil {
				return nil, err
			}
		}
		switch m.Verdict(i) {
		case matrix.Killed:
			r.summary.Killed++
		case matrix.Survived:
			r.summary.Survived++
		default:
			r.summary.Unknown++
		}
	}
	for _, c := range result.Cells {
		if c.Verdict == execute.Killed {
			r.summary.Causes[causeOf(c, base.Tests[c.Test], r.opts.Execute.Exit).String()]++
		}
	}
	r.summary.Mutants, r.summary.Runs = len(mutants), result.Runs
	r.summary.Audited, r.summary.Disagreed = result.Audit.Checked, len(result.Audit.Disagreements)
	r.summary.Missed, r.summary.HandedOn = len(result.Audit.Missed), result.HandedOn
	for _, f := range result.Failures {
		r.summary.NoteFailure(f.Reason)
	}
	for i := range mutants {
		r.summary.Uninfected += result.Reached[i].Count() - result.Infected[i].Count()
	}
	return m, nil
}

// pair is a mutant and a test, by their places.
type pair struct{ mutant, test int }

func (r *recorder) setCell(m *kill.Matrix, p pair, base execute.TestBaseline, result *execute.Result) error {
	verdict := result.Verdict(p.mutant, p.test)
	if !result.Reached[p.mutant].Has(p.test) && verdict != execute.Unknown {
		return m.SetNotReached(p.mutant, p.test)
	}
	cell := kill.Cell{Verdict: matrix.Survived}
	if verdict == execute.Survived && !result.Infected[p.mutant].Has(p.test) {
		cell.Cause = matrix.NotInfected
	}
	switch verdict {
	case execute.Killed:
		cell.Verdict = matrix.Killed
	case execute.Unknown:
		cell.Verdict = matrix.Unknown
	}
	if c, ok := result.Cell(p.mutant, p.test); ok {
		cell.Cause, cell.Work = causeOf(c, base, r.opts.Execute.Exit), max(c.Work, 0)
	}
	return m.Set(p.mutant, p.test, cell)
}

// causeOf says what told the mutant from the original.
func causeOf(c execute.Cell, base execute.TestBaseline, counts execute.ExitComparison) matrix.Cause {
	switch c.Cause {
	case execute.CauseExit:
		if base.Cause != execute.CauseExit || statusDiffers(int(c.Status), base.Status, counts) {
			return matrix.Exit
		}
		return matrix.Output
	case execute.CauseSignal:
		if base.Cause == execute.CauseSignal && base.Status == int(c.Status) {
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

// faultTable compares the faulty with the fixed version.
func (r *recorder) faultTable(faulty, fixed []execute.TestBaseline) fault.Table {
	var out fault.Table
	for t, test := range r.c.Tests {
		if setAside(faulty, fixed, t) != "" {
			out = append(out, fault.Result{Test: test.Name, Verdict: matrix.Unknown, Cause: matrix.Flaky,
				Faulty: observed(faulty[t]), Fixed: observed(fixed[t]), Augmented: r.made.has(test.Name)})
			continue
		}
		result := fault.Judge(test.Name, []fault.Outcome{observed(faulty[t])}, []fault.Outcome{observed(fixed[t])})
		result.Augmented = r.made.has(test.Name)
		out = append(out, result)
	}
	return out
}

func observed(t execute.TestBaseline) fault.Outcome {
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

// manifest describes the run.
func (r *recorder) manifest(mutants int) (dataset.Manifest, error) {
	m := dataset.Manifest{
		Tool: r.opts.Tool, Program: r.c.Program, Problem: r.c.Problem, Fault: r.c.Fault, Seed: r.opts.Seed,
		Stages: r.stages,
		Inputs: map[string]string{},
		Counts: map[string]int64{
			"mutants": int64(mutants), "tests": int64(r.summary.Tests), "killed": int64(r.summary.Killed),
			"runs": int64(r.summary.Runs), "set_aside": int64(len(r.summary.SetAside)), "revealing": int64(r.summary.Revealing),
			"audited": int64(r.summary.Audited), "disagreed": int64(r.summary.Disagreed),
			"uninfected": int64(r.summary.Uninfected), "unprobed": int64(r.summary.Unprobed), "not_run": int64(r.summary.NotRun), "missed": int64(r.summary.Missed),
		},
		Options: r.executeOptions(),
	}
	r.made.count(m.Counts, r.c.Tests)
	sources, err := r.c.Sources()
	if err != nil {
		return m, err
	}
	maps.Copy(m.Inputs, sources)
	m.Inputs[project.TestsInput], err = project.Contents(r.all)
	return m, err
}

func (r *recorder) executeOptions() map[string]string {
	o := r.opts.Execute
	out := map[string]string{}
	set := func(name string, value any, zero bool) {
		if !zero {
			out[name] = fmt.Sprint(value)
		}
	}
	set("fuel_factor", o.FuelFactor, o.FuelFactor == 0)
	set("fuel_floor", o.FuelFloor, o.FuelFloor == 0)
	set("baseline_work", o.BaselineWork, o.BaselineWork == 0)
	set("stop_after_timeouts", o.StopAfterTimeouts, o.StopAfterTimeouts == 0)
	set("exit_comparison", o.Exit, o.Exit == execute.ExitStatus)
	set("output_comparison", o.Output, o.Output == execute.OutputTrimmed)
	set("shard", r.opts.Shard, r.opts.Shard.String() == "")
	set("only", r.opts.Only, r.opts.Only == nil)
	set(AugmentOption, r.opts.Augment, r.opts.Augment == 0)
	set("writable", o.Writable, !o.Writable)
	return out
}
