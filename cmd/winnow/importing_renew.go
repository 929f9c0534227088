package main

import (
	"context"
	"io"

	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/importer"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
)

// renewOptions are the flags that make an import compute features again in place
// of recording.
type renewOptions struct {
	Renew     bool
	MaxUnmade float64
}

// AddFlags declares the flags.
func (o *renewOptions) AddFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.Renew, "renew-features", false, "record nothing: give what is recorded in --out the features of today, without running mutants. Give the --operators it was recorded with")
	flags.Float64Var(&o.MaxUnmade, "max-unmade", 0.1, "with --renew-features: leave faults as they are of which today's operators do not make more than this share of the mutants")
}

// renewFunc renews the history of one kind of import.
type renewFunc func(ctx context.Context, tools *clang.Toolchain, source, history string, opts importer.RenewOptions) (*importer.RenewSummary, error)

// run renews the features of a history made of a source.
func (o *renewOptions) run(ctx context.Context, renew renewFunc, source, history string, opts importer.RenewOptions, stdout io.Writer) error {
	if o.MaxUnmade < 0 || o.MaxUnmade > 1 {
		return exit.Usagef("--max-unmade must be from 0 to 1")
	}
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	opts.MaxUnmade, opts.Tool = o.MaxUnmade, buildVersion()
	summary, err := renew(ctx, tools, source, history, opts)
	if err != nil {
		return err
	}
	if err := writeJSON(stdout, summary); err != nil {
		return err
	}
	return summary.Err()
}

// renewal are the options of --renew-features that other flags decide.
func renewal(mutation program.Mutation, workers int, display *progress.Display) importer.RenewOptions {
	return importer.RenewOptions{Mutation: mutation, Workers: workers, Display: display}
}
