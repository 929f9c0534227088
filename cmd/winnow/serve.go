package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/spf13/cobra"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/ci"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/msp"
	"github.com/winnow-mutants/winnow/mutant/scope"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/rank"
	"github.com/winnow-mutants/winnow/report/findings"
)

// serveOptions are the flags of winnow serve.
type serveOptions struct {
	Channel, Project string
	Address          string
	Port             int
	Order            orderOptions
}

func newServe() *cobra.Command {
	var opts serveOptions
	cmd := &cobra.Command{
		Use:   "serve stdio|socket",
		Short: "Serve an editor the mutants of a project",
		Long: `Speak the Mutation Server Protocol (configure, discover, mutationTest), with which
editors show mutants where they are. stdio serves standard input and output; socket
serves one connection after the other at --address and --port.

Results come in the order of the ranking. Verdicts are kept in the project's folder
.winnow, so that only what changed is run again. Files outside of the project are ignored.`,
		Example: "  winnow serve stdio\n  winnow serve socket --port 4711 --project ../parser",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			opts.Channel = args[0]
			return runServe(cmd.Context(), opts, cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVar(&opts.Project, "project", ".", "the folder with winnow.toml")
	cmd.Flags().StringVar(&opts.Address, "address", "localhost", "with socket: where to listen")
	cmd.Flags().IntVar(&opts.Port, "port", 0, "with socket: the port")
	opts.Order.AddFlags(cmd.Flags())
	return ends(cmd, exit.Input, exit.Tool)
}

func runServe(ctx context.Context, opts serveOptions, stdin io.Reader, stdout, stderr io.Writer) error {
	engine, err := newEngine(opts)
	if err != nil {
		return err
	}
	server := &msp.Server{Engine: engine, Folder: opts.Project}
	switch {
	case opts.Channel == "stdio":
		if err := server.Serve(ctx, stdin, stdout); err != nil && ctx.Err() == nil {
			return exit.New(exit.Input, err, "the client is to speak the Mutation Server Protocol")
		}
		return ctx.Err()
	case opts.Channel != "socket":
		return exit.Usagef("serve %s: want stdio or socket", opts.Channel)
	case opts.Port < 1 || opts.Port > 65535:
		return exit.Usagef("serve socket needs --port, from 1 to 65535")
	}
	return listen(ctx, server, net.JoinHostPort(opts.Address, fmt.Sprint(opts.Port)), stderr)
}

// listen serves one connection after the other.
func listen(ctx context.Context, server *msp.Server, address string, stderr io.Writer) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return exit.New(exit.System, err, "name another port with --port")
	}
	defer listener.Close()
	stop := context.AfterFunc(ctx, func() { listener.Close() })
	defer stop()
	fmt.Fprintf(stderr, "winnow: serving at %s\n", listener.Addr())
	for {
		conn, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return ctx.Err()
		}
		if err != nil {
			return exit.New(exit.System, err, "")
		}
		closing := context.AfterFunc(ctx, func() { conn.Close() })
		if err := server.Serve(ctx, conn, conn); err != nil {
			fmt.Fprintf(stderr, "winnow: a client was left: %v\n", err)
		}
		closing()
		conn.Close()
	}
}

// engine finds mutants as winnow ci does.
type engine struct {
	options ci.Options
	tools   *clang.Toolchain
}

func newEngine(opts serveOptions) (*engine, error) {
	tools, err := clang.Find()
	if err != nil {
		return nil, err
	}
	strategy, err := predict.Lookup(opts.Order.Strategy)
	if err != nil {
		return nil, exit.New(exit.Usage, err, "")
	}
	request := ciOptions{Folder: opts.Project, FailOn: "none", Store: output.State, Order: opts.Order, Mutation: mutationOptions{Passes: "default"}}
	out, err := request.request(io.Discard)
	if err != nil {
		return nil, err
	}
	out.Rank = rank.Options{Strategy: strategy, Model: out.Rank.Model, Seed: 1}
	out.Record = campaign.RecordOptions{Tool: buildVersion(), Seed: 1}
	return &engine{out, tools}, nil
}

// Mutants finds the mutants that are wanted, and runs them where that is asked for.
func (e *engine) Mutants(ctx context.Context, want msp.Wanted, run bool) (*findings.Run, error) {
	opts := e.options
	opts.Only, opts.DryRun = want.IDs, !run
	opts.Mutation.Scope = scope.Options{Files: want.Files, Lines: want.Lines}
	result, err := ci.Run(ctx, e.tools, opts)
	if err != nil {
		return nil, err
	}
	return result.Findings, nil
}
