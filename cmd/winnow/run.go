package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/coverage"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/criterion"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// runOptions are the flags of winnow run.
type runOptions struct {
	Projects []string
	// Faults records the faulty versions, as a history to train on; FixedVersions the
	// fixed ones beside them.
	Faults, FixedVersions bool
	JSON                  bool
	// Mutation says which mutants are run.
	Mutation mutationOptions
	// NoProbe makes no probing runs.
	NoProbe bool
	// NoProve looks for no survivors that no test can kill.
	NoProve bool
	// Ages reads how old lines are from git.
	Ages    bool
	Workers int
	Seed    uint64
	Output  outputOptions
	// Budget is the time for all; Resume goes on with what is in Output; Shard is
	// a part of the mutants, K/N.
	Budget time.Duration
	Resume bool
	Shard  string
	// Only is a file that names the mutants to run.
	Only string
	// Most bounds the mutants of a project that its own build builds; Matrix runs all of
	// its tests on every mutant.
	// MostGiven says that Most was. PerLine bounds those of a line; Top runs the first of
	// their ranking.
	Most      int
	MostGiven bool
	PerLine   int
	Top       predict.Top
	Matrix    bool
	// Criteria are tools that measure what the tests cover, too; CriteriaFirst does that
	// before the tests are checked.
	Criteria      []string
	CriteriaFirst bool
	Confinement   confinementOptions
	Mode          progress.Mode
	// proving, when set, is how survivors are looked at, and bound how many mutants are made at most
	// of a project that winnow builds; without features nobody ranks them. They are no flags.
	proving    *verdict.Proving
	bound      int
	noFeatures bool
}

// AddFlags declares the flags of winnow run.
func (o *runOptions) AddFlags(flags *pflag.FlagSet) {
	o.Output.Out = defaultRun
	o.Output.AddFlags(flags)
	o.Mutation.AddFlags(flags)
	flags.BoolVar(&o.Faults, "faults", false, "record the project's faulty versions instead, as a history to train on")
	flags.BoolVar(&o.FixedVersions, "fixed-versions", false, "with --faults: run the mutants of the fixed versions, too, on the same tests, for winnow evaluate criteria")
	flags.BoolVar(&o.JSON, "json", false, "print the summary as JSON")
	flags.BoolVar(&o.Ages, "ages", false, "record how old lines are and how many commits changed them, from git; the record then depends on the repository")
	flags.BoolVar(&o.NoProbe, "no-probe", false, "run every mutant that a test reaches, also where one run of the original shows that it cannot differ")
	flags.BoolVar(&o.NoProve, "no-prove", false, "do not look for survivors that no test can kill, which otherwise takes a tenth of the --budget, and what the runs leave of it")
	flags.IntVar(&o.Workers, "workers", 0, "programs run at the same time; 0 means one a CPU")
	flags.DurationVar(&o.Budget, "budget", 0, "stop after this time, e.g. 10m; of a project with [build], make as many of --most mutants as it has time for; what is left is unknown, and --resume goes on with it")
	flags.BoolVar(&o.Resume, "resume", false, "go on with the runs in --out where they were stopped, whatever stopped them")
	flags.StringVar(&o.Shard, "shard", "", "run only the K-th of N shares of the mutants: K/N; winnow merge joins the results")
	flags.StringVar(&o.Only, "only", "", "run only the mutants that this file names: what winnow rank --format json wrote, or ids, one a line")
	flags.IntVar(&o.Most, "most", 5000, "of a project with [build], or with --budget where more would take too long: make about so many mutants at most, spread over the lines; 0 means all; with --budget, as many of them as there is time for")
	flags.IntVar(&o.PerLine, "per-line", 0, "of a project with [build]: make so many mutants of a line at most; 0 means as many as --most has room for")
	flags.Var(&o.Top, "top", "run only the first mutants of their ranking, a number or a share, e.g. 10%")
	flags.BoolVar(&o.Matrix, "matrix", false, "of a project with [build]: run every test that can kill a mutant, not only until one does")
	flags.StringSliceVar(&o.Criteria, "criteria", nil, "also measure which lines, branches and functions the tests cover, on a build of its own for each tool: gcov, llvm-cov, or both with a comma between; winnow report shows them")
	flags.BoolVar(&o.CriteriaFirst, "criteria-first", false, "with --criteria: measure and show that first, also where a test then fails on the original, which otherwise ends the run before anything is measured")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the run, written to its manifest")
	o.Confinement.AddFlags(flags)
	flags.Var(&o.Mode, "progress", "how to show progress")
}

