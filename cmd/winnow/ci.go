package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/ci"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/rank"
	"github.com/winnow-mutants/winnow/report/exchange"
	"github.com/winnow-mutants/winnow/report/findings"
	"github.com/winnow-mutants/winnow/report/page"
)

// ciOptions are the flags of winnow ci.
type ciOptions struct {
	Folder   string
	Mutation mutationOptions
	Top      predict.Top
	Budget   time.Duration
	Order    orderOptions
	// Baseline names the accepted survivors, WriteBaseline is where to write those of now.
	Baseline, WriteBaseline string
	// FailOn is when the command ends with status 2, MinScore the limit of score.
	FailOn   string
	MinScore float64
	// Allow is how many new gaps do not fail.
	Allow   int
	Store   string
	HTML    string
	Formats formatFlags
	JSON    bool
	DryRun  bool
	Workers int
	Mode    progress.Mode
}

// AddFlags declares the flags of winnow ci.
func (o *ciOptions) AddFlags(flags *pflag.FlagSet) {
	o.Mutation.AddFlags(flags)
	flags.Var(&o.Top, "top", "run this many mutants (20) or this share of them (5%) at most, each line's best first; default 100")
	flags.DurationVar(&o.Budget, "budget", 0, "run no longer than this, e.g. 10m; mutants that there is no time for are said to be unknown")
	o.Order.AddFlags(flags)
	flags.StringVar(&o.Baseline, "baseline", "", "a file of survivors that are accepted, and no news")
	flags.StringVar(&o.WriteBaseline, "write-baseline", "", "write such a file with the survivors of this run")
	flags.StringVar(&o.FailOn, "fail-on", "new", "end with status 2 on new survivors (new), on a score below --min-score (score), or never (none)")
	flags.Float64Var(&o.MinScore, "min-score", 0, "with --fail-on score: the least share of mutants that must be killed, in percent")
	flags.IntVar(&o.Allow, "allow", 0, "with --fail-on new: so many new gaps do not fail")
	flags.StringVar(&o.Store, "cache", output.State, "a folder, in the project's, that keeps verdicts from run to run; \"\" keeps none")
	flags.StringVar(&o.HTML, "html", "", "write one page that needs no server and no network")
	o.Formats.AddFlags(flags)
	flags.BoolVar(&o.DryRun, "dry-run", false, "choose the mutants and run none: what has no kept verdict is unknown")
	flags.BoolVar(&o.JSON, "json", false, "print the result as JSON")
	flags.IntVar(&o.Workers, "workers", 0, "programs run at the same time; 0 means one a CPU")
	flags.Var(&o.Mode, "progress", "how to show progress")
}

