package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/studies"
)

// studyOptions are the flags of winnow evaluate STUDY.
type studyOptions struct {
	History string
	Format  string
	// Out is the folder for all files of the answer, HTML one page; "" writes
	// none.
	Out, HTML string
	Classes   string
	Suites    int
	Learn     learnOptions
}

// AddFlags declares the flags of winnow evaluate STUDY.
func (o *studyOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.Format, "format", "table", "what to print: table or json")
	asJSON(flags, &o.Format)
	flags.StringVarP(&o.Out, "out", "o", "", "also write tables (CSV), figures (SVG, PNG), text and JSON to this folder")
	flags.StringVar(&o.HTML, "html", "", "also write one page with everything to this file")
	flags.StringVar(&o.Classes, "classes", "", "a file with the class of each fault: program, blank, class, one a line")
	flags.IntVar(&o.Suites, "suites", 10000, "suites sampled for each fault and size by the study of criteria")
	o.Learn.AddFlags(flags)
}

// allStudies asks every study, of one reading of the history.
const allStudies = "all"

// newStudies makes a command of each study, and one of all.
func newStudies() []*cobra.Command {
	var out []*cobra.Command
	for _, s := range studies.All() {
		out = append(out, newStudy(s.Name, s.Title, s.Question+"\nAfter "+s.Source+".", []studies.Study{s}))
	}
	return append(out, newStudy(allStudies, "Every study", "All studies on one history; each learner is cross-validated once for all of them.", studies.All()))
}

func newStudy(name, title, long string, asked []studies.Study) *cobra.Command {
	var opts studyOptions
	cmd := &cobra.Command{
		Use:     name + " HISTORY",
		Short:   title,
		Long:    long,
		Example: "  winnow evaluate " + name + " history --out results --html results.html",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.History = args[0]
			return runStudies(cmd.Context(), asked, opts, cmd.OutOrStdout(), opts.Learn.display(cmd.ErrOrStderr()))
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Output)
}

func runStudies(ctx context.Context, asked []studies.Study, opts studyOptions, stdout io.Writer, display *progress.Display) error {
	if opts.Format != "table" && opts.Format != "json" {
		return exit.Usagef("--format %s: want table or json", opts.Format)
	}
	if opts.Suites < 1 {
		return exit.Usagef("--suites must be positive")
	}
	if folder := filepath.Dir(opts.HTML); opts.HTML != "" {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return exit.Usagef("--html %s: there is no folder %s", opts.HTML, folder)
		}
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
	material, err := studies.Open(ctx, opts.History, studies.Options{
		Learn: options, Classes: opts.Classes, Suites: opts.Suites, Display: display})
	if err != nil {
		return err
	}
	var results []*report.Answer
	for _, s := range asked {
		r, err := s.Answer(ctx, material)
		if err != nil {
			return err
		}
		if opts.Out != "" {
			if err := report.WriteAnswerFiles(opts.Out, r); err != nil {
				return err
			}
		}
		results = append(results, r)
	}
	if opts.HTML != "" {
		var text bytes.Buffer
		if err := report.WriteHTML(&text, results); err != nil {
			return err
		}
		if err := atomicfile.Write(opts.HTML, text.Bytes()); err != nil {
			return err
		}
	}
	if opts.Format == "json" {
		return writeJSON(stdout, results)
	}
	var text bytes.Buffer
	for i, r := range results {
		if i > 0 {
			text.WriteString("\n\n")
		}
		if err := report.WriteAnswer(&text, r); err != nil {
			return err
		}
	}
	return writeResult(stdout, text.Bytes())
}
