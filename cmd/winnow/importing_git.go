package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/importer"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// gitOptions are the flags of winnow import git.
type gitOptions struct {
	Project, History string
	Range            string
	Last             int
	Budget           time.Duration
	Workers          int
	Seed             uint64
	JSON             bool
	Fixes            bool
	Most             int
	Mutation         mutationOptions
	Confinement      confinementOptions
	Mode             progress.Mode
}

// AddFlags declares the flags of winnow import git.
func (o *gitOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVarP(&o.History, "out", "o", "git-history", "the history to add the versions to")
	flags.StringVar(&o.Range, "commits", "HEAD", "which commits, as for git log, e.g. v1.0..HEAD")
	flags.IntVar(&o.Last, "last", 10, "of these the last so many that changed the project")
	flags.BoolVar(&o.Fixes, "fixes", false, "look for bug fixes, and record each as a fault with the tests that reveal it")
	flags.IntVar(&o.Most, "most", 1000, "with --fixes: make about so many mutants of each at most, spread over the lines of what it changed")
	flags.DurationVar(&o.Budget, "budget", 0, "run each commit's mutants no longer than this, e.g. 10m; default as long as it takes")
	flags.IntVar(&o.Workers, "workers", 0, "mutants run at the same time; 0 means one a CPU")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the runs, written to their manifests")
	flags.BoolVar(&o.JSON, "json", false, "print what became of each commit as JSON")
	o.Mutation.AddFlags(flags)
	o.Confinement.AddFlags(flags)
	flags.Var(&o.Mode, "progress", "how to show progress")
}

func newImportGit() *cobra.Command {
	var opts gitOptions
	cmd := &cobra.Command{
		Use:   "git [PROJECT]",
		Short: "Record the commits of a project: survivors that later tests kill, or bug fixes",
		Long: `Run the mutants of a project as each of its last commits has it, the first first, and add
them to a history as versions of one program. A mutant that one commit's tests let live and a
later commit's kill is latent: somebody thought it worth a test, and that label is made by
itself (winnow dataset stats, export). So it is in a history to which each night's run is added.

PROJECT is a folder with winnow.toml in a git repository; where a commit has none, today's is
taken. The checkout is not touched. A commit that cannot be built, or whose tests fail, is
passed over, with the reason.

With --fixes it is faults that are looked for: commits that change sources and tests, and whose
tests fail when the sources are as they were before. The mutants of the sources that were
changed are run with all tests, and the tests that fail without the fix reveal the fault: a model
learns from that which mutants lead to tests that find bugs. For projects with [build].`,
		Example: "  winnow import git --last 5 --out history\n  winnow import git ../parser --commits v1.0..HEAD --budget 10m\n  winnow import git --fixes --last 50 --budget 2m --out faults",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Project = orDefault(args, here)[0]
			versions, err := opts.run(cmd.Context(), cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if opts.JSON {
				return writeJSON(cmd.OutOrStdout(), versions)
			}
			return writeResult(cmd.OutOrStdout(), versionsText(versions))
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Tool, exit.Output)
}

func (o *gitOptions) run(ctx context.Context, stderr io.Writer) ([]importer.GitVersion, error) {
	if o.Last < 1 || o.Workers < 0 || o.Budget < 0 || o.Most < 0 {
		return nil, exit.Usagef("--last must be positive, --workers, --most and --budget must not be negative")
	}
	mutation, err := o.Mutation.resolve()
	if err != nil {
		return nil, err
	}
	tools, err := clang.Find()
	if err != nil {
		return nil, err
	}
	limits := execute.Options{Workers: o.Workers}
	o.Confinement.confine(&limits, stderr)
	git := importer.GitOptions{
		Range: o.Range, Last: o.Last, Say: sayTo(stderr, o.Mode),
		Run: campaign.RunOptions{Budget: o.Budget, Record: campaign.RecordOptions{Readable: true, Execute: limits, Tool: buildVersion(), Seed: o.Seed, Mutation: mutation}},
	}
	if !o.Fixes {
		return importer.Git(ctx, tools, o.Project, o.History, git)
	}
	git.Run.Most, git.Run.Grow, git.Run.Say = o.Most, o.Budget > 0, git.Say
	return importer.Fixes(ctx, tools, o.Project, o.History, git)
}

// versionsText says what became of each commit.
func versionsText(versions []importer.GitVersion) []byte {
	var out bytes.Buffer
	for _, v := range versions {
		if v.Added == nil {
			fmt.Fprintf(&out, "%.12s passed over: %s\n", v.Commit, v.Reason)
			continue
		}
		fmt.Fprintf(&out, "%.12s %s", v.Commit, addedText([]*dataset.Added{v.Added}))
	}
	return out.Bytes()
}
