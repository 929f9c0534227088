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
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
)

// proveOptions are the flags of winnow prove.
type proveOptions struct {
	Inputs []string
	// CompilerFlags are what follows --.
	CompilerFlags []string
	Entries       []string
	Mutation      mutationOptions
	All           bool
	JSON          bool
	Workers       int
	// Time bounds a function.
	Time time.Duration
}

// AddFlags declares the flags of winnow prove.
func (o *proveOptions) AddFlags(flags *pflag.FlagSet) {
	o.Mutation.AddFlags(flags)
	flags.StringArrayVar(&o.Entries, "entry", nil, "of a file with several entries in compile_commands.json, the one to take: FILE=N or FILE=OUTPUT")
	flags.BoolVar(&o.All, "all", false, "list also the mutants of which nothing is known")
	flags.BoolVar(&o.JSON, "json", false, "print all verdicts as JSON")
	flags.DurationVar(&o.Time, "function-time", 10*time.Second, "how long the mutants of a function may take together; those that are left are open. 0 is no bound, with which verdicts are the same on every machine")
	flags.IntVar(&o.Workers, "workers", 0, "functions looked at at the same time; 0 means one a CPU")
}

func newProve() *cobra.Command {
	var opts proveOptions
	cmd := &cobra.Command{
		Use:   "prove INPUT... [-- COMPILER FLAGS]",
		Short: "Say which mutants no test can kill, and why",
		Long: `Say which mutants of C code no test can kill, because they compute what the
original or another mutant computes, and why; nothing is run and no other solver is
needed. An input is a .c file, a folder with compile_commands.json, or LLVM IR of
clang-14 (.ll, .bc). Flags for the compiler follow --.

The optimiser is asked first, then every function is followed as formulas, from loop
to loop. Mutants that neither decides are open: nothing is said of them.`,
		Example: "  winnow prove examples/calendar/calendar.c\n  winnow prove src/parser.c --functions parse_* --json -- -Iinclude",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Inputs, opts.CompilerFlags = splitAtDash(cmd, args)
			return runProve(cmd.Context(), opts, cmd.OutOrStdout())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Tool)
}

func runProve(ctx context.Context, opts proveOptions, stdout io.Writer) error {
	if opts.Workers < 0 || opts.Time < 0 {
		return exit.Usagef("--workers and --function-time must not be negative")
	}
	mutation, err := opts.Mutation.resolve()
	if err != nil {
		return err
	}
	inputs, err := project.Inputs(opts.Inputs, opts.CompilerFlags, opts.Entries...)
	if err != nil {
		return err
	}
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	mutation.Further = []equiv.Stage{smt.Stage(smt.Options{Workers: opts.Workers, Time: opts.Time})}
	p, err := program.Load(ctx, tools, inputs, program.LoadOptions{Workers: opts.Workers, Name: programName(opts.Inputs), Mutation: mutation})
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
