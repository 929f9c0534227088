package main

import (
	"context"
	"io"

	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/importer"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// criteriaOptions are the flags that make an import add to what is recorded what the
// study of criteria reads.
type criteriaOptions struct{ Criteria bool }

// AddFlags declares the flags.
func (o *criteriaOptions) AddFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.Criteria, "criteria", false, "record no new fault: add to what is recorded in --out what winnow evaluate criteria reads, the branches that tests take and the mutants of the fixed versions. Give the other flags as they were")
}

// check refuses two things to do in place of recording.
func (o *criteriaOptions) check(renew *renewOptions) error {
	if o.Criteria && renew.Renew {
		return exit.Usagef("--criteria and --renew-features exclude each other: run one after the other")
	}
	return nil
}

// criteriaFunc adds to the history of one kind of import.
type criteriaFunc func(ctx context.Context, tools *clang.Toolchain, source, history string, opts importer.CriteriaOptions) (*importer.CriteriaSummary, error)

func (o *criteriaOptions) run(ctx context.Context, record criteriaFunc, source, history string, opts importer.CriteriaOptions, stdout io.Writer) error {
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	opts.Tool = buildVersion()
	summary, err := record(ctx, tools, source, history, opts)
	if err != nil {
		return err
	}
	return writeJSON(stdout, summary)
}
