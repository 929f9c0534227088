package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/importer"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// pairsOptions are the flags of winnow import pairs.
type pairsOptions struct {
	Folder   string
	History  string
	Mutation mutationOptions
	Renew    renewOptions
	Criteria criteriaOptions
	NoProbe  bool
	Ages     bool
	Augment  int
	Limit    int
	Hard     bool
	MaxWork  int64
	Workers  int
	Seed     uint64
	Mode     progress.Mode
}

func newImportPairs() *cobra.Command {
	opts := pairsOptions{History: "pairs-history"}
	cmd := &cobra.Command{
		Use:   "pairs FOLDER",
		Short: "Record pairs of faulty and fixed programs of your own",
		Long: `Record pairs of faulty and fixed versions of programs: FOLDER has a folder for each
fault, with the C files in FAULT/faulty and FAULT/fixed, and NAME.in (and NAME.out) in
FAULT/tests, or all of them in FAULT/tests.txt; or a pairs.toml that describes them
(docs/projects.md). The faulty version is mutated, the fixed one is the oracle. What is
recorded already is kept; with --renew-features it gets the features that this winnow
computes, with --criteria what the study of criteria reads.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Folder = args[0]
			return runImportPairs(cmd.Context(), opts, cmd.OutOrStdout(), progress.New(cmd.ErrOrStderr(), progress.Options{Mode: opts.Mode}))
		},
	}
	flags := cmd.Flags()
	opts.Mutation.AddFlags(flags)
	opts.Renew.AddFlags(flags)
	opts.Criteria.AddFlags(flags)
	flags.StringVarP(&opts.History, "out", "o", opts.History, "the history to write, or to go on with")
	flags.BoolVar(&opts.Ages, "ages", false, "record how old lines are and how many commits changed them, from git; the record then depends on the repository")
	flags.BoolVar(&opts.NoProbe, "no-probe", false, "run every mutant that a test reaches, also where one run of the original shows that it cannot differ")
	flags.IntVar(&opts.Augment, "augment", 0, augmentUsage)
	flags.IntVar(&opts.Limit, "limit", 0, "stop after this many usable pairs; 0 means all")
	flags.BoolVar(&opts.Hard, "hard", false, "leave out faults that a quarter of their tests or more reveal, as of Codeflaws")
	flags.Int64Var(&opts.MaxWork, "max-work", 0, "set aside tests on which the faulty program runs more loop iterations and calls; 0 means none")
	flags.IntVar(&opts.Workers, "workers", 0, "programs run at the same time; 0 means one a CPU")
	flags.Uint64Var(&opts.Seed, "seed", 1, "seed of the run, written to its manifest")
	flags.Var(&opts.Mode, "progress", "how to show progress")
	return ends(cmd, exit.Input, exit.Tool, exit.Output)
}

func runImportPairs(ctx context.Context, opts pairsOptions, stdout io.Writer, display *progress.Display) error {
	if min(opts.Workers, opts.Augment, opts.Limit) < 0 || opts.MaxWork < 0 {
		return exit.Usagef("--workers, --augment, --limit and --max-work must not be negative")
	}
	if err := opts.Criteria.check(&opts.Renew); err != nil {
		return err
	}
	mutation, err := opts.Mutation.resolve()
	if err != nil {
		return err
	}
	if opts.Renew.Renew {
		renewing := renewal(mutation, opts.Workers, display)
		renewing.Ages = opts.Ages
		return opts.Renew.run(ctx, importer.RenewPairs, opts.Folder, opts.History, renewing, stdout)
	}
	if opts.Criteria.Criteria {
		return opts.Criteria.run(ctx, importer.CriteriaPairs, opts.Folder, opts.History, importer.CriteriaOptions{
			Workers: opts.Workers, Seed: opts.Seed, Mutation: mutation, Display: display}, stdout)
	}
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	summary, err := importer.Pairs(ctx, tools, opts.Folder, opts.History, importer.PairsOptions{Limit: opts.Limit, Hard: opts.Hard, Record: campaign.RecordOptions{
		Execute: execute.Options{Workers: opts.Workers, BaselineWork: opts.MaxWork}, NoProbe: opts.NoProbe, Augment: opts.Augment, Ages: opts.Ages, Mutation: mutation, Seed: opts.Seed, Tool: buildVersion(), Display: display}})
	if summary == nil {
		return err
	}
	return errors.Join(writeJSON(stdout, summary), err)
}

func newImportMart() *cobra.Command {
	var program string
	history := "mart-history"
	cmd := &cobra.Command{
		Use:   "mart FOLDER",
		Short: "Take over the mutants and matrices of Mart or Muteria",
		Long: `Write what Mart and Muteria say of a program as a run folder: FOLDER has
mutantsInfos.json, a matrix SM.dat or STRONG_MUTATION.csv of which test kills which
mutant, and perhaps WM.dat or WEAK_MUTATION.csv. There are no features in it.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			mutants, tests, err := importer.Mart(args[0], program, history, buildVersion())
			if err != nil {
				return err
			}
			return writeResult(cmd.OutOrStdout(), fmt.Appendf(nil, "%d mutants and %d tests are now in %s\n", mutants, tests, history))
		},
	}
	cmd.Flags().StringVarP(&history, "out", "o", history, "the history to add the run folder to")
	cmd.Flags().StringVar(&program, "program", "", "the program's name; default the folder's")
	return ends(cmd, exit.Input, exit.Output)
}
