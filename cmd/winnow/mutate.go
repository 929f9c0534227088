package main

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/program/export"
)

// mutateOptions are the flags of winnow mutate.
type mutateOptions struct {
	sourceOptions
	Out     string
	Modules bool
	Patches bool
	NoBuild bool
	JSON    bool
}

// AddFlags declares the flags of winnow mutate.
func (o *mutateOptions) AddFlags(flags *pflag.FlagSet) {
	o.sourceOptions.AddFlags(flags)
	flags.StringVarP(&o.Out, "out", "o", "", "the folder to write, which must not exist")
	flags.BoolVar(&o.Modules, "write-modules", false, "write one module of IR a mutant")
	flags.BoolVar(&o.Patches, "write-patches", false, "write one patch of the C source a mutant")
	flags.BoolVar(&o.NoBuild, "no-build", false, "write what describes the mutants, but no meta-mutant and no other program")
	flags.BoolVar(&o.JSON, "json", false, "print the summary as JSON")
}

func newMutate() *cobra.Command {
	var opts mutateOptions
	cmd := &cobra.Command{
		Use:   "mutate INPUT... --out DIR [-- COMPILER FLAGS]",
		Short: "Make the mutants of C code and write them down, with the programs that contain them",
		Long: `Make the mutants of C code and write them down: a table, Mart's description of
them, the preprocessed modules, and the meta-mutant, one program that contains
all mutants and obeys the environment variable MART_SELECTED_MUTANT_ID
(docs/formats). An input is a .c file, a folder with compile_commands.json, or
LLVM IR of clang-14 (.ll, .bc). Flags for the compiler follow --.

Mutants that the optimiser shows to be equal to the original, or to an earlier
mutant, are left out, and written down apart with the reason.`,
		Example: "  winnow mutate examples/calendar/calendar.c --out mutants\n  winnow mutate src/parser.c --out mutants --functions parse_* --write-patches -- -Iinclude",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.take(cmd, args)
			return runMutate(cmd.Context(), opts, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Tool, exit.Output)
}

func runMutate(ctx context.Context, opts mutateOptions, stdout, stderr io.Writer) error {
	if opts.Out == "" {
		return exit.Usagef("say where the mutants go: --out FOLDER")
	}
	s, err := opts.open(ctx, stderr)
	if err != nil {
		return err
	}
	summary, err := export.Write(ctx, s.tools, s.inputs, opts.Out, export.Options{
		Load: s.LoadOptions, Modules: opts.Modules, Patches: opts.Patches, NoBuild: opts.NoBuild,
	})
	if err != nil {
		return err
	}
	if opts.JSON {
		return writeJSON(stdout, summary)
	}
	var text bytes.Buffer
	if err := summary.Write(&text); err != nil {
		return err
	}
	fmt.Fprintf(&text, "\nwritten to %s\n", opts.Out)
	return writeResult(stdout, text.Bytes())
}
