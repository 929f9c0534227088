package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/agent"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/internal/progress"
)

// nextOptions are the flags of winnow next for a project that is run first.
type nextOptions struct {
	// State is the folder that keeps the run, and the tests and verdicts of the tester.
	State  string
	Budget time.Duration
	Mode   progress.Mode
	tests  string // the file of tests that kill something; "" for a run of winnow run
}

// AddFlags declares the flags.
func (o *nextOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.State, "state", "", "of a project: the folder that keeps the run, your tests and your verdicts, to go on with; default .winnow/next in the project's")
	flags.DurationVar(&o.Budget, "budget", defaultBudget, "of a project: run its tests no longer than this at first")
	flags.Var(&o.Mode, "progress", "how to show progress of the tests")
}

// record runs the tests of the project that the options of a session name, unless the state has a
// run of the same sources and tests, and has the session work on that run.
func (o *nextOptions) record(ctx context.Context, session *mcpOptions, stderr io.Writer) error {
	session.Project = session.Run
	if o.State == "" {
		o.State = filepath.Join(session.Project, output.State, "next")
	}
	if err := atomicfile.MakeFolder(o.State); err != nil {
		return exit.New(exit.System, err, "name another folder with --state")
	}
	// The folder is nobody's to commit.
	if err := atomicfile.Write(filepath.Join(o.State, ".gitignore"), []byte("*\n")); err != nil {
		return exit.New(exit.System, err, "name another folder with --state")
	}
	session.Run, o.tests = filepath.Join(o.State, "run"), filepath.Join(o.State, "tests.jsonl")
	var run runOptions
	run.AddFlags(pflag.NewFlagSet("run", pflag.ContinueOnError)) // the defaults
	run.Projects, run.Mutation.Operators, run.Budget = []string{session.Project}, session.Operators, o.Budget
	run.Output.Out, run.Resume, run.Mode = session.Run, true, o.Mode
	runs, err := run.record(ctx, stderr, progress.New(stderr, progress.Options{Mode: o.Mode}))
	if len(runs) == 1 && exit.Of(err) == exit.Timeout {
		return nil // what was decided is enough to go on with
	}
	return err
}

// try runs a new test on all mutants that live, and says what it killed; settled is whether the
// mutant that was shown is among them. What kills something is kept.
func (r *round) try(ctx context.Context, id string, test *agent.Test) (settled bool, err error) {
	r.tried++
	if test.Name == "" {
		test.Name = fmt.Sprintf("next-%s-%d", id, r.tried)
	}
	start := time.Now()
	tried, err := r.session.Try(ctx, test)
	if err != nil {
		return false, err
	}
	if r.keep != "" && len(tried.Killed) > 0 {
		if err := r.keepTest(test, tried.Killed); err != nil {
			return false, err
		}
	}
	settled = slices.Contains(tried.Killed, id)
	words := ""
	if settled {
		words = "killed: add the test to the project, so that it stays so; "
	}
	return settled, r.tell("tried", tried, fmt.Sprintf("%sit kills %d of the mutants that lived, and %d live (%.1f s)", words, len(tried.Killed), tried.Live, time.Since(start).Seconds()))
}

// keepTest writes a test down, and what it kills.
func (r *round) keepTest(test *agent.Test, killed []string) error {
	for _, id := range killed {
		if err := r.session.Killed(id, test.Name); err != nil {
			return err
		}
	}
	line, err := json.Marshal(test)
	if err != nil {
		return fmt.Errorf("writing the test: %w", err)
	}
	file, err := os.OpenFile(r.keep, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return exit.New(exit.System, err, "")
	}
	_, err = file.Write(append(line, '\n'))
	if err = errors.Join(err, file.Close()); err != nil {
		return exit.New(exit.System, err, "")
	}
	return nil
}
