package main

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/agent"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/rule"
)

// mcpOptions are the flags of winnow mcp.
type mcpOptions struct {
	Run, Project, Program string
	// Operators are those that the run was made with.
	Operators string
	// Call is a call to make instead of serving, Input its JSON.
	Call, Input string
	Order       orderOptions
}

// AddFlags declares the flags of winnow mcp.
func (o *mcpOptions) AddFlags(flags *pflag.FlagSet) {
	o.addRun(flags)
	flags.StringVar(&o.Call, "call", "", "make one call and print its JSON: next, show, check, hint, mark or put_back")
	flags.StringVar(&o.Input, "input", "", "with --call: its input, a JSON object")
}

// addRun declares those that say which run is worked on.
func (o *mcpOptions) addRun(flags *pflag.FlagSet) {
	flags.StringVar(&o.Project, "project", "", "the folder with winnow.toml that was run; without it nothing can be run, only asked")
	flags.StringVar(&o.Program, "program", "", "of a folder with several runs, the program to work on")
	flags.StringVar(&o.Operators, "operators", "", "the --operators that the run was made with, if any were named")
	o.Order.AddFlags(flags)
}

func newMCP() *cobra.Command {
	var opts mcpOptions
	cmd := &cobra.Command{
		Use:   "mcp [RUN]",
		Short: "Give a coding agent the next gap, and check its tests",
		Long: `Serve the Model Context Protocol on standard input and output, for a coding agent that
writes tests: next(k) lists gaps, show(id) tells all about one, check(id, test) says whether
a test kills the mutant, reaches it or not, hint(id) makes a test up that does,
mark(id, as, reason) notes that it needs none, and put_back(fault) runs the tests with a
known fault. --call makes one call from the command line, with the same JSON.

A test is data, never a command: standard input and arguments of the project's own
program, which runs under limits. RUN is what winnow run wrote (--out); winnow-out
where none is named.`,
		Example: "  winnow mcp winnow-out --project .\n  winnow mcp winnow-out --call next --input '{\"k\": 5}'\n  winnow mcp winnow-out --project . --call check --input '{\"id\": \"1f0c2a\", \"test\": {\"input\": \"add 3\\n\"}}'",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Run = orDefault(args, defaultRun)[0]
			return runMCP(cmd.Context(), opts, cmd.InOrStdin(), cmd.OutOrStdout())
		},
	}
	opts.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Tool)
}

func runMCP(ctx context.Context, opts mcpOptions, stdin io.Reader, stdout io.Writer) error {
	if opts.Input != "" && opts.Call == "" {
		return exit.Usagef("--input is that of a call: name it with --call")
	}
	session, err := openSession(ctx, opts)
	if err != nil {
		return refused(err)
	}
	defer session.Close()
	if opts.Call == "" {
		session.Ahead(ctx)
		return session.Serve(ctx, io.NopCloser(stdin), writeCloser{stdout})
	}
	answer, err := session.Call(ctx, opts.Call, opts.Input)
	if err != nil {
		return refused(err)
	}
	return writeJSON(stdout, answer)
}

func openSession(ctx context.Context, opts mcpOptions) (*agent.Session, error) {
	run, err := oneRun(opts.Run, opts.Program)
	if err != nil {
		return nil, err
	}
	opts.Order.Project = opts.Project
	found, err := findingsOf(ctx, opts.Run, opts.Program, opts.Order)
	if err != nil {
		return nil, err
	}
	var tools *clang.Toolchain
	if opts.Project != "" {
		if tools, err = clang.Find(); err != nil {
			return nil, err
		}
	}
	work := agent.Options{Run: run.Dir, Project: opts.Project, Tool: buildVersion(), Tools: tools}
	work.Again = func(ctx context.Context, since map[string]int) ([]string, error) {
		order := opts.Order
		order.Since = since
		ranking, err := rankingOf(ctx, run, order)
		if err != nil || ranking == nil {
			return nil, err
		}
		var ids []string
		for i := range ranking.Mutants {
			ids = append(ids, ranking.Mutants[i].ID)
		}
		return ids, nil
	}
	if opts.Operators != "" {
		if work.Rules, err = rule.Lookup(opts.Operators); err != nil {
			return nil, err
		}
		work.Mutation.Rules = work.Rules
	}
	return agent.Open(found, work)
}

// refused gives what a session does not do a status.
func refused(err error) error {
	if no := (*agent.Refused)(nil); errors.As(err, &no) {
		return exit.New(exit.Input, err, "")
	}
	return err
}

// writeCloser leaves standard output open.
type writeCloser struct{ io.Writer }

func (writeCloser) Close() error { return nil }
