package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/models"
)

// trainOptions are the flags of winnow train.
type trainOptions struct {
	History   string
	Name      string
	Version   string
	Data      string
	CreatedBy string
	// Details prints every figure after the summary.
	Details bool
	JSON    bool
	Learn   learnOptions
	Output  outputOptions
}

// AddFlags declares the flags of winnow train.
func (o *trainOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.Name, "name", "my-model", "the model's name on its card")
	flags.StringVar(&o.Version, "version", "1", "the model's version on its card")
	flags.StringVar(&o.Data, "data", "", "a sentence on the data for the card")
	flags.StringVar(&o.CreatedBy, "created-by", "", "the command that repeats the training, for the card; default this one")
	flags.BoolVar(&o.Details, "details", false, "print every measure after the summary")
	flags.BoolVar(&o.JSON, "json", false, "print how good the model is as JSON")
	o.Learn.AddFlags(flags)
	o.Output.AddFlags(flags)
}

func newTrain() *cobra.Command {
	var opts trainOptions
	cmd := &cobra.Command{
		Use:   "train HISTORY --out MODEL",
		Short: "Train a model on a recorded history of kills and faults",
		Long: `Train a model on a recorded history of kills and faults (winnow run --faults,
winnow import). Its parts say how probable it is that a mutant reveals a fault and
that it is killable; two more, which the order winnow rests on where faults are known,
that it is if the first tests have not killed it, and what analysing it is worth. The
card says how good the first two are on programs that they were not trained on, by
cross-validation grouped by problem.`,
		Example: "  winnow run --faults --out history examples/*/\n  winnow train history --out my-model",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.History = args[0]
			return runTrain(cmd.Context(), opts, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Output)
}

func runTrain(ctx context.Context, opts trainOptions, stdout, stderr io.Writer) error {
	if opts.Output.Out == "" {
		return exit.Usagef("say where the model goes: --out FOLDER")
	}
	if err := opts.Output.checkModel(); err != nil {
		return err
	}
	release, err := hold(opts.Output.Out)
	if err != nil {
		return err
	}
	defer release()
	boundGarbage()
	options, err := opts.Learn.resolve()
	if err != nil {
		return err
	}
	options.Display = opts.Learn.display(stderr)
	card := models.Card{
		Name: opts.Name, Version: opts.Version, CreatedBy: opts.CreatedBy, Data: opts.Data,
		Limits: limitsOf(options),
	}
	if card.CreatedBy == "" {
		card.CreatedBy = fmt.Sprintf("winnow train %s --out %s", opts.History, opts.Output.Out)
	}
	if card.Data == "" {
		card.Data = fmt.Sprintf("The recorded history %q.", filepath.Base(filepath.Clean(opts.History)))
	}
	bundle, evaluation, err := experiment.Train(ctx, opts.History, card, options)
	if err != nil {
		return err
	}
	warn(stderr, evaluation.Warnings...)
	if err := models.Save(opts.Output.Out, bundle); err != nil {
		return err
	}
	if opts.JSON {
		return writeJSON(stdout, evaluation)
	}
	if err := writeEvaluation(stdout, evaluation, fmt.Sprintf("%d folds by %s", evaluation.Folds, opts.Learn.By), opts.Details); err != nil {
		return err
	}
	return writeResult(stdout, fmt.Appendf(nil, "\nmodel of %s (%d mutants) in %s\n", subjectsOf(evaluation), evaluation.Mutants, opts.Output.Out))
}

// limitsOf says what the scores of a model that is trained so rest on.
func limitsOf(o experiment.Options) []string {
	dynamic, err := features.Columns("dynamic")
	if err == nil && slices.ContainsFunc(o.Columns, func(c string) bool { return slices.Contains(dynamic, c) }) {
		return []string{
			"Scores are predictions from the program's text, from its mutants interpreted on drawn inputs and, up to the end of a function, on tests, and from runs of the original on tests; no mutant was run on a test to make them.",
			"Those tests stand for an existing suite: a quarter of the tests that do not reveal the fault, drawn by chance. Labels, and the figures of this card, rest on the other tests alone.",
		}
	}
	limits := []string{"Scores are predictions from the program's text and from its mutants interpreted on drawn inputs; no test was run to make them."}
	if o.HoldSuite {
		limits = append(limits, "Labels, and the figures of this card, rest on the tests that are not in an existing suite: a quarter of those that do not reveal the fault, drawn by chance, was put aside.")
	}
	return limits
}
