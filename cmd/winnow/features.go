package main

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/program"
)

// featuresOptions are the flags of winnow features.
type featuresOptions struct {
	sourceOptions
	// Explain is the id of a mutant to describe in place of writing a table.
	Explain string
	// Group names the columns, as features.Columns reads it.
	Group  string
	Output outputOptions
}

// AddFlags declares the flags of winnow features.
func (o *featuresOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.Explain, "explain", "", "print the features of the mutant with this id, by family")
	flags.StringVar(&o.Group, "group", "static+shown", "groups and families of features, added with + and taken away with -: static, farm, farm+infection, static-syntax")
	o.sourceOptions.AddFlags(flags)
	o.Output.AddFlags(flags)
}

func newFeatures() *cobra.Command {
	var opts featuresOptions
	cmd := &cobra.Command{
		Use:   "features INPUT... --out FILE.parquet [-- COMPILER FLAGS]",
		Short: "Write what is known of each mutant without running it",
		Long: `Write what is known of each mutant without running it: one row a mutant, one
column a feature (docs/features.md). With --explain, print one mutant's features
and what each means. An input is a .c file, a folder with compile_commands.json,
or LLVM IR of clang-14 (.ll, .bc). Flags for the compiler follow --.`,
		Example: "  winnow features examples/calendar/calendar.c --out features.parquet\n  winnow features examples/calendar/calendar.c --group farm --out farm.parquet",
		Args:    cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.take(cmd, args)
			return runFeatures(cmd.Context(), opts, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Tool, exit.Output)
}

func runFeatures(ctx context.Context, opts featuresOptions, stdout, stderr io.Writer) error {
	if (opts.Output.Out == "") == (opts.Explain == "") {
		return exit.Usagef("say where the table goes with --out FILE.parquet, or which mutant to describe with --explain ID")
	}
	columns, err := features.Columns(opts.Group)
	if err != nil {
		return exit.New(exit.Usage, err, "")
	}
	if err := opts.Output.checkFile(); err != nil {
		return err
	}
	s, err := opts.open(ctx, stderr)
	if err != nil {
		return err
	}
	s.Ages = true
	p, err := s.load(ctx)
	if err != nil {
		return err
	}
	if opts.Explain != "" {
		explanation, err := program.ExplainFeatures(p, opts.Explain)
		if err != nil {
			return err
		}
		warn(stderr, p.Warnings...)
		var text bytes.Buffer
		if err := explanation.WriteText(&text); err != nil {
			return err
		}
		return writeResult(stdout, text.Bytes())
	}
	rows, err := program.WriteFeatures(p, opts.Output.Out, columns)
	if err != nil {
		return err
	}
	warn(stderr, p.Warnings...)
	return writeResult(stdout, fmt.Appendf(nil, "%d mutants, %d features in %s\n", rows, len(columns), opts.Output.Out))
}
