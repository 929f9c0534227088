package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/studies"
)

// evaluateOptions are the flags of winnow evaluate.
type evaluateOptions struct {
	History string
	Format  string
	// Model is a finished model to judge; "" cross-validates new ones.
	Model string
	// Details prints every figure after the summary.
	Details bool
	// Importance also prints what the features are worth.
	Importance bool
	// Ablation also prints what they tell alone, and what the others tell.
	Ablation bool
	// LearningCurve also prints how good models are that learn from a part.
	LearningCurve bool
	// Out is the folder for everything as tables and JSON; "" writes none.
	Out   string
	Learn learnOptions
}

// AddFlags declares the flags of winnow evaluate.
func (o *evaluateOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.Format, "format", "table", "table or json")
	asJSON(flags, &o.Format)
	flags.StringVarP(&o.Out, "out", "o", "", "also write every table as CSV, and everything as JSON, to this folder")
	flags.StringVar(&o.Model, "model", "", "judge this model, which must not have learned from the history, in place of cross-validating new ones: "+modelHelp)
	flags.BoolVar(&o.Details, "details", false, "print every measure after the summary")
	flags.BoolVar(&o.Importance, "importance", false, "also print what features, alone and by family, are worth to the models; trains them once more")
	flags.BoolVar(&o.Ablation, "ablation", false, "also print how good models are with each family of features alone, and with all but it; trains two models a family and label. The mutants that --sample draws judge too")
	flags.BoolVar(&o.LearningCurve, "learning-curve", false, "also print how good models are that learn from an eighth, a quarter, half and all of the problems; trains four models a label")
	o.Learn.AddFlags(flags)
}

func newEvaluate() *cobra.Command {
	var opts evaluateOptions
	cmd := &cobra.Command{
		Use:   "evaluate HISTORY",
		Short: "Say how well the rankings find faults in programs the models have not seen",
		Long: `Say how well the rankings find faults in programs that the models have not
seen. Both models are trained and tested by cross-validation on a recorded
history, no problem (or program, --by program) being on both sides; then testers
are simulated who follow each ranking and stop at a budget (FaRM's study).

Differences are against random order, with an interval, the effect size A12 and
p-values corrected by Holm. The oracle ranks by the truth: it is the ceiling. The
killable oracle knows which mutants can be killed, and nothing else.

The commands below repeat published studies, one each, on a history, and set the
published figures beside those of the history.`,
		Example: "  winnow run --faults --out history examples/*/\n  winnow evaluate history --by program",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.History = args[0]
			return runEvaluate(cmd.Context(), opts, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	opts.AddFlags(cmd.Flags())
	cmd.AddCommand(newStudies()...)
	return ends(cmd, exit.Input, exit.Output)
}

func runEvaluate(ctx context.Context, opts evaluateOptions, stdout, stderr io.Writer) error {
	if opts.Format != "table" && opts.Format != "json" {
		return exit.Usagef("--format %s: want table or json", opts.Format)
	}
	if info, err := os.Stat(opts.Out); opts.Out != "" && err == nil && !info.IsDir() {
		return exit.Usagef("--out %s: it is no folder", opts.Out)
	}
	release, err := hold(opts.Out)
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
	var bundle *models.Bundle
	if opts.Model != "" && (opts.Importance || opts.Ablation || opts.LearningCurve || opts.Learn.Published) {
		return exit.Usagef("--importance, --ablation, --learning-curve and --published are of models that are cross-validated here: leave --model out")
	}
	if opts.Model == defaultModel {
		return exit.Usagef("--model %s is a choice among models: name the one to judge", defaultModel)
	}
	if opts.Model != "" {
		if bundle, err = openModel(opts.Model); err != nil {
			return err
		}
	}
	evaluation, err := experiment.Evaluate(ctx, opts.History, bundle, options)
	if err != nil {
		return err
	}
	if opts.Importance {
		if evaluation.Importance, err = experiment.MeasureImportance(ctx, opts.History, options); err != nil {
			return err
		}
		studies.AddPublishedWorth(evaluation.Importance)
	}
	if opts.Ablation {
		if evaluation.Ablation, err = experiment.Ablate(ctx, opts.History, options); err != nil {
			return err
		}
	}
	if opts.LearningCurve {
		if evaluation.LearningCurve, err = experiment.DrawLearningCurves(ctx, opts.History, options); err != nil {
			return err
		}
	}
	warn(stderr, evaluation.Warnings...)
	if opts.Out != "" {
		if err := report.WriteEvaluationFiles(opts.Out, evaluation); err != nil {
			return err
		}
	}
	if opts.Format == "json" {
		return writeJSON(stdout, evaluation)
	}
	how := fmt.Sprintf("%d folds by %s", evaluation.Folds, opts.Learn.By)
	if bundle != nil {
		how = "judged by model " + bundle.Card.Name
	}
	return writeEvaluation(stdout, evaluation, how, opts.Details)
}

// subjectsOf says what was learnt from and judged.
func subjectsOf(e *experiment.Evaluation) string {
	faults := fmt.Sprintf("%d faults", e.Subjects-e.Faultless)
	switch e.Faultless {
	case 0:
		return faults
	case e.Subjects:
		return fmt.Sprintf("%d programs without a known fault", e.Faultless)
	case 1:
		return faults + " and a program without a known one"
	}
	return fmt.Sprintf("%s and %d programs without a known one", faults, e.Faultless)
}

// writeEvaluation prints an evaluation: a summary and, where they are asked for, all its
// tables.
func writeEvaluation(stdout io.Writer, evaluation *experiment.Evaluation, how string, details bool) error {
	var text bytes.Buffer
	fmt.Fprintf(&text, "%s, %d mutants, %s\n", subjectsOf(evaluation), evaluation.Mutants, how)
	if len(evaluation.Skipped) > 0 {
		fmt.Fprintf(&text, "run folders passed over, for they lack kills or features: %s\n", strings.Join(evaluation.Skipped, ", "))
	}
	fmt.Fprintln(&text)
	if err := report.WriteSummary(&text, evaluation); err != nil {
		return err
	}
	if details {
		fmt.Fprintln(&text)
		if err := report.WriteDetails(&text, evaluation); err != nil {
			return err
		}
	}
	if err := report.WriteImportance(&text, evaluation.Importance); err != nil {
		return err
	}
	if err := report.WriteAblation(&text, evaluation.Ablation); err != nil {
		return err
	}
	if err := report.WriteLearningCurves(&text, evaluation.LearningCurve); err != nil {
		return err
	}
	return writeResult(stdout, text.Bytes())
}
