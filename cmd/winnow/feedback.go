package main

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// feedbackOptions are the flags of winnow feedback.
type feedbackOptions struct {
	Run, Mutant string
	KilledBy    string
	Equivalent  bool
	Worthless   bool
}

// AddFlags declares the flags of winnow feedback.
func (o *feedbackOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.KilledBy, "killed-by", "", "the test that kills the mutant: one of the run's, or the name of a new one")
	flags.BoolVar(&o.Equivalent, "equivalent", false, "no test can kill the mutant")
	flags.BoolVar(&o.Worthless, "worthless", false, "the mutant is not worth a test")
}

func newFeedback() *cobra.Command {
	var opts feedbackOptions
	cmd := &cobra.Command{
		Use:   "feedback RUN MUTANT",
		Short: "Record what a tester found out about a mutant",
		Long: `Record what a tester found out about a mutant, by its id: that a test kills it,
that it is equivalent, or that it is not worth a test. RUN is a run folder. The
line is added to feedback.jsonl there; the next winnow train on a history with
that folder learns from it. Of several lines on a mutant the last one holds.`,
		Example: "  winnow feedback history/calendar 1f0c2a --killed-by leap-day\n  winnow feedback history/calendar 77e0b3 --equivalent",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Run, opts.Mutant = args[0], args[1]
			return runFeedback(opts, cmd.OutOrStdout())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Output)
}

func runFeedback(opts feedbackOptions, stdout io.Writer) error {
	f := dataset.Feedback{Mutant: opts.Mutant, Test: opts.KilledBy, Time: time.Now().UTC().Truncate(time.Second)}
	said := 0
	for told, is := range map[dataset.Told]bool{
		dataset.ToldKilled: opts.KilledBy != "", dataset.ToldEquivalent: opts.Equivalent, dataset.ToldWorthless: opts.Worthless,
	} {
		if is {
			f.Told = told
			said++
		}
	}
	if said != 1 {
		return exit.Usagef("say one thing: --killed-by TEST, --equivalent or --worthless")
	}
	if err := knownMutant(opts.Run, opts.Mutant); err != nil {
		return exit.New(exit.Input, err, "winnow rank and winnow run print the ids")
	}
	if err := dataset.AppendFeedback(opts.Run, f); err != nil {
		return exit.New(exit.System, err, "")
	}
	return writeResult(stdout, fmt.Appendf(nil, "noted in %s: %s is %s\n", filepath.Join(opts.Run, dataset.FeedbackFile), f.Mutant, f.Told))
}

// knownMutant checks that the run folder has a mutant of that id.
func knownMutant(dir, id string) error {
	history, err := dataset.OpenHistory(dir)
	if err != nil {
		return err
	}
	if len(history.Runs) != 1 {
		return fmt.Errorf("%s holds %d run folders: name one", dir, len(history.Runs))
	}
	run, err := history.Runs[0].Load(dataset.MutantsFile)
	if err != nil {
		return err
	}
	ids, err := run.Mutants.Strings("id")
	if err != nil {
		return err
	}
	if !slices.Contains(ids, id) {
		return fmt.Errorf("%s has no mutant %s among its %d", dir, id, len(ids))
	}
	return nil
}
