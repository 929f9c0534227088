package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/rank"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/report/exchange"
	"github.com/winnow-mutants/winnow/report/findings"
	"github.com/winnow-mutants/winnow/report/page"
)

// reportOptions are the flags of winnow report.
type reportOptions struct {
	Run, Program string
	HTML         string
	// Graph is a file for the subsumption graph, Matrices a folder for criteria matrices. Where no
	// file is asked for, the overview is printed, as JSON or as text.
	Graph, Matrices string
	JSON            bool
	Force           bool
	Formats         formatFlags
	Order           orderOptions
}

// AddFlags declares the flags of winnow report.
func (o *reportOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.HTML, "html", "", "write one page that needs no server and no network")
	flags.StringVar(&o.Graph, "graph", "", "write which mutants stand for others as a graph, for Graphviz")
	flags.StringVar(&o.Matrices, "matrices", "", "write the criteria matrices, tests by elements, into a new folder: text files of 1, 0 and -1, as Muteria reads them")
	flags.BoolVar(&o.JSON, "json", false, "print the overview as JSON")
	o.Formats.AddFlags(flags)
	flags.StringVar(&o.Program, "program", "", "of a folder with several runs, the program to report, or program/fault")
	flags.BoolVar(&o.Force, "force", false, "replace files that exist")
	o.Order.AddFlags(flags)
}

// orderOptions say in which order findings come.
type orderOptions struct {
	Model, Strategy string
	// Project is the folder whose winnow.toml may name a model, where one is known.
	Project string
	// Since is how many tests that the run does not know each mutant has survived (rank.Options).
	Since map[string]int
}

// AddFlags declares --model and --strategy.
func (o *orderOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVar(&o.Model, "model", "", rankingModelHelp)
	flags.StringVar(&o.Strategy, "strategy", predict.Default.Name, "the order, as for winnow rank")
}

// formatFlags are the files for other programs, by the name of the format.
type formatFlags map[string]*string

// AddFlags declares one flag a format.
func (f *formatFlags) AddFlags(flags *pflag.FlagSet) {
	*f = formatFlags{}
	for _, format := range exchange.All() {
		(*f)[format.Name] = flags.String(format.Name, "", "write "+format.Doc)
	}
}

func newReport() *cobra.Command {
	var opts reportOptions
	cmd := &cobra.Command{
		Use:   "report [RUN]",
		Short: "Say what the tests of a run cover; write it as a page, and for other programs",
		Long: `Say what the tests of a recorded run cover: lines, branches and functions, as winnow
and, after winnow run --criteria, gcov and llvm-cov count them, and mutants; which few
mutants stand for all that are killed; and where the time went.

With --html, write the run as one HTML page instead: the source with its mutants in
place, those most worth a look first, with the change, how far the tests come, and
what is weak function by function. The page needs nothing else and can be sent or
kept. Other flags write the same findings for other programs. RUN is what winnow run
wrote (--out); winnow-out where none is named.`,
		Example: "  winnow report winnow-out\n  winnow report winnow-out --html report.html\n  winnow report winnow-out --elements mutation.json --sarif winnow.sarif",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Run = orDefault(args, defaultRun)[0]
			return runReport(cmd.Context(), opts, cmd.OutOrStdout())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Output)
}

func runReport(ctx context.Context, opts reportOptions, stdout io.Writer) error {
	files := opts.Formats.chosen()
	if opts.HTML != "" {
		files = append(files, outFile{opts.HTML, page.Write})
	}
	if len(files) == 0 || opts.Graph != "" || opts.Matrices != "" || opts.JSON {
		if err := opts.overview(len(files) == 0, stdout); err != nil || len(files) == 0 {
			return err
		}
	}
	for _, f := range files {
		out := outputOptions{Out: f.path, Force: opts.Force}
		if err := out.checkFile(); err != nil {
			return err
		}
	}
	found, err := findingsOf(ctx, opts.Run, opts.Program, opts.Order)
	if err != nil {
		return err
	}
	if opts.HTML != "" {
		if found.Coverage, err = opts.coverage(); err != nil {
			return err
		}
	}
	return writeFiles(found, files, stdout)
}

