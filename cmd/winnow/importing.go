package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/dataset/codeflaws"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/importer"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// importOptions are the flags of winnow import codeflaws.
type importOptions struct {
	Benchmark  string
	Mutation   mutationOptions
	Renew      renewOptions
	Criteria   criteriaOptions
	History    string
	IDs        string
	Limit      int
	MaxMutants int
	MaxData    int64
	MaxTests   int
	MaxWork    int64
	MaxOutput  int64
	StopAfter  int
	Seed       uint64
	NoProbe    bool
	Augment    int
	Workers    int
	// Confinement says what is to be done where runs cannot be confined.
	Confinement confinementOptions
	Mode        progress.Mode
}

// augmentUsage is the usage of --augment.
const augmentUsage = "add up to so many tests a fault, with inputs like those there are, on which both versions run clean under sanitizers; they are marked, and --pool original leaves them out"

// AddFlags declares the flags of winnow import codeflaws.
func (o *importOptions) AddFlags(flags *pflag.FlagSet) {
	o.Mutation.AddFlags(flags)
	o.Renew.AddFlags(flags)
	o.Criteria.AddFlags(flags)
	flags.StringVarP(&o.History, "out", "o", "codeflaws-history", "the history to write, or to go on with")
	flags.StringVar(&o.IDs, "ids", "", "a file with the ids of the faults to take, one a line; default all")
	flags.IntVar(&o.Limit, "limit", 0, "stop after this many usable faults; 0 means all")
	flags.Int64Var(&o.MaxData, "max-data", 128<<20, "leave out programs with more bytes of variables: some clear all of them in each run; 0 means none")
	flags.IntVar(&o.MaxMutants, "max-mutants", 0, "leave out programs with more mutants; 0 means none")
	flags.IntVar(&o.MaxTests, "max-tests", 25, "tests to keep for each fault")
	flags.Int64Var(&o.MaxWork, "max-work", 200_000, "set aside tests on which the faulty program runs more loop iterations and calls; 0 means none")
	flags.Int64Var(&o.MaxOutput, "max-output", 256<<10, "set aside tests on which the faulty program prints more bytes: numbers are slow to print")
	flags.IntVar(&o.StopAfter, "stop-after-timeouts", 3, "leave a mutant's other tests undecided after so many timeouts; 0 means never")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the order of faults and of the choice of tests")
	flags.BoolVar(&o.NoProbe, "no-probe", false, "run every mutant that a test reaches, also where one run of the original shows that it cannot differ")
	flags.IntVar(&o.Augment, "augment", 0, augmentUsage)
	flags.IntVar(&o.Workers, "workers", 0, "faults run at the same time; 0 means one a CPU")
	o.Confinement.AddFlags(flags)
	flags.Var(&o.Mode, "progress", "how to show progress")
}

func newImport() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "import",
		Short: "Record a history from faults that are known",
		Long:  "Record a history from a benchmark of real faults or from your own, to train on, or\ntake over what another tool recorded.",
		Args:  noSuchCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	var opts importOptions
	from := &cobra.Command{
		Use:   "codeflaws BENCHMARK",
		Short: "Record the hard faults of Codeflaws",
		Long: `Record the hard faults of Codeflaws: those that less than a quarter of the tests
reveal. BENCHMARK is the folder of that name in the benchmark's repository;
docs/codeflaws.md says how to get it. The faulty version is mutated, the fixed one
is the oracle. An import that was interrupted goes on where it stopped. With
--renew-features a history gets the features that this winnow computes, and keeps all
else that was recorded; with --criteria what the study of criteria reads is added to it
(docs/codeflaws.md).`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Benchmark = args[0]
			return runImport(cmd.Context(), opts, cmd.OutOrStdout(), cmd.ErrOrStderr(), progress.New(cmd.ErrOrStderr(), progress.Options{Mode: opts.Mode}))
		},
	}
	opts.AddFlags(from.Flags())
	cmd.AddCommand(ends(from, exit.Input, exit.Tool, exit.Output), newImportPairs(), newImportGit(), newImportMart())
	for _, tool := range foreignTools() {
		cmd.AddCommand(newImportForeign(tool))
	}
	return cmd
}

func runImport(ctx context.Context, opts importOptions, stdout, stderr io.Writer, display *progress.Display) error {
	if min(opts.Limit, opts.MaxMutants, opts.MaxTests, opts.StopAfter, opts.Workers, opts.Augment) < 0 || min(opts.MaxWork, opts.MaxData) < 0 || opts.MaxOutput < 1 {
		return exit.Usagef("--limit, --max-mutants, --max-tests, --max-work, --max-data, --stop-after-timeouts, --augment and --workers must not be negative, --max-output must be positive")
	}
	if err := opts.Criteria.check(&opts.Renew); err != nil {
		return err
	}
	mutation, err := opts.Mutation.resolve()
	if err != nil {
		return err
	}
	if opts.Renew.Renew {
		return opts.Renew.run(ctx, importer.RenewCodeflaws, opts.Benchmark, opts.History, renewal(mutation, opts.Workers, display), stdout)
	}
	limits := execute.Options{StopAfterTimeouts: opts.StopAfter, BaselineWork: opts.MaxWork, BaselineWall: time.Second, OutputBytes: opts.MaxOutput}
	opts.Confinement.confine(&limits, stderr)
	if opts.Criteria.Criteria {
		return opts.Criteria.run(ctx, importer.CriteriaCodeflaws, opts.Benchmark, opts.History, importer.CriteriaOptions{
			Workers: opts.Workers, Limit: opts.Limit, Seed: opts.Seed, Mutation: mutation, Execute: limits, Display: display}, stdout)
	}
	tools, err := clang.Find()
	if err != nil {
		return err
	}
	ids, err := readIDs(opts.IDs)
	if err != nil {
		return err
	}
	summary, err := importer.Codeflaws(ctx, tools, opts.Benchmark, opts.History, importer.Options{
		IDs: ids, Limit: opts.Limit, Seed: opts.Seed, MaxMutants: opts.MaxMutants, MaxData: opts.MaxData, Workers: opts.Workers,
		Choose:  codeflaws.ChooseOptions{MaxTests: opts.MaxTests, Seed: opts.Seed},
		Execute: limits, NoProbe: opts.NoProbe, Augment: opts.Augment, Tool: buildVersion(), Display: display, Mutation: mutation,
	})
	if err != nil {
		return err
	}
	return writeJSON(stdout, summary)
}

// readIDs reads a list of ids; blank lines and those that start with # are
// left out.
func readIDs(file string) ([]string, error) {
	if file == "" {
		return nil, nil
	}
	in, err := os.Open(file)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	defer in.Close()
	var out []string
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if id := strings.TrimSpace(lines.Text()); id != "" && !strings.HasPrefix(id, "#") {
			out = append(out, id)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, exit.New(exit.Input, fmt.Errorf("reading %s: %w", file, err), "")
	}
	if len(out) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: no ids", file), "")
	}
	return out, nil
}
