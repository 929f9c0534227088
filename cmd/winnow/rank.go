package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/rank"
	"github.com/winnow-mutants/winnow/report"
)

// rankOptions are the flags of winnow rank.
type rankOptions struct {
	sourceOptions
	Top      predict.Top
	Budget   time.Duration
	Strategy string
	Model    string
	Seed     uint64
	Format   string
	// All lists every mutant in tables for people, Explain names features there.
	All, Explain bool
	// NoRun does not run the project's tests first.
	NoRun  bool
	Mode   progress.Mode
	Output outputOptions
	// choosesMutants says that a flag was given that chooses what is mutated,
	// choosesOrder that --strategy was.
	choosesMutants, choosesOrder bool
}

// AddFlags declares the flags of winnow rank.
func (o *rankOptions) AddFlags(flags *pflag.FlagSet) {
	o.sourceOptions.AddFlags(flags)
	flags.Var(&o.Top, "top", "show this many mutants (20) or this share of them (5%); default all")
	flags.DurationVar(&o.Budget, "budget", 0, "of a folder with winnow.toml: run its tests on mutants no longer than this, e.g. 10m (2m where nothing is said); with --no-run, list only mutants that can be run in this time: those with the most expected revelation for what they cost")
	flags.StringVar(&o.Strategy, "strategy", predict.Default.Name, "the order: "+strings.Join(strategyNames(), ", ")+"; of a model of another tool, farm, or predkillable where it knows no more")
	flags.StringVar(&o.Model, "model", "", rankingModelHelp)
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the strategies that draw random numbers")
	flags.BoolVar(&o.All, "all", false, "in the table, list also the mutants that fall together with one before")
	flags.BoolVar(&o.NoRun, "no-run", false, "of a folder with winnow.toml: run no tests, and list all mutants by what is predicted of them")
	flags.Var(&o.Mode, "progress", "how to show progress of the tests")
	flags.BoolVar(&o.Explain, "explain", false, "in the table, name the features that raise + or lower - the probabilities")
	flags.StringVar(&o.Format, "format", "table", "table, json or parquet")
	asJSON(flags, &o.Format)
	o.Output.AddFlags(flags)
}

func strategyNames() []string {
	var out []string
	for _, s := range predict.All() {
		out = append(out, s.Name)
	}
	return out
}