func newRun() *cobra.Command {
	var opts runOptions
	cmd := &cobra.Command{
		Use:   "run [PROJECT...]",
		Short: "Run every mutant of a project against its tests and record who kills what",
		Long: `Run every mutant of a project against its tests and record which test kills
which mutant, in one run folder a program (docs/formats). A project is a folder
with winnow.toml, which names the sources and the tests; the current one where none
is named.

With --faults, each known faulty version is mutated instead, and the correct
program says which tests reveal the fault: that is the history that winnow train
learns from.

Each program is recorded whole or not at all. One whose tests fail, or that does
not compile, does not keep the others from being recorded; the command then ends
with its exit status. With --force a folder of earlier runs is replaced, once
there is a new run to take its place, and no other folder ever is.

A run that was interrupted or killed, or whose --budget was up, goes on with
--resume: what was finished is not done again.

Mutants run confined: without network, in an empty folder, under limits of work,
memory, output and time. A limit is a cause of its own in the record. SECURITY.md
says what is promised on which machine.`,
		Example: "  winnow run examples/calendar\n  winnow run --faults --out history examples/*/",
		Args:    cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Projects = orDefault(args, here)
			opts.MostGiven = cmd.Flags().Changed("most")
			return runRun(cmd.Context(), opts, cmd.OutOrStdout(), cmd.ErrOrStderr(), progress.New(cmd.ErrOrStderr(), progress.Options{Mode: opts.Mode}))
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Timeout, exit.Baseline, exit.Input, exit.Tool, exit.Output)
}

func runRun(ctx context.Context, opts runOptions, stdout, stderr io.Writer, display *progress.Display) error {
	runs, err := opts.record(ctx, stderr, display)
	if len(runs) == 0 {
		return err
	}
	// What was recorded is shown even when another program failed.
	return errors.Join(writeRuns(stdout, runs, opts), err)
}

// record runs the mutants and returns what became of each program.
func (o *runOptions) record(ctx context.Context, stderr io.Writer, display *progress.Display) ([]*report.Run, error) {
	if o.Workers < 0 {
		return nil, exit.Usagef("--workers must not be negative")
	}
	mutation, err := o.Mutation.resolve()
	if err != nil {
		return nil, err
	}
	shard, err := campaign.ParseShard(o.Shard)
	if err != nil {
		return nil, err
	}
	criteria, err := o.criteria(stderr)
	if err != nil {
		return nil, err
	}
	if o.FixedVersions && !o.Faults {
		return nil, exit.Usagef("--fixed-versions needs --faults: without faults there is one version")
	}
	if o.Budget < 0 || o.Resume && o.Output.Force {
		return nil, exit.Usagef("--budget must not be negative, and --resume and --force exclude each other")
	}
	if !o.Resume {
		if err := o.Output.check(); err != nil {
			return nil, err
		}
	}
	var only *campaign.Selection
	if o.Only != "" {
		if only, err = campaign.ReadSelection(o.Only); err != nil {
			return nil, err
		}
	}
	if o.Top != (predict.Top{}) && (o.Only != "" || o.Shard != "") {
		return nil, exit.Usagef("--top excludes --only and --shard: each says which mutants are run")
	}
	mutation.PerLine = o.PerLine
	order, err := o.order()
	if err != nil {
		return nil, err
	}
	tools, err := clang.Find()
	if err != nil {
		return nil, err
	}
	limits := execute.Options{Workers: o.Workers}
	o.Confinement.confine(&limits, stderr)
	if o.proving == nil && !o.NoProve && !o.Faults {
		o.proving = &verdict.Proving{}
	}
	mutation.Most = o.bound
	sample := 0
	if o.Only == "" && o.Shard == "" && !o.Faults {
		sample = o.affordable()
	}
	choose := order
	if o.Top == (predict.Top{}) {
		choose = nil
	}
	return campaign.Run(ctx, tools, o.Projects, o.Output.Out, campaign.RunOptions{
		Say: sayTo(stderr, o.Mode), Matrix: o.Matrix, Most: o.most(), Grow: o.grows(), Order: order,
		Faults: o.Faults, FixedVersions: o.FixedVersions, Replace: o.Output.Force, Resume: o.Resume, Budget: o.Budget, Prove: o.proving,
		Record: campaign.RecordOptions{Readable: !o.Faults, Counts: o.Faults && !o.NoProbe, NoProbe: o.NoProbe, NoFeatures: o.noFeatures, Ages: o.Ages, Execute: limits, Tool: buildVersion(), Seed: o.Seed, Display: display, Mutation: mutation, Sample: sample, Shard: shard, Only: only, Choose: choose, Criteria: criteria},
	})
}

