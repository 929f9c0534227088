package pipeline

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/report"
)

// RunOptions choose what RunProjects records.
type RunOptions struct {
	// Faults records the faulty versions in place of the program itself;
	// FixedVersions the fixed ones beside them, on the same tests.
	Faults, FixedVersions bool
	// Replace allows run folders in the output folder to be replaced; Resume goes
	// on with them.
	Replace, Resume bool
	// Budget is how long all may take; 0 means any time.
	Budget time.Duration
	Record RecordOptions
}

// RunProjects records the projects in the given folders, each in a run folder
// below out: out/program, or out/program/fault. out must not exist unless
// opts.Replace is set, and then hold nothing but run folders.
//
// Each program is recorded whole or not at all. One whose tests fail, or that
// does not compile, does not keep the others from being recorded: the runs
// recorded are returned together with the errors of the others, joined in the
// order of the projects. When nothing was recorded, out is as it was, but for
// what is finished of a run that was ended: opts.Resume goes on with it.
func RunProjects(ctx context.Context, tools *clang.Toolchain, folders []string, out string, opts RunOptions) ([]*report.Run, error) {
	cases, err := casesOf(folders, opts.Faults)
	if err != nil {
		return nil, err
	}
	place, err := newPlace(out, opts.Replace, opts.Resume)
	if err != nil {
		return nil, err
	}
	defer place.discard()
	builder, remove, err := temporaryBuilder(ctx, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	if opts.Budget > 0 {
		opts.Record.Until = time.Now().Add(opts.Budget)
	}
	rs := &runs{builder: builder, opts: opts}
	for k, c := range cases {
		if opts.timeIsUp() {
			rs.failed = append(rs.failed, timeout(fmt.Errorf("%d of %d programs were not looked at, for the time is up", len(cases)-k, len(cases))))
			break
		}
		dir := filepath.Join(place.folder, c.Program, c.Fault)
		if goOn := rs.record(ctx, c, dir, fmt.Sprintf("%s (%d of %d)", c.Name(), k+1, len(cases))); !goOn {
			break
		}
	}
	if len(rs.recorded) > 0 {
		rs.failed = append(rs.failed, place.commit())
	}
	return rs.recorded, errors.Join(rs.failed...)
}

// runs are what RunProjects has recorded so far, and what failed.
type runs struct {
	builder  *Builder
	opts     RunOptions
	recorded []*report.Run
	failed   []error
}

// record records a case, and its fixed version where that is asked for. It reports
// whether the next one is to be looked at.
func (rs *runs) record(ctx context.Context, c Case, dir, label string) (goOn bool) {
	run, goOn := rs.one(ctx, c, dir, label, rs.opts)
	if run == nil || run.NotRun > 0 || c.Fixed == nil || !rs.opts.FixedVersions {
		return goOn
	}
	m, err := dataset.ReadManifest(dir)
	if err != nil {
		rs.failed = append(rs.failed, err)
		return false
	}
	fixed, err := fixedCase(&c, &dataset.Run{Dir: dir, Manifest: m})
	if err != nil {
		rs.failed = append(rs.failed, err)
		return ofItsOwn(err)
	}
	opts := rs.opts
	opts.Record.NoFeatures, opts.Record.Ages, opts.Record.Only = true, false, nil
	_, goOn = rs.one(ctx, *fixed, fixedFolder(dir), label+", fixed", opts)
	return goOn
}

// one records one case, or takes what an earlier run recorded of it; nil says that it
// failed.
func (rs *runs) one(ctx context.Context, c Case, dir, label string, opts RunOptions) (run *report.Run, goOn bool) {
	opts.Record.Label, opts.Record.Progress = label, filepath.Join(dir, progressFolder)
	run, err := finished(dir, c, opts)
	if err == nil && run == nil {
		run, err = Record(ctx, rs.builder, c, dir, opts.Record)
	}
	if err != nil {
		rs.failed = append(rs.failed, err)
		if ctx.Err() != nil {
			rs.failed = []error{ctx.Err()} // what failed before is for the next time
		}
		return nil, ofItsOwn(err) && ctx.Err() == nil
	}
	rs.recorded = append(rs.recorded, run)
	if run.NotRun > 0 {
		rs.failed = append(rs.failed, timeout(fmt.Errorf("%s: %d of %d mutants were not run, for the time is up", c.Name(), run.NotRun, run.Mutants)))
	}
	return run, true
}

func (o *RunOptions) timeIsUp() bool {
	return !o.Record.Until.IsZero() && !time.Now().Before(o.Record.Until)
}

func timeout(err error) error {
	return exit.New(exit.Timeout, err, "go on with --resume")
}

// finished returns what an earlier run recorded of a case, nil when there is
// nothing, or not all, or it is not of the same sources and options.
func finished(dir string, c Case, opts RunOptions) (*report.Run, error) {
	m, err := dataset.ReadManifest(dir)
	if !opts.Resume || errors.Is(err, dataset.ErrUnfinished) || exists(filepath.Join(dir, progressFolder)) {
		return nil, nil
	}
	if err != nil {
		return nil, exit.New(exit.Input, err, "remove the folder, and it is recorded again")
	}
	record := opts.Record
	record.Execute = c.Behaviour.options(record.Execute)
	now, err := (&recorder{c: c, opts: record, all: c.Tests}).manifest(0)
	if err != nil || m.Tool != now.Tool || !maps.Equal(m.Inputs, now.Inputs) || !maps.Equal(m.Options, now.Options) {
		return nil, err
	}
	s, err := (&dataset.Run{Dir: dir, Manifest: m}).Load(dataset.KillsFile)
	if err != nil {
		return nil, exit.New(exit.Input, err, "remove the folder, and it is recorded again")
	}
	count := func(name string) int { return int(m.Counts[name]) }
	run := &report.Run{Program: c.Program, Fault: c.Fault, Mutants: count("mutants"), Tests: count("tests"), Killed: count("killed"),
		Runs: count("runs"), Revealing: count("revealing"), Audited: count("audited"), Disagreed: count("disagreed"),
		Uninfected: count("uninfected"), Missed: count("missed"), Unprobed: count("unprobed"), Causes: map[string]int{}, SetAside: c.Twins}
	for i := range s.Kills.Mutants() {
		if s.Kills.Verdict(i) == matrix.Survived {
			run.Survived++
		}
	}
	run.Unknown = run.Mutants - run.Killed - run.Survived
	return run, nil
}

// ofItsOwn reports whether a program's failure says nothing about the next one.
func ofItsOwn(err error) bool {
	code := exit.Of(err)
	return code == exit.Input || code == exit.Baseline
}

// casesOf lists what all projects have to record.
func casesOf(folders []string, faults bool) ([]Case, error) {
	var cases []Case
	from := map[string]string{}
	for _, folder := range folders {
		p, err := OpenProject(folder)
		if err != nil {
			return nil, err
		}
		if other, taken := from[p.Program]; taken {
			return nil, exit.New(exit.Input, fmt.Errorf("%s and %s are both named %q, so that one would replace the other's record", other, folder, p.Program),
				"give each program a name of its own in "+ProjectFile)
		}
		from[p.Program] = folder
		fromProject, err := p.Cases(faults)
		if err != nil {
			return nil, err
		}
		cases = append(cases, fromProject...)
	}
	return cases, nil
}

// Cases are what a project has to record: itself, or its faulty versions.
func (p *Project) Cases(faults bool) ([]Case, error) {
	tests, expected, err := p.LoadTests()
	if err != nil {
		return nil, err
	}
	tests, expected, same, err := withoutTwins(tests, expected)
	if err != nil {
		return nil, err
	}
	plain := Case{Program: p.Program, Folder: p.Folder, Inputs: p.Inputs(nil), Tests: tests, Expected: expected,
		Twins: same, Behaviour: p.behaviour()}
	if !faults {
		return []Case{plain}, nil
	}
	if len(p.Faults) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s names no faulty version", filepath.Join(p.Folder, ProjectFile)),
			"add one with [[faults]], or run the program itself without --faults")
	}
	var out []Case
	for i := range p.Faults {
		f := &p.Faults[i]
		c := plain
		c.Problem, c.Fault, c.Inputs, c.Fixed = p.Program, f.Name, p.Inputs(f), p.Inputs(nil)
		out = append(out, c)
	}
	return out, nil
}
