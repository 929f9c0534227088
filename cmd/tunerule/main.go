// Command tunerule tries the rules that the order winnow could be (predict.SetRule): all
// combinations of some exponents and discounts, on the scores of models that are
// cross-validated on a history. It prints the best, chosen on half of the problems and
// judged on the other, and the rule of today.
//
//	go run ./cmd/tunerule [-sample N -rounds N -repetitions N -reveal-objective NAME] HISTORY
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
	flags.IntVar(&opts.Repetitions, "repetitions", 100, "testers for each fault and rule")
	flags.Uint64Var(&opts.Seed, "seed", 1, "seed of folds, halves, samples and testers")
	flags.Func("reveal-objective", "loss of the model of revelation: revelation (LambdaMART, the default), ndcg or cross-entropy", func(name string) (err error) {
		opts.RevealObjective, err = experiment.LookupRevealObjective(name)
		return err
	})
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
	fmt.Fprintf(out, "%d rules; of the oracle's gain at 2 %%, at 5 %% and in APFD, on the half that chooses and on the other\n\n", len(tried))
	fmt.Fprintln(out, " kill  late  reveal  statement  kind  |  2 %   5 %  APFD  |  2 %   5 %  APFD")
	for place, t := range tried {
		if place < *best || t.Rule == predict.WinnowRule {
			print(out, place, &t)
		}
	}
	return nil
}

func print(out io.Writer, place int, t *experiment.TunedRule) {
	r := &t.Rule
	fmt.Fprintf(out, "%5g %5g %7g %10g %5g  |", r.KillPower, r.LatePower, r.RevealPower, r.Statement, r.Kind)
	for _, half := range [][3]float64{t.Chosen, t.Other} {
		fmt.Fprintf(out, " %4.0f  %4.0f  %4.0f  |", 100*half[0], 100*half[1], 100*half[2])
	}
	note := ""
	if t.Rule == predict.WinnowRule {
		note = ", the rule of today"
	}
	fmt.Fprintf(out, " %d%s\n", place+1, note)
}

// grid is every rule of some exponents and discounts, but that of today.
func grid() (rules []predict.SetRule) {
	for _, kill := range []float64{0, 1, 2} {
		for _, late := range []float64{0, 1, 2} {
			for _, reveal := range []float64{0.25, 0.5, 1} {
				for _, alike := range [][2]float64{{0, 0}, {0.1, 0}} {
					r := predict.SetRule{KillPower: kill, LatePower: late, RevealPower: reveal, Statement: alike[0], Kind: alike[1]}
					if r != predict.WinnowRule {
						rules = append(rules, r)
					}
				}
			}
		}
	}
	return rules
}
