package main

import (
	"context"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/rank"
	"github.com/winnow-mutants/winnow/report"
)

// suiteRun is a run of a project's tests on its mutants, made to be ranked by.
type suiteRun struct {
	*report.Run // nil where nothing was run
	folder      string
	taken       time.Duration
	remove      func()
	// of is the project, if winnow builds it, and tests are its own.
	of    *sourceOptions
	tests []execute.Test
}

// defaultBudget is how long tests run where nothing is said: who asks for an order waits.
const defaultBudget = 2 * time.Minute

// runFirst runs the tests of the input, where it is a project that has some, and has what they
// told ranked in its place.
func runFirst(ctx context.Context, opts *rankOptions, how *rank.Options, stderr io.Writer) (*suiteRun, error) {
	out := &suiteRun{remove: func() {}}
	tested, err := opts.runsTests(how)
	if err != nil || tested == nil {
		return out, err
	}
	if opts.Budget == 0 {
		opts.Budget = defaultBudget
	}
	run := opts.suite(opts.Mode)
	run.Budget, run.Seed = opts.Budget, opts.Seed
	if out, err = recordTests(ctx, run, stderr); err != nil {
		if exit.Of(err) == exit.Baseline && exit.HintOf(err) == "" {
			err = exit.New(exit.Baseline, err, "mend the tests, or rank without them: --no-run")
		}
		return nil, err
	}
	of := opts.sourceOptions
	out.of, out.tests = &of, tested.Tests
	opts.Inputs, opts.choosesMutants, how.Budget = []string{out.folder}, false, 0
	return out, nil
}

// runsTests is the project whose tests are to be run, if the input is one: not for a model that
// reads what they make of the original, of which a run notes too little.
func (o *rankOptions) runsTests(how *rank.Options) (*project.Case, error) {
	if o.NoRun {
		return nil, nil
	}
	if how.Model != nil {
		if _, dynamic, err := experiment.SplitColumns(how.Model.Card.Features); err != nil || len(dynamic) > 0 {
			return nil, err
		}
	}
	return o.tested()
}

// tested is the project that is the only input, if it has tests; nil where the input is something
// else.
func (o *sourceOptions) tested() (*project.Case, error) {
	if len(o.Inputs) != 1 || len(o.CompilerFlags)+len(o.Entries) > 0 || !paths.Exist(filepath.Join(o.Inputs[0], project.File)) || rank.HasTables(o.Inputs[0]) {
		return nil, nil
	}
	cases, err := project.CasesOf(o.Inputs, false)
	if err != nil || len(cases) != 1 || cases[0].Build == nil && len(cases[0].Tests) == 0 {
		return nil, err
	}
	return &cases[0], nil
}

// suite are the options of winnow run by which the tests of the input are run.
func (o *sourceOptions) suite(mode progress.Mode) *runOptions {
	var run runOptions
	run.AddFlags(pflag.NewFlagSet("run", pflag.ContinueOnError)) // the defaults
	run.Projects, run.Mutation, run.Workers, run.Mode = o.Inputs, o.Mutation, o.Workers, mode
	return &run
}

// recordTests runs a project's tests on its mutants, as winnow run does, into a folder of
// tables that lasts until it is removed. A budget that is up is no error: what was not
// decided is counted.
func recordTests(ctx context.Context, run *runOptions, stderr io.Writer) (*suiteRun, error) {
	work, err := scratch.New("suite")
	if err != nil {
		return nil, exit.New(exit.System, err, "")
	}
	out := &suiteRun{remove: func() { work.Remove() }}
	run.Output.Out = filepath.Join(work.Path, "run")
	start := time.Now()
	runs, err := run.record(ctx, stderr, progress.New(stderr, progress.Options{Mode: run.Mode}))
	out.taken = time.Since(start)
	if len(runs) != 1 || err != nil && exit.Of(err) != exit.Timeout {
		out.remove()
		return nil, err
	}
	out.Run, out.folder = runs[0], filepath.Join(run.Output.Out, runs[0].Program)
	return out, nil
}

// tell adds to a ranking what the tables do not say.
func (s *suiteRun) tell(ranking *report.Ranking) {
	if s.Run == nil {
		return
	}
	if ranking.Suite != nil {
		ranking.Suite.Seconds = s.taken.Seconds()
	}
	ranking.Skipped = s.Skipped
	ranking.Notes = append(ranking.Notes, report.NotUsed(s.SetAside)...)
}
