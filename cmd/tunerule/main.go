// Command tunerule tries the rules that the order winnow could be (predict.MarginalRule): all
// combinations of some likenesses, on the scores of models that are cross-validated on a
// history. It prints the best, chosen on half of the problems and judged on the other, and the
// rule of today.
//
//	go run ./cmd/tunerule [-sample N -rounds N -reveal-objective NAME -by-program] HISTORY
//
// Of a history without faults rules are judged by what the tests kill.
//
// It is for developers (docs/results/learning.md) and ships with no release.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/internal/developer"
	"github.com/winnow-mutants/winnow/predict"
)

func main() { developer.Main("tunerule", run) }

func run(ctx context.Context, args []string, out, _ io.Writer) error {
	opts := experiment.Options{Train: experiment.DefaultOptions(), Folds: 5}
	flags := flag.NewFlagSet("tunerule", flag.ContinueOnError)
	flags.IntVar(&opts.Sample, "sample", 60, "mutants of each fault to learn from")
	flags.IntVar(&opts.Train.Rounds, "rounds", 150, "trees of each model")
	flags.Uint64Var(&opts.Seed, "seed", 1, "seed of folds, halves, samples and suites")
	flags.Func("reveal-objective", "loss of the model of revelation: revelation (LambdaMART, the default), ndcg or cross-entropy", func(name string) (err error) {
		opts.RevealObjective, err = experiment.LookupRevealObjective(name)
		return err
	})
	flags.BoolVar(&opts.ByProgram, "by-program", false, "folds and halves never split a program, as of histories without faults, where every program is a problem")
	best := flags.Int("best", 15, "rules to print")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("name the history to tune on")
	}
	tried, err := experiment.Tune(ctx, flags.Arg(0), append(grid(), predict.WinnowRule), opts)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d rules; percent of the way from random order to the coupling oracle in faults revealed by the\n", len(tried))
	fmt.Fprint(out, "first 5 and 20 and in minimal mutants killed by 20, without tests and beside half of the\nsuite, on the half of the problems that chooses and on the other; where no fault is known, in minimal mutants\nkilled by the first 5 and by the first 20\n\n")
	fmt.Fprintln(out, "statement  function  trial  |  none: 5   20  min  |  half: 5   20  min  |  none: 5   20  min  |  half: 5   20  min")
	for place, t := range tried {
		if place < *best || t.Rule == predict.WinnowRule {
			print(out, place, &t)
		}
	}
	return nil
}

func print(out io.Writer, place int, t *experiment.TunedRule) {
	r := &t.Rule
	fmt.Fprintf(out, "%9g  %8g  %5g  |", r.Statement, r.Function, r.Trial)
	for _, ways := range []experiment.Ways{t.Chosen, t.Other} {
		for _, w := range ways {
			fmt.Fprintf(out, "  %7.0f  %3.0f  %3.0f  |", w[0], w[1], w[2])
		}
	}
	note := ""
	if t.Rule == predict.WinnowRule {
		note = ", the rule of today"
	}
	fmt.Fprintf(out, " %d%s\n", place+1, note)
}

// grid is every rule of some likenesses, but that of today.
func grid() (rules []predict.MarginalRule) {
	for _, statement := range []float64{0, .5, .9, .99} {
		for _, function := range []float64{0, .3, .6} {
			for _, trial := range []float64{0, .5, .9} {
				r := predict.MarginalRule{Statement: statement, Function: function, Trial: trial, Kind: predict.WinnowRule.Kind, PerStatement: predict.WinnowRule.PerStatement}
				if r != predict.WinnowRule {
					rules = append(rules, r)
				}
			}
		}
	}
	return rules
}