func newRank() *cobra.Command {
	var opts rankOptions
	cmd := &cobra.Command{
		Use:   "rank [INPUT...] [-- COMPILER FLAGS]",
		Short: "List the mutants of C code, those most worth a tester's time first",
		Long: `List the mutants of C code, those most worth a tester's time first. An input is a .c
file, a folder with compile_commands.json or winnow.toml, or LLVM IR of clang-14 (.ll,
.bc); the current folder where none is named. Flags for the compiler follow --. A folder
with tables of mutants and their features (mutants.parquet, features.parquet), as winnow
run and winnow import write them, and winnow mutate and winnow features, is ranked
without the code; what the tests of a recorded run kill is left out.

Of a folder with winnow.toml the tests are run on the mutants first, within --budget:
what they kill is left out, and of the survivors the list says how far the tests come.
With --no-run, and without tests, no mutant is run as a program: it is interpreted on drawn
inputs, and the probabilities are predictions of a model that was trained on other
programs. Of the first mutants an input of the program is looked for that tells them from
the original: a test to write. One that has none is worth little, and comes later. A
model of dynamic features takes a folder with winnow.toml and --no-run, and runs the tests
named there on the original program.`,
		Example: "  winnow rank --top 20 examples/calendar\n  winnow rank --top 20 examples/calendar/calendar.c\n  winnow rank --top 5% --format json src/parser.c -- -Iinclude -DNDEBUG",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.take(cmd, args)
			opts.choosesMutants = opts.given(cmd.Flags())
			opts.choosesOrder = cmd.Flags().Changed("strategy")
			return runRank(cmd.Context(), opts, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Baseline, exit.Input, exit.Tool, exit.Output)
}

func runRank(ctx context.Context, opts rankOptions, stdout, stderr io.Writer) error {
	write, err := rankingWriter(opts, stdout)
	if err != nil {
		return err
	}
	if opts.Workers < 0 || opts.Budget < 0 {
		return exit.Usagef("--workers and --budget must not be negative")
	}
	if _, err := opts.Mutation.resolve(); err != nil { // before tests are run
		return err
	}
	rankOpts := rank.Options{Top: opts.Top, Budget: opts.Budget, Seed: opts.Seed, Survivors: true, Fold: opts.Format == "table" && !opts.All, Workers: opts.Workers}
	if opts.Explain || opts.Format != "table" { // they cost as much as all else
		rankOpts.Reasons = 3
	}
	if rankOpts.Strategy, err = predict.Lookup(opts.Strategy); err != nil {
		return exit.New(exit.Usage, err, "")
	}
	if opts.Inputs, err = onlyRun(opts.Inputs); err != nil {
		return err
	}
	if rankOpts.Model, err = modelFor(opts.Model, projectOf(opts.Inputs), rankOpts.Strategy); err != nil {
		return err
	}
	if rankOpts.Model != nil && !opts.choosesOrder {
		rankOpts.Strategy = orderBy(rankOpts.Model, rankOpts.Strategy)
	}
	if err := opts.Output.checkFile(); err != nil {
		return err
	}
	ran, err := runFirst(ctx, &opts, &rankOpts, stderr)
	if err != nil {
		return err
	}
	defer ran.remove()
	source, code, err := sourceOf(ctx, opts, &rankOpts, stderr)
	if err != nil {
		return rankingError(err)
	}
	examples, err := ran.examples(ctx, code)
	if err != nil {
		return err
	}
	if examples != nil {
		rankOpts.Look, rankOpts.Uncalled = examples.Told, examples.Uncalled
	}
	ranking, err := rank.Order(ctx, source, rankOpts)
	if err != nil {
		return rankingError(err)
	}
	ran.tell(ranking)
	if examples != nil {
		if err := exemplify(ctx, examples, ranking); err != nil {
			return err
		}
		ranking.Notes = append(ranking.Notes, examples.Notes()...)
	}
	if most := rankOpts.MostReasoned; most > 0 && ranking.Model != "" && len(ranking.Mutants) > most {
		ranking.Notes = append(ranking.Notes, fmt.Sprintf("no reasons are given for more than %d mutants at once: list fewer with --top", most))
	}
	warn(stderr, source.Warnings()...)
	warn(stderr, ranking.Drift.Warning(ranking.Model))
	var text bytes.Buffer
	if err := write(ranking, &text); err != nil {
		return err
	}
	return opts.Output.write(text.Bytes(), stdout)
}

// onlyRun is the run of a folder that winnow run wrote, where it holds one.
func onlyRun(inputs []string) ([]string, error) {
	if len(inputs) != 1 || rank.HasTables(inputs[0]) {
		return inputs, nil
	}
	for _, name := range []string{project.File, "compile_commands.json"} {
		if paths.Exist(filepath.Join(inputs[0], name)) {
			return inputs, nil
		}
	}
	entries, err := os.ReadDir(inputs[0])
	if err != nil { // no folder
		return inputs, nil
	}
	var runs []string
	for _, e := range entries {
		if folder := filepath.Join(inputs[0], e.Name()); rank.HasTables(folder) {
			runs = append(runs, folder)
		}
	}
	switch len(runs) {
	case 0:
		return inputs, nil
	case 1:
		return runs, nil
	}
	return nil, exit.New(exit.Usage, fmt.Errorf("%s holds %d runs", inputs[0], len(runs)), "name one of them: winnow rank "+runs[0])
}

// mostReasons is how many mutants a ranking of tables gives reasons for, at most: there
// may be millions of them, and a reason takes a second look at the features.
const mostReasons = 10_000

// sourceOf opens tables of mutants, or loads what it compiles, which is the code that they are of.
func sourceOf(ctx context.Context, opts rankOptions, rankOpts *rank.Options, stderr io.Writer) (rank.Source, *program.Program, error) {
	if len(opts.Inputs) == 1 && rank.HasTables(opts.Inputs[0]) {
		if opts.choosesMutants || len(opts.CompilerFlags) > 0 {
			return nil, nil, exit.Usagef("%s holds tables of mutants that were made before: leave out the compiler's flags, and those that choose what is mutated", opts.Inputs[0])
		}
		rankOpts.MostReasoned = mostReasons
		source, err := rank.OpenTables(opts.Inputs[0])
		return source, nil, err
	}
	s, err := opts.open(ctx, stderr)
	if err != nil {
		return nil, nil, err
	}
	s.Ages = rank.ReadsAges(rankOpts.Model)
	p, err := s.load(ctx)
	if err != nil {
		return nil, nil, err
	}
	return rank.OfProgram(p, func() (*rank.Observed, error) { return observe(ctx, s.tools, p, opts) }), p, nil
}

// observe runs the tests of the folder that is ranked.
func observe(ctx context.Context, tools *clang.Toolchain, p *program.Program, opts rankOptions) (*rank.Observed, error) {
	// Only a folder has a project's name (programName).
	if programName(opts.Inputs) == "" {
		return nil, exit.New(exit.Usage, errors.New("a budget, and a model of dynamic features, need a run of the program's tests"),
			"name one folder with "+project.File+", which says what the tests are, or do without both")
	}
	tested, err := project.Open(opts.Inputs[0])
	if err != nil {
		return nil, err
	}
	if tested.Build != nil {
		return nil, exit.New(exit.Usage, errors.New("a budget with --no-run, and a model of dynamic features, take a program that winnow builds, and "+opts.Inputs[0]+" is built by its own build"),
			"leave out --no-run: its tests run on its mutants then; or do without both")
	}
	return campaign.Observe(ctx, tools, p, tested, execute.Options{Workers: opts.Workers})
}

// rankingError gives what keeps mutants from being ranked a status and a hint.
func rankingError(err error) error {
	var tests *rank.NeedsTests
	var bad *rank.TableError
	var other *models.SchemaError
	const nameTests = "name a folder with " + project.File + ", which says what the tests are"
	switch {
	case errors.As(err, &tests) && tests.Model == "":
		return exit.New(exit.Usage, err, nameTests)
	case errors.As(err, &tests):
		return exit.New(exit.Usage, err, nameTests+", or take a model of static features")
	case errors.As(err, &bad):
		return exit.New(exit.Input, err, tableHint(bad))
	case errors.As(err, &other):
		return exit.New(exit.Input, err, "train a model with this version of winnow, and write tables of features with it")
	case errors.Is(err, predict.ErrNoScores):
		return exit.New(exit.Usage, err, "give a model with --model, or a strategy that needs none, such as --strategy random")
	}
	return err
}

func tableHint(bad *rank.TableError) string {
	switch bad.Problem {
	case rank.NoFeatures:
		return "write it with winnow features INPUT --out " + bad.Path
	case rank.OtherMutants:
		return "write it again, of the same input and with the same flags as " + dataset.MutantsFile
	}
	return ""
}

func rankingWriter(opts rankOptions, stdout io.Writer) (func(*report.Ranking, io.Writer) error, error) {
	switch opts.Format {
	case "table":
		how := report.TableOptions{Explain: opts.Explain}
		if opts.Output.Out == "" {
			how.Colour, how.Width = wantsColour(stdout), widthOf(stdout)
		}
		return func(r *report.Ranking, w io.Writer) error { return r.WriteTable(w, how) }, nil
	case "json":
		return (*report.Ranking).WriteJSON, nil
	case "parquet":
		return (*report.Ranking).WriteParquet, nil
	}
	return nil, exit.Usagef("--format %s: want table, json or parquet", opts.Format)
}

// wantsColour reports a terminal whose user did not turn colours off (no-color.org).
func wantsColour(stdout io.Writer) bool {
	file, isFile := stdout.(*os.File)
	if !isFile || os.Getenv("NO_COLOR") != "" || os.Getenv("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// widthOf is how many characters a terminal has in a line; 0 for what is none.
func widthOf(stdout io.Writer) int {
	file, isFile := stdout.(*os.File)
	if !isFile {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// modelFor opens the model that a strategy ranks the mutants of a project, or of a run, by (see
// chosenModel): where none was named, that of projects with a build and tests of their own for
// one of them, unless the strategy reads what faults taught. A strategy that needs none still shows the
// probabilities if there is one.
func modelFor(named, folder string, s predict.Strategy) (*models.Bundle, error) {
	name, err := chosenModel(named, folder)
	if err != nil {
		return nil, err
	}
	if named == "" && name == defaultModel && s.NeedsModel&^predict.NeedsKill == 0 && hasOwnTests(folder) {
		name = ownTestsModel
	}
	bundle, err := openModel(name)
	if err != nil && s.NeedsModel == predict.NeedsNone && name == defaultModel {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("opening the model: %w", err)
	}
	return bundle, nil
}
