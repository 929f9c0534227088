package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/equiv/bmc"
	"github.com/winnow-mutants/winnow/equiv/constraint"
	"github.com/winnow-mutants/winnow/equiv/smt"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/symbolic/assume"
	"github.com/winnow-mutants/winnow/symbolic/decide"
	"github.com/winnow-mutants/winnow/symbolic/execute"
	"github.com/winnow-mutants/winnow/symbolic/smtlib"
)

// proveOptions are the flags of winnow prove.
type proveOptions struct {
	sourceOptions
	All  bool
	JSON bool
	// Time bounds a function.
	Time time.Duration
	// Solver names another solver to ask; Certificates is a folder for the questions that were
	// answered.
	Solver, Certificates string
	// Assume is a file of what is taken for granted.
	Assume string
	// Rounds is how many rounds of loops are followed from a function's beginning.
	Rounds int
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
	flags.IntVar(&o.Rounds, "rounds", bmc.Rounds, "follow what is open from the beginning of its function through so many rounds of loops, to find a call or an input that tells it; 0 is not at all")
	flags.StringVar(&o.Assume, "assume", "", "take for granted what this file says of functions' arguments and of variables at lines: \"FUNCTION: CONDITION\" or \"FILE:LINE: CONDITION\" in C, one a line; verdicts that rest on it say so")
	flags.StringVar(&o.Solver, "solver", "", "ask cvc5 or z3, or one of these at a path, what is open otherwise; a second a question")
	flags.StringVar(&o.Certificates, "certificates", "", "write into this folder, for each equivalent mutant, the questions that were answered, for other solvers to check (SMT-LIB), and proofs (DRAT)")
	flags.Var(&o.Mode, "progress", "how to show progress of the tests")
	flags.DurationVar(&o.Time, "function-time", 10*time.Second, "how long the mutants of a function may take together; those that are left are open. 0 is no bound, with which verdicts are the same on every machine")
}

// solverTime is how long another solver may take for a question.
const solverTime = time.Second

// checkSolver refuses a solver that is not there, or that answers wrongly what is known.
func (o *proveOptions) checkSolver(ctx context.Context) error {
	if o.Solver == "" {
		return nil
	}
	solver, err := smtlib.NewSolver(o.Solver, 10*solverTime)
	if errors.Is(err, smtlib.ErrUnknownSolver) {
		return exit.Usagef("--solver %w", err)
	}
	if err != nil {
		return exit.New(exit.Tool, err, "on Debian or Ubuntu: sudo apt-get install "+filepath.Base(o.Solver))
	}
	defer solver.Close()
	if err := solver.Check(ctx); err != nil {
		return exit.New(exit.Tool, err, "")
	}
	return nil
}

// last asks the solver after the embedded decider; nil without one.
func (o *proveOptions) last() func(decide.Decider) (decide.Decider, func()) {
	if o.Solver == "" {
		return nil
	}
	return func(embedded decide.Decider) (decide.Decider, func()) {
		solver, err := smtlib.NewSolver(o.Solver, solverTime)
		if err != nil { // it was there a moment ago
			return embedded, func() {}
		}
		return decide.Other(embedded, solver, filepath.Base(o.Solver)), solver.Close
	}
}

// assumptions reads the file of --assume.
func (o *proveOptions) assumptions() ([]assume.Assumption, error) {
	if o.Assume == "" {
		return nil, nil
	}
	text, err := os.ReadFile(o.Assume)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	out, err := assume.Parse(text)
	if err != nil {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: %w", o.Assume, err), "conditions are as in C, of integers, without calls and memory")
	}
	return out, nil
}