func newCI() *cobra.Command {
	var opts ciOptions
	if err := opts.Top.Set("100"); err != nil {
		panic(err) // a number
	}
	cmd := &cobra.Command{
		Use:   "ci [PROJECT]",
		Short: "Run the best mutants of what changed, and fail on new survivors",
		Long: `Rank the mutants of the lines that changed (--diff), run the best of them, and end
with status 2 when the tests let one live that no baseline knows. A project is a folder
with winnow.toml.

Verdicts are kept in a folder (--cache) under a key of the function, the tests and the
tools: what did not change is not run again. A new survivor is run again on every test
that reaches it before it fails a build.

In GitHub Actions the ten best gaps are printed as annotations, and a summary is added to
the job's (GITHUB_STEP_SUMMARY).`,
		Example: "  winnow ci --diff origin/main --budget 10m --sarif winnow.sarif\n  winnow ci --write-baseline winnow-baseline.json --fail-on none",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Folder = "."
			if len(args) == 1 {
				opts.Folder = args[0]
			}
			return runCI(cmd.Context(), opts, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Findings, exit.Timeout, exit.Baseline, exit.Input, exit.Tool, exit.Output)
}

func runCI(ctx context.Context, opts ciOptions, stdout, stderr io.Writer) error {
	request, err := opts.request(stderr)
	if err != nil {
		return err
	}
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	result, err := ci.Run(ctx, tools, request)
	if err != nil {
		return rankingError(err)
	}
	result.Findings.Root = belowRepository(ctx, opts.Folder)
	if err := opts.write(result, stdout, stderr); err != nil {
		return err
	}
	return opts.verdict(result)
}

// request checks the flags.
func (o *ciOptions) request(stderr io.Writer) (ci.Options, error) {
	out := ci.Options{Folder: o.Folder, Top: o.Top, Budget: o.Budget, Store: o.Store, Confirm: o.FailOn == "new" && !o.DryRun, DryRun: o.DryRun, Say: sayTo(stderr, o.Mode)}
	switch {
	case o.FailOn != "new" && o.FailOn != "score" && o.FailOn != "none":
		return out, exit.Usagef("--fail-on %s: want new, score or none", o.FailOn)
	case o.Budget < 0 || o.Workers < 0 || o.Allow < 0 || o.MinScore < 0 || o.MinScore > 100:
		return out, exit.Usagef("--budget, --workers and --allow must not be negative, and --min-score is a share in percent")
	case o.FailOn == "score" && o.MinScore == 0:
		return out, exit.Usagef("--fail-on score needs a limit: --min-score 80")
	}
	var err error
	if out.Mutation, err = o.Mutation.resolve(); err != nil {
		return out, err
	}
	strategy, err := predict.Lookup(o.Order.Strategy)
	if err != nil {
		return out, exit.New(exit.Usage, err, "")
	}
	out.Rank = rank.Options{Strategy: strategy, Seed: 1, Workers: o.Workers}
	if out.Rank.Model, err = modelFor(o.Order.Model, o.Folder, strategy); err != nil {
		return out, err
	}
	if o.Baseline != "" {
		if out.Known, err = ci.ReadBaseline(o.Baseline); err != nil {
			return out, err
		}
	}
	if o.Store != "" && !filepath.IsAbs(o.Store) {
		out.Store = filepath.Join(o.Folder, o.Store)
	}
	out.Record = campaign.RecordOptions{Execute: execute.Options{Workers: o.Workers}, Tool: buildVersion(), Seed: 1}
	return out, nil
}

// write writes the files that were asked for, and says what was found.
func (o *ciOptions) write(r *ci.Result, stdout, stderr io.Writer) error {
	files := o.Formats.chosen()
	if o.HTML != "" {
		files = append(files, outFile{o.HTML, page.Write})
	}
	var said bytes.Buffer
	if err := writeFiles(r.Findings, files, &said); err != nil {
		return err
	}
	if o.WriteBaseline != "" {
		if err := ci.WriteBaseline(o.WriteBaseline, r.Findings); err != nil {
			return exit.New(exit.System, err, "")
		}
		fmt.Fprintf(&said, "wrote %s\n", o.WriteBaseline)
	}
	if err := onGitHub(r.Findings, stderr); err != nil {
		return err
	}
	if o.JSON {
		return writeJSON(stdout, ci.Describe(r))
	}
	var text bytes.Buffer
	if err := ci.WriteText(&text, r); err != nil {
		return err
	}
	text.Write(said.Bytes())
	return writeResult(stdout, text.Bytes())
}

// onGitHub prints annotations, on standard error so that --json stays JSON, and adds to the
// job's summary, where that is asked for by the environment.
func onGitHub(r *findings.Run, stderr io.Writer) error {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	if err := exchange.GitHub(stderr, r); err != nil {
		return err
	}
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return exit.New(exit.System, err, "")
	}
	defer f.Close()
	return exchange.Markdown(f, r)
}

// verdict is the status that the options ask for.
func (o *ciOptions) verdict(r *ci.Result) error {
	score, known := r.Score()
	switch {
	case o.DryRun:
		return nil
	case o.FailOn == "new" && len(r.New) > o.Allow:
		return exit.New(exit.Findings, fmt.Errorf("the tests have %d gaps that no baseline knows", len(r.New)),
			"write a test that tells one, or accept them with --write-baseline FILE")
	case o.FailOn == "score" && !known && r.InScope > 0:
		return exit.New(exit.Findings, fmt.Errorf("no mutant has a verdict, so that there is no score"), "give it more time with --budget")
	case o.FailOn == "score" && known && 100*score < o.MinScore:
		return exit.New(exit.Findings, fmt.Errorf("the tests kill %.1f %% of the mutants, and %g %% is the limit", 100*score, o.MinScore), "")
	case r.NotRun > 0 && o.FailOn != "none":
		return exit.New(exit.Timeout, fmt.Errorf("%d of the chosen mutants were not run, for the time was up", r.NotRun), "give it more time with --budget, or fewer mutants with --top")
	}
	return nil
}

// belowRepository is the folder as seen from the repository that it is in; "" where it is in
// none.
func belowRepository(ctx context.Context, folder string) string {
	cmd := exec.CommandContext(ctx, "git", "rev-parse", "--show-prefix")
	cmd.Dir = folder
	text, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(strings.TrimSpace(string(text)), "/")
}
