package main

import (
	"bytes"
	"context"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/project"
)

// proveOptions are the flags of winnow prove.
type proveOptions struct {
	sourceOptions
	All  bool
	JSON bool
	// Time bounds a function.
	Time time.Duration
	// Budget, of a project whose tests are run, bounds all; NoRun runs nothing. Tests is where the
	// tests are written that were made.
	Budget time.Duration
	NoRun  bool
	Tests  string
	Mode   progress.Mode
}

// AddFlags declares the flags of winnow prove.
func (o *proveOptions) AddFlags(flags *pflag.FlagSet) {
	o.sourceOptions.AddFlags(flags)
	flags.BoolVar(&o.All, "all", false, "list also the mutants of which nothing is known")
	flags.BoolVar(&o.JSON, "json", false, "print all verdicts as JSON")
	flags.DurationVar(&o.Budget, "budget", defaultBudget, "of a folder with winnow.toml: run its tests, and make others, no longer than this")
	flags.BoolVar(&o.NoRun, "no-run", false, "of a folder with winnow.toml: run nothing, and look at all mutants")
	flags.StringVar(&o.Tests, "tests", "", "write the tests that were made into this folder: NAME.in, and what the program prints as NAME.out")
	flags.Var(&o.Mode, "progress", "how to show progress of the tests")
	flags.DurationVar(&o.Time, "function-time", 10*time.Second, "how long the mutants of a function may take together; those that are left are open. 0 is no bound, with which verdicts are the same on every machine")
}

func newProve() *cobra.Command {
	var opts proveOptions
	cmd := &cobra.Command{
		Use:   "prove INPUT... [-- COMPILER FLAGS]",
		Short: "Say which mutants no test can kill, and why, and make tests that kill others",
		Long: `Say which mutants of C code no test can kill, because they compute what the
original or another mutant computes, and why; no other solver is needed. An input is a
.c file, a folder with compile_commands.json or winnow.toml, or LLVM IR of clang-14
(.ll, .bc). Flags for the compiler follow --.

The optimiser is asked first, then every function is followed as formulas, from loop
to loop. Mutants that neither decides are open: nothing is said of them.

Of a folder with winnow.toml whose project has tests, these are run first, and what is
said is said of the mutants that survive. Of the form that the tests' inputs have, others
are made and run, until each survivor is killed or the budget is over: few that together
kill what can be killed, on which the program runs clean under sanitizers.`,
		Example: "  winnow prove examples/calendar/calendar.c\n  winnow prove examples/calendar --tests more-tests\n  winnow prove src/parser.c --functions parse_* --json -- -Iinclude",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.take(cmd, args)
			return runProve(cmd.Context(), opts, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Baseline, exit.Input, exit.Tool, exit.Output)
}

func runProve(ctx context.Context, opts proveOptions, stdout, stderr io.Writer) error {
	if opts.Time < 0 {
		return exit.Usagef("--function-time must not be negative")
	}
	if opts.Budget <= 0 {
		return exit.Usagef("--budget must be above 0")
	}
	if !opts.NoRun {
		if c, err := opts.tested(); err != nil {
			return err
		} else if c != nil {
			return proveTested(ctx, opts, c, stdout, stderr)
		}
	}
	if opts.Tests != "" {
		return exit.Usagef("--tests needs a project with tests that are run: name a folder with %s, without --no-run", project.File)
	}
	s, err := opts.open()
	if err != nil {
		return err
	}
	s.Mutation.Further = []equiv.Stage{smt.Stage(smt.Options{Workers: opts.Workers, Time: opts.Time})}
	p, err := s.load(ctx)
	if err != nil {
		return err
	}
	if opts.JSON {
		return writeJSON(stdout, proofsOf(p))
	}
	var text bytes.Buffer
	writeProofs(&text, p, opts.All)
	return writeResult(stdout, text.Bytes())
}
