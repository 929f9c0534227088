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
)

// proveOptions are the flags of winnow prove.
type proveOptions struct {
	sourceOptions
	All  bool
	JSON bool
	// Time bounds a function.
	Time time.Duration
}

// AddFlags declares the flags of winnow prove.
func (o *proveOptions) AddFlags(flags *pflag.FlagSet) {
	o.sourceOptions.AddFlags(flags)
	flags.BoolVar(&o.All, "all", false, "list also the mutants of which nothing is known")
	flags.BoolVar(&o.JSON, "json", false, "print all verdicts as JSON")
	flags.DurationVar(&o.Time, "function-time", 10*time.Second, "how long the mutants of a function may take together; those that are left are open. 0 is no bound, with which verdicts are the same on every machine")
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
			opts.take(cmd, args)
			return runProve(cmd.Context(), opts, cmd.OutOrStdout())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Tool)
}

func runProve(ctx context.Context, opts proveOptions, stdout io.Writer) error {
	if opts.Time < 0 {
		return exit.Usagef("--function-time must not be negative")
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
