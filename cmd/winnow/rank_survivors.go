package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/report"
)

// recordTests runs a project's tests on its mutants, as winnow run does, into a folder of
// tables that lasts until remove is called. A budget that is up is no error: what was not
// decided is ranked with what survived.
func recordTests(ctx context.Context, opts *rankOptions, stderr io.Writer) (folder string, remove func(), err error) {
	if len(opts.Inputs) != 1 || len(opts.CompilerFlags) > 0 {
		return "", nil, exit.New(exit.Usage, errors.New("the tests that are run are those of one project"), "name one folder with winnow.toml, and no flags for the compiler")
	}
	work, err := scratch.New("rank")
	if err != nil {
		return "", nil, exit.New(exit.Output, err, "")
	}
	remove = func() { work.Remove() }
	var run runOptions
	run.AddFlags(pflag.NewFlagSet("run", pflag.ContinueOnError)) // the defaults
	run.Projects, run.Mutation, run.Budget, run.Workers, run.Seed = opts.Inputs, opts.Mutation, opts.Budget, opts.Workers, opts.Seed
	run.Output.Out, run.Mode = filepath.Join(work.Path, "run"), progress.Silent
	runs, err := run.record(ctx, stderr, progress.New(stderr, progress.Options{}))
	if err == nil && len(runs) != 1 {
		err = exit.New(exit.Usage, fmt.Errorf("%s has %d programs, and one is ranked at a time", opts.Inputs[0], len(runs)), "run them with winnow run, and rank the folders of the programs")
	}
	if len(runs) != 1 || err != nil && exit.Of(err) != exit.Timeout {
		remove()
		return "", nil, err
	}
	one := runs[0]
	fmt.Fprintf(stderr, "%s on %d mutants: %d killed, %d survive, %d not decided\n", report.Tests(one.Tests), one.Mutants, one.Killed, one.Survived, one.Unknown)
	return filepath.Join(run.Output.Out, one.Program), remove, nil
}
