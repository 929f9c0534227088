package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/report"
)

// showOptions are the flags of winnow show.
type showOptions struct {
	Run, Mutant string
	Program     string
	JSON        bool
	Unreached   bool
	Top         int
}

// AddFlags declares the flags of winnow show.
func (o *showOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.Program, "program", "", "of a folder with several runs, the program to show, or program/fault")
	flags.BoolVar(&o.Unreached, "unreached", false, "list also the mutants in code that no test runs, one by one")
	flags.IntVar(&o.Top, "top", 0, "show so many lines at most; 0 means all")
	flags.BoolVar(&o.JSON, "json", false, "print everything as JSON")
}

func newShow() *cobra.Command {
	var opts showOptions
	cmd := &cobra.Command{
		Use:   "show [RUN [MUTANT]]",
		Short: "Show the mutants that survived a run, or one mutant",
		Long: `Show which mutants the tests of a run did not notice, by function and line, and
how far the tests come: whether they run the place, and whether the mutant may
compute something else there. Survivors of one line that the same tests see in the
same way are one row. With a mutant's id, or its beginning, show that mutant, whether
it survived or not: its diff, and the tests that run, infect and kill it.

RUN is what winnow run wrote (--out); winnow-out where none is named.`,
		Example: "  winnow show winnow-out\n  winnow show winnow-out 1f0c2a",
		Args:    cobra.MaximumNArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Run = orDefault(args, defaultRun)[0]
			if len(args) > 1 {
				opts.Mutant = args[1]
			}
			return runShow(opts, cmd.OutOrStdout())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input)
}

func runShow(opts showOptions, stdout io.Writer) error {
	if opts.Top < 0 {
		return exit.Usagef("--top must not be negative")
	}
	subjects, err := subjectsToShow(opts)
	if err != nil {
		return err
	}
	if opts.Mutant != "" {
		return showMutant(opts, subjects, stdout)
	}
	var all []*report.Survivors
	var text bytes.Buffer
	for i, s := range subjects {
		survivors, err := report.NewSurvivors(s)
		if err != nil {
			return exit.New(exit.Input, fmt.Errorf("%s: %w", opts.Run, err), "")
		}
		if i > 0 {
			text.WriteString("\n")
		}
		if err := survivors.WriteText(&text, report.SurvivorsOptions{Unreached: opts.Unreached, Most: opts.Top}); err != nil {
			return err
		}
		all = append(all, survivors)
	}
	if opts.JSON {
		return writeJSON(stdout, all)
	}
	return writeResult(stdout, text.Bytes())
}

// showMutant shows the one mutant with the id, in whichever of the runs it is.
func showMutant(opts showOptions, subjects []*dataset.Subject, stdout io.Writer) error {
	var errs []error
	for _, s := range subjects {
		v, err := report.NewVerdict(s, opts.Mutant)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		if opts.JSON {
			return writeJSON(stdout, v)
		}
		var text bytes.Buffer
		if err := v.WriteText(&text); err != nil {
			return err
		}
		return writeResult(stdout, text.Bytes())
	}
	return exit.New(exit.Input, errors.Join(errs...), "winnow show RUN lists the survivors with their ids")
}

// subjectsToShow reads the runs that the options name.
func subjectsToShow(opts showOptions) ([]*dataset.Subject, error) {
	history, err := dataset.OpenHistory(opts.Run)
	if err != nil {
		return nil, exit.New(exit.Input, err, "name the folder that winnow run wrote (--out)")
	}
	var out []*dataset.Subject
	for i := range history.Runs {
		run := &history.Runs[i]
		if opts.Program != "" && run.Manifest.Program != opts.Program && run.Manifest.Name() != opts.Program {
			continue
		}
		s, err := run.Load(dataset.MutantsFile, dataset.KillsFile)
		if err == nil {
			err = run.LoadCauses(s)
		}
		if err != nil {
			return nil, exit.New(exit.Input, err, "")
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s has no run of %s", opts.Run, opts.Program), "")
	}
	return out, nil
}
