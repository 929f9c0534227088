// Command benchinputs measures what an order gains where inputs are looked for that tell its first
// mutants (rank.Options.Look): on faults of Codeflaws, without tests and beside half of those that do
// not reveal the fault, how often the first 5 and 20 reveal it, and how many of them no test kills.
//
//	go run ./cmd/benchinputs -history HISTORY -benchmark BENCHMARK [-model NAME -half 1|2]
//
// It is for developers (docs/results/first-twenty.md) and ships with no release.
package main

import (
	"context"
	"errors"
	"flag"
	"io"

	"github.com/winnow-mutants/winnow/internal/developer"
)

func main() { developer.Main("benchinputs", run) }

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	var b bench
	flags := flag.NewFlagSet("benchinputs", flag.ContinueOnError)
	flags.SetOutput(errs)
	history := flags.String("history", "", "a history that winnow import codeflaws wrote")
	benchmark := flags.String("benchmark", "", "the folder of the benchmark that it was made of")
	model := flags.String("model", "projects", "the released model that ranks; not one that was trained on the history")
	flags.IntVar(&b.half, "half", 0, "1 or 2: every second fault alone, from the first or the second on")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *history == "" || *benchmark == "" || b.half < 0 || b.half > 2 || flags.NArg() > 0 {
		return errors.New("name a history and the benchmark that it was made of")
	}
	if err := b.open(*benchmark, *model); err != nil {
		return err
	}
	defer b.work.Remove()
	if err := b.ofHistory(ctx, *history); err != nil {
		return err
	}
	b.print(out)
	return nil
}
