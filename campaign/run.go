package campaign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report"
)

// RunOptions choose what Run records.
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
	// Say is told in words what is done and found, where that takes long: of projects that
	// their own build builds; nil is silent. Matrix runs all of their tests on every
	// mutant, not only until one kills it.
	Say    func(line string)
	Matrix bool
	// Most bounds the mutants of such projects (program.Mutation.Most), 0 not. With Grow and a
	// Budget, the run begins with few, and makes more while there is time. They run in the order
	// that Order says, which ranks all of a program; nil takes turns among the lines.
	Most int
	Grow bool
	// First is about how many mutants such a run begins with; 0 is what the time and the tests allow.
	First int
	// Prove, when set, looks for survivors that no test can kill: until then, or, where that is zero,
	// for a tenth of the budget at most.
	Prove *verdict.Proving
	Order Choice
}

// Run records the projects in the given folders, each in a run folder
// below out: out/program, or out/program/fault. out must not exist unless
// opts.Replace is set, and then hold nothing but run folders.
//
// Each program is recorded whole or not at all. One whose tests fail, or that
// does not compile, does not keep the others from being recorded: the runs
// recorded are returned together with the errors of the others, joined in the
// order of the projects. When nothing was recorded, out is as it was, but for
// what is finished of a run that was ended: opts.Resume goes on with it.
func Run(ctx context.Context, tools *clang.Toolchain, folders []string, out string, opts RunOptions) ([]*report.Run, error) {
	cases, err := project.CasesOf(folders, opts.Faults)
	if err != nil {
		return nil, err
	}
	place, err := newPlace(out, opts.Replace, opts.Resume)
	if err != nil {
		return nil, err
	}
	defer place.close()
	builder, remove, err := build.Temporary(ctx, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	if opts.Budget > 0 {
		opts.Record.Until = time.Now().Add(opts.Budget)
	}
	if opts.Prove != nil {
		prove := *opts.Prove
		if opts.Budget > 0 && prove.Until.IsZero() { // some of it is for that
			prove.Until, prove.Most, opts.Record.Until = opts.Record.Until, opts.Budget/10, opts.Record.Until.Add(-opts.Budget/10)
		}
		opts.Record.Prove = &prove
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

// runs are what Run has recorded so far, and what failed.
type runs struct {
	builder  *build.Builder
	opts     RunOptions
	recorded []*report.Run
	failed   []error
}

// record records a case, and its fixed version where that is asked for. It reports
// whether the next one is to be looked at.
func (rs *runs) record(ctx context.Context, c project.Case, dir, label string) (goOn bool) {
	run, goOn := rs.one(ctx, c, dir, label, rs.opts)
	if run == nil || run.NotRun > 0 || c.Fixed == nil || !rs.opts.FixedVersions {
		return goOn
	}
	m, err := dataset.ReadManifest(dir)
	if err != nil {
		rs.failed = append(rs.failed, err)
		return false
	}
	fixed, err := FixedCase(&c, &dataset.Run{Dir: dir, Manifest: m})
	if err != nil {
		rs.failed = append(rs.failed, err)
		return OfOneCase(err)
	}
	opts := rs.opts
	opts.Record.NoFeatures, opts.Record.Ages, opts.Record.Only = true, false, nil
	_, goOn = rs.one(ctx, *fixed, FixedFolder(dir), label+", fixed", opts)
	return goOn
}

// one records one case, or takes what an earlier run recorded of it; nil says that it
// failed.
func (rs *runs) one(ctx context.Context, c project.Case, dir, label string, opts RunOptions) (run *report.Run, goOn bool) {
	var err error
	opts.Record.Label, opts.Record.Progress, opts.Record.Say = label, filepath.Join(dir, ProgressFolder), opts.Say
	if c.Build != nil {
		return rs.built(ctx, c, dir)
	}
	if opts.Resume {
		run, err = Finished(dir, c, opts.Record)
	}
	if err == nil && run == nil {
		run, err = Record(ctx, rs.builder, c, dir, opts.Record)
	}
	if err != nil {
		rs.failed = append(rs.failed, err)
		if ctx.Err() != nil {
			rs.failed = []error{ctx.Err()} // what failed before is for the next time
		}
		return nil, OfOneCase(err) && ctx.Err() == nil
	}
	rs.recorded, rs.failed = append(rs.recorded, run), append(rs.failed, toolsFailed(run))
	if run.NotRun > 0 {
		rs.failed = append(rs.failed, timeout(fmt.Errorf("%s: %d of %d mutants were not run, for the time is up", c.Name(), run.NotRun, run.Mutants)))
	}
	return run, true
}

func (o *RunOptions) timeIsUp() bool {
	return !o.Record.Until.IsZero() && !time.Now().Before(o.Record.Until)
}

func timeout(err error) error {
	return exit.Mark(exit.Timeout, ErrTimeIsUp, err)
}

// OfOneCase reports whether a failure says nothing about the next case.
func OfOneCase(err error) bool {
	code := exit.Of(err)
	return code == exit.Input || code == exit.Baseline
}
