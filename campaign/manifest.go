package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"time"

	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/coverage"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report"
)

// identity is what tells a run from another one: the tool, the sources and tests, and the
// options that a verdict depends on.
type identity struct {
	tool            string
	inputs, options map[string]string
}

func identityOf(c *project.Case, opts *RecordOptions) (*identity, error) {
	inputs, err := c.Sources()
	if err != nil {
		return nil, err
	}
	if inputs[project.TestsInput], err = project.Contents(c.Tests); err != nil {
		return nil, err
	}
	return &identity{opts.Tool, inputs, optionsOf(c.Behaviour.Options(opts.Execute), opts)}, nil
}

// of reports whether a run folder's manifest is of the same run.
func (id *identity) of(m dataset.Manifest) bool {
	return m.Tool == id.tool && maps.Equal(m.Inputs, id.inputs) && maps.Equal(m.Options, id.options)
}

// optionsOf are the options as a manifest has them: those that are not as they are by
// themselves.
func optionsOf(o execute.Options, opts *RecordOptions) map[string]string {
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
	set("shard", opts.Shard, opts.Shard.String() == "")
	set("only", opts.Only, opts.Only == nil)
	set(AugmentOption, opts.Augment, opts.Augment == 0)
	set("writable", o.Writable, !o.Writable)
	set("criteria", opts.Criteria.Names(), opts.Criteria == nil)
	return out
}

// record is all that the stages found out about a case.
type record struct {
	*mutated
	features *table.Table // nil with NoFeatures
	base     *baseline
	sides    *cover.Matrix // nil with NoBranches
	probed   *probed       // nil with NoProbe
	killed   *killed
	criteria *coverage.Measured
}

// write makes the tables of a record and writes the run folder.
func (r *recording) write(ctx context.Context, dir string, rec *record) (*report.Run, error) {
	runs := &verdict.Runs{Tests: namesOf(rec.base.tests), Original: rec.base.original.Tests, Result: rec.killed.Result, Exit: r.bench.execute.Exit}
	for i := range rec.chosen {
		runs.Mutants = append(runs.Mutants, rec.chosen[i].ID)
	}
	s := &dataset.Subject{Features: rec.features, Branches: rec.sides, Criteria: rec.criteria.Matrices, Faults: r.c.Judged}
	var err error
	if s.Kills, err = verdict.Kills(runs); err != nil {
		return nil, err
	}
	start := time.Now()
	done := r.during("looking closer at the survivors")
	defer done()
	if s.Proofs, err = r.opts.Prove.Prove(ctx, r.builder.Tools, rec.program, r.opts.Mutation, s.Kills, rec.base.tests); err != nil {
		return nil, err
	}
	r.done("prove", start)
	var revealing fault.Table
	if rec.base.fixed != nil {
		revealing = rec.base.faults(rec.base.original.Tests)
	}
	if s.Faults == nil {
		s.Faults = revealing
	}
	var diffs map[string]string
	if r.opts.Readable {
		missed := s.Kills.Missed()
		if diffs, err = rec.program.Diffs(r.c.Folder, func(id string) bool { return missed[id] }); err != nil {
			return nil, err
		}
	}
	if s.Mutants, err = program.MutantTable(rec.all, r.c.Folder, diffs); err != nil {
		return nil, err
	}
	if r.opts.Counts && rec.probed != nil {
		if s.Probe, err = rec.probed.table(); err != nil {
			return nil, err
		}
	}
	if r.opts.Readable {
		reading, err := rec.program.Reading(r.c.Folder)
		if err != nil {
			return nil, err
		}
		s.Sources, s.Edits, s.Removed = reading.Sources, reading.Edits, reading.Removed
	}
	summary := r.summary(rec, runs, s.Kills)
	summary.Prove(len(s.Proved()))
	summary.Revealing = revealing.Revealing().Count()
	if revealing != nil && summary.Revealing == 0 {
		summary.Warnings = append(summary.Warnings, "no test reveals the fault, so that nothing can be learnt from it: add one, or take it out of winnow.toml")
	}
	if s.Manifest, err = r.manifest(rec, summary, revealing); err != nil {
		return nil, err
	}
	if err := rec.base.made.keep(dir, rec.base.tests); err != nil {
		return nil, err
	}
	if err := errors.Join(dataset.WriteSubject(dir, s), report.WriteMissed(dir, s)); err != nil {
		return nil, err
	}
	summary.CriteriaFailed = rec.criteria.Failed
	// Of what is to be gone on with, the parts stay.
	if summary.NotRun == 0 && len(summary.CriteriaFailed) == 0 && r.opts.Progress != "" {
		if err := os.RemoveAll(r.opts.Progress); err != nil {
			return nil, fmt.Errorf("removing the parts of a finished run: %w", err)
		}
	}
	return summary, nil
}

// summary counts what the runs gave.
func (r *recording) summary(rec *record, runs *verdict.Runs, kills *kill.Matrix) *report.Run {
	result := rec.killed.Result
	out := &report.Run{Program: r.c.Program, Fault: r.c.Fault, Mutants: len(rec.chosen), Tests: len(rec.base.tests),
		SetAside: rec.base.aside, Skipped: rec.program.Skipped(), Warnings: rec.program.Warnings, NotRun: rec.killed.notRun, Causes: verdict.Causes(runs), Runs: result.Runs,
		Audited: result.Audit.Checked, Disagreed: len(result.Audit.Disagreements), Missed: len(result.Audit.Missed),
		Sandbox: rec.killed.sandbox, HandedOn: result.HandedOn}
	for i := range rec.chosen {
		switch kills.Verdict(i) {
		case matrix.Killed:
			out.Killed++
		case matrix.Survived:
			out.Survived++
		default:
			out.Unknown++
		}
		out.Uninfected += result.Reached[i].Count() - result.Infected[i].Count()
	}
	for _, f := range result.Failures {
		out.NoteFailure(f.Reason)
	}
	if rec.probed != nil {
		out.Unprobed = rec.probed.unprobed()
	}
	return out
}

// manifest describes the run.
func (r *recording) manifest(rec *record, sum *report.Run, revealing fault.Table) (dataset.Manifest, error) {
	id, err := identityOf(r.c, &r.opts)
	if err != nil {
		return dataset.Manifest{}, err
	}
	m := dataset.Manifest{
		Tool: id.tool, Program: r.c.Program, Problem: r.c.Problem, Fault: r.c.Fault, Seed: r.opts.Seed,
		Stages: r.stages, Inputs: id.inputs, Options: id.options,
		Counts: map[string]int64{
			"mutants": int64(sum.Mutants), "tests": int64(sum.Tests), "killed": int64(sum.Killed),
			"runs": int64(sum.Runs), "set_aside": int64(len(sum.SetAside)), "revealing": int64(sum.Revealing),
			"audited": int64(sum.Audited), "disagreed": int64(sum.Disagreed),
			"uninfected": int64(sum.Uninfected), "unprobed": int64(sum.Unprobed), "not_run": int64(sum.NotRun), "missed": int64(sum.Missed),
			"generated": int64(rec.program.Generated),
		},
	}
	rec.base.made.count(m.Counts, rec.base.tests, revealing)
	for _, f := range r.c.Judged { // so that --pool original leaves out the same tests
		if f.Augmented {
			m.Counts[dataset.AugmentedCount]++
		}
	}
	for _, kind := range equiv.LeftOut() {
		m.Counts[kind.String()] = int64(rec.program.Count(kind))
	}
	return m, nil
}
