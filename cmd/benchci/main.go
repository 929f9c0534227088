// Command benchci measures what winnow ci is for: how many faults its list shows.
//
//	go run ./cmd/benchci -history HISTORY [-model NAME -top N]
//	go run ./cmd/benchci [-winnow FILE -top N] PROJECT...
//
// The second form commits each fault that the projects name, and asks what a job costs and shows
// (regression.go).
//
// It is for developers (docs/results/ci.md) and ships with no release.
package main

import (
	"context"
	"errors"
	"flag"
	"io"

	"github.com/winnow-mutants/winnow/internal/developer"
)

func main() { developer.Main("benchci", run) }

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	flags := flag.NewFlagSet("benchci", flag.ContinueOnError)
	flags.SetOutput(errs)
	history := flags.String("history", "", "a history with faults, of which the lists are made")
	model := flags.String("model", "projects", "the released model that ranks; not one that was trained on the history")
	command := flags.String("winnow", "build/winnow", "the command that projects are given to")
	top := flags.Int("top", 20, "how many mutants a job runs")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if (*history == "") == (flags.NArg() == 0) {
		return errors.New("name a history, or projects with faults")
	}
	if *history == "" {
		return regressions(ctx, *command, flags.Args(), *top, out)
	}
	return ofHistory(ctx, *history, *model, *top, out)
}
