// Command benchinputs measures what an order gains where inputs are looked for that tell its first
// mutants (rank.Options.Look), without tests and beside half of them: of faults of Codeflaws how often the
// first 5 and 20 reveal the fault, the tests at hand being some that do not; of projects which share of the minimal mutants tests for
// them kill; and how many of them no test kills.
//
//	go run ./cmd/benchinputs -history HISTORY -benchmark BENCHMARK [-model NAME -half 1|2]
//	go run ./cmd/benchinputs -history HISTORY -projects FOLDER [-model NAME -draws N]
//
// It is for developers (docs/results/first-twenty.md) and ships with no release.
package main

import (
	"context"
	"errors"
	"flag"
	"io"

	"github.com/winnow-mutants/winnow/internal/developer"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/models/released"
)

func main() { developer.Main("benchinputs", run) }

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	b := bench{worths: map[row][]worth{}, errs: errs}
	flags := flag.NewFlagSet("benchinputs", flag.ContinueOnError)
	flags.SetOutput(errs)
	history := flags.String("history", "", "a history that winnow import codeflaws wrote, or a folder of runs of projects")
	benchmark := flags.String("benchmark", "", "the folder of the benchmark that it was made of")
	ready := flags.String("projects", "", "a folder with the projects that were run, each described by winnow init")
	model := flags.String("model", "projects", "the released model that ranks; not one that was trained on the history")
	flags.IntVar(&b.half, "half", 0, "1 or 2: every second subject alone, from the first or the second on")
	flags.IntVar(&b.draws, "draws", 1, "how often half of the tests is drawn")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *history == "" || (*benchmark == "") == (*ready == "") || b.half < 0 || b.half > 2 || b.draws < 1 || flags.NArg() > 0 {
		return errors.New("name a history, and the benchmark or the projects that it was made of")
	}
	work, err := scratch.New("benchinputs")
	if err != nil {
		return err
	}
	defer work.Remove()
	if b.code = (projects{*ready}); *ready == "" {
		if b.code, err = openFaulty(*benchmark, work); err != nil {
			return err
		}
	}
	if b.model, err = released.Open(*model); err != nil {
		return err
	}
	if b.tools, err = clang.Find(); err != nil {
		return err
	}
	if err := b.ofHistory(ctx, *history); err != nil {
		return err
	}
	b.print(out)
	return nil
}