func newProve() *cobra.Command {
	var opts proveOptions
	cmd := &cobra.Command{
		Use:   "prove INPUT... [-- COMPILER FLAGS]",
		Short: "Say which mutants no test can kill, and why, and make tests that kill others",
		Long: `Say which mutants of C code no test can kill, because they compute what the original or
another mutant computes, and why; no other solver is needed (--solver asks one). An
input is a .c file, a folder with compile_commands.json or winnow.toml, or LLVM IR of
clang-14 (.ll, .bc). Flags for the compiler follow --.

The optimiser is asked first, then every function is followed as formulas, from loop
to loop. Mutants that neither decides are open: nothing is said of them.

Of a folder with winnow.toml whose project has tests, these are run first, and what is
said is said of the mutants that survive. Of the form that the tests' inputs have, others
are made and run, until each survivor is killed or the budget is over: few that together
kill what can be killed, on which the program runs clean under sanitizers.`,
		Example: "  winnow prove examples/calendar/calendar.c\n  winnow prove examples/calendar --tests more-tests\n  winnow prove src/parser.c --functions parse_* --certificates proofs -- -Iinclude",
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
	if opts.Rounds < 0 {
		return exit.Usagef("--rounds must not be negative")
	}
	if opts.Budget <= 0 {
		return exit.Usagef("--budget must be above 0")
	}
	if !opts.NoRun {
		if c, err := opts.tested(); err != nil {
			return err
		} else if c != nil {
			if opts.Solver != "" || opts.Certificates != "" || opts.Assume != "" {
				return exit.Usagef("--solver, --certificates and --assume are for mutants that are not run: add --no-run")
			}
			return proveTested(ctx, opts, c, stdout, stderr)
		}
	}
	if opts.Tests != "" {
		return exit.Usagef("--tests needs a project with tests that are run: name a folder with %s, without --no-run", project.File)
	}
	s, err := opts.open(ctx, stderr)
	if err != nil {
		return err
	}
	s.display = progress.New(stderr, progress.Options{Mode: opts.Mode})
	assumed, err := opts.assumptions()
	if err != nil {
		return err
	}
	stage := smt.Options{Workers: opts.Workers, Time: opts.Time, Last: opts.last(), Assumed: assumed}
	if err := opts.checkSolver(ctx); err != nil {
		return err
	}
	var written *certificates
	if opts.Certificates != "" {
		if written, err = newCertificates(ctx, opts.Certificates); err != nil {
			return err
		}
		stage.Proved = written.add
	}
	if len(assumed) > 0 {
		s.Mutation.Further = append(s.Mutation.Further, constraint.Stage(opts.Workers, assumed))
	}
	p, err := s.load(ctx)
	if err != nil {
		return assumedWrongly(err)
	}
	all := p.Proofs()
	running := s.display.During("running mutants on inputs that are drawn")
	told, err := tell(ctx, p, all, opts.Time, len(assumed) == 0)
	running()
	if err != nil {
		return err
	}
	p.Stages = append(p.Stages, told)
	stages := []equiv.Stage{smt.Stage(stage)}
	if opts.Rounds > 0 {
		stages = append(stages, bmc.Stage(bmc.Options{Workers: opts.Workers, Rounds: opts.Rounds, Time: opts.Time, Assumed: assumed}))
	}
	proving := s.display.During("asking what formulas say of the others")
	err = proveOpen(ctx, p, all, s.tools, program.Proving{Mutation: s.Mutation, Stages: stages})
	proving()
	if err != nil {
		return assumedWrongly(err)
	}
	if written != nil {
		if err := written.close(stderr); err != nil {
			return err
		}
	}
	warn(stderr, p.Warnings...)
	if opts.JSON {
		return writeJSON(stdout, proofsOf(p, all))
	}
	var text bytes.Buffer
	writeProofs(&text, p, all, opts.All)
	return writeResult(stdout, text.Bytes())
}

// assumedWrongly says what to do about an assumption that names what is not there; other errors stay as they are.
func assumedWrongly(err error) error {
	if errors.Is(err, execute.ErrAssumption) {
		return exit.New(exit.Input, err, "name parameters of the function, arrays that it reads, or variables that the line's function has")
	}
	return err
}