// criteria are the tools that measure what the tests cover; nil where there are none.
func (o *runOptions) criteria(stderr io.Writer) (*coverage.Wanted, error) {
	if len(o.Criteria) == 0 {
		if o.CriteriaFirst {
			return nil, exit.Usagef("--criteria-first needs --criteria, which names the tools")
		}
		return nil, nil
	}
	tools, err := coverage.Find(o.Criteria)
	if err != nil {
		return nil, err
	}
	wanted := &coverage.Wanted{Tools: tools, First: o.CriteriaFirst}
	wanted.Told = func(all []*criterion.Matrix) {
		var rows []report.Coverage
		for _, m := range all {
			rows = append(rows, report.CoverageOf(m))
		}
		_ = report.WriteCoverage(stderr, rows) // shown on the way; the record has it, too
	}
	return wanted, nil
}

// sayTo tells the user what a long run does and finds, unless nothing is to be said.
func sayTo(stderr io.Writer, mode progress.Mode) func(line string) {
	if mode == progress.Silent {
		return nil
	}
	start := time.Now()
	return func(line string) { fmt.Fprintf(stderr, "%6.1fs  %s\n", time.Since(start).Seconds(), line) }
}

func writeRuns(stdout io.Writer, runs []*report.Run, opts runOptions) error {
	if opts.JSON {
		return writeJSON(stdout, runs)
	}
	var text bytes.Buffer
	if err := report.WriteRuns(&text, runs); err != nil {
		return err
	}
	if !opts.Faults {
		if err := writeMissed(&text, runs, opts.Output.Out); err != nil {
			return err
		}
	}
	fmt.Fprintf(&text, "\nrecorded in %s\n", opts.Output.Out)
	return writeResult(stdout, text.Bytes())
}

// missedLines bounds the survivors that a run ends with, by program.
const missedLines = 20

// writeMissed shows the survivors that tests come near to noticing.
func writeMissed(text *bytes.Buffer, runs []*report.Run, out string) error {
	survived, first := 0, ""
	for _, r := range runs {
		subjects, err := subjectsToShow(showOptions{Run: out, Program: r.Program})
		if err != nil {
			return err
		}
		for _, s := range subjects {
			survivors, err := report.NewSurvivors(s)
			if err != nil {
				return err
			}
			if survived += survivors.Survived; survivors.Survived == 0 {
				continue
			}
			if first == "" {
				first = filepath.Join(out, r.Program)
			}
			text.WriteString("\n")
			if err := survivors.WriteText(text, report.SurvivorsOptions{Most: missedLines}); err != nil {
				return err
			}
		}
	}
	if survived > 0 {
		fmt.Fprintf(text, "\nAll of them: winnow show %s\nOne of them: winnow show %s ID\nMost worth a test: winnow rank --top 20 %s\n", out, out, first)
	}
	return nil
}