// outFile is a file to write, and what writes it.
type outFile struct {
	path  string
	write func(io.Writer, *findings.Run) error
}

// chosen are the formats that a file was named for.
func (f formatFlags) chosen() []outFile {
	var out []outFile
	for _, format := range exchange.All() {
		if path := *f[format.Name]; path != "" {
			out = append(out, outFile{path, format.Write})
		}
	}
	return out
}

// writeFiles writes each file whole or not at all, and says so.
func writeFiles(found *findings.Run, files []outFile, stdout io.Writer) error {
	var said bytes.Buffer
	for _, f := range files {
		var text bytes.Buffer
		if err := f.write(&text, found); err != nil {
			return err
		}
		if err := atomicfile.Write(f.path, text.Bytes()); err != nil {
			return exit.New(exit.System, err, "")
		}
		fmt.Fprintf(&said, "wrote %s\n", f.path)
	}
	return writeResult(stdout, said.Bytes())
}

// findingsOf reads one run of a folder and orders its mutants.
func findingsOf(ctx context.Context, folder, program string, order orderOptions) (*findings.Run, error) {
	run, err := oneRun(folder, program)
	if err != nil {
		return nil, err
	}
	s, err := run.Load(present(run, dataset.MutantsFile, dataset.KillsFile, dataset.RemovedFile, dataset.SourcesFile, dataset.EditsFile)...)
	if err == nil && s.Kills != nil {
		err = run.LoadCauses(s)
	}
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	ranking, err := rankingOf(ctx, run, order)
	if err != nil {
		return nil, err
	}
	found, err := findings.Of(s, ranking)
	if err != nil {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: %w", folder, err), "name the folder that winnow run wrote (--out)")
	}
	return found, nil
}

// present are those of the files that the run has.
func present(run *dataset.Run, files ...string) []string {
	var out []string
	for _, name := range files {
		if run.Has(name) {
			out = append(out, name)
		}
	}
	return out
}

// oneRun is the run of a program, or the only one.
func oneRun(folder, program string) (*dataset.Run, error) {
	history, err := dataset.OpenHistory(folder)
	if err != nil {
		return nil, exit.New(exit.Input, err, "name the folder that winnow run wrote (--out)")
	}
	var found []*dataset.Run
	var names []string
	for i := range history.Runs {
		run := &history.Runs[i]
		if program == "" || run.Manifest.Program == program || run.Manifest.Name() == program {
			found, names = append(found, run), append(names, run.Manifest.Name())
		}
	}
	switch len(found) {
	case 0:
		return nil, exit.New(exit.Input, fmt.Errorf("%s has no run of %s", folder, program), "")
	case 1:
		return found[0], nil
	}
	return nil, exit.New(exit.Usage, fmt.Errorf("%s has %d runs: %v", folder, len(found), names), "choose one with --program")
}

// rankingOf ranks the mutants of a run from its tables; nil without features.
func rankingOf(ctx context.Context, run *dataset.Run, order orderOptions) (*report.Ranking, error) {
	if !run.Has(dataset.FeaturesFile) {
		return nil, nil
	}
	strategy, err := predict.Lookup(order.Strategy)
	if err != nil {
		return nil, exit.New(exit.Usage, err, "")
	}
	opts := rank.Options{Strategy: strategy, Seed: 1, Survivors: true, Rest: true, Since: order.Since}
	if opts.Model, err = modelFor(order.Model, cmp.Or(order.Project, run.Dir), strategy); err != nil {
		return nil, err
	}
	source, err := rank.OpenTables(run.Dir)
	if err != nil {
		return nil, rankingError(err)
	}
	ranking, err := rank.Order(ctx, source, opts)
	if err != nil {
		return nil, rankingError(err)
	}
	return ranking, nil
}
