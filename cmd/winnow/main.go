// Command winnow ranks the mutants of a C program by how likely they are to
// reveal a real fault and to be killable.
//
// One file of this package is one verb: an options struct, its flags, and a
// run function that calls the rooms below and prints. What a verb computes is
// not here. An error decides the exit status by itself (package exit); this
// file prints it, turns signals into cancellation, and turns a panic into a
// request for a report.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/ir/clang"
)

const issues = "https://github.com/winnow-mutants/winnow/issues"

func main() {
	command.Main() // this executable is a worker, too
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	// The first signal asks the command to end in order; from then on a signal
	// does what it does by default, so that a second one ends it at once.
	context.AfterFunc(ctx, stop)
	os.Exit(int(run(ctx, os.Args[1:], os.Stdout, os.Stderr)))
}

// endings are the signals that end a command in order: all that do not mean that it has
// crashed, but for those that whoever started it wants ignored (nohup).
func endings() []os.Signal {
	return slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}, signal.Ignored)
}

// run is the whole command: it returns the status to exit with.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) exit.Code {
	defer clang.Rest() // what the compiler took counts as this command's
	return guard(stderr, func() exit.Code {
		root, started := newRoot()
		root.SetArgs(args)
		root.SetOut(stdout)
		root.SetErr(stderr)
		verb, err := root.ExecuteContextC(ctx)
		if err != nil && !*started {
			hint := exit.HintOf(err)
			if hint == "" {
				hint = "winnow --help lists the commands, winnow COMMAND --help their flags"
			}
			err = exit.New(exit.Usage, err, hint)
		}
		printError(stderr, verb.CommandPath(), err)
		return exit.Of(err)
	})
}

// printError prints an error of a command and what the user can do about it.
func printError(stderr io.Writer, command string, err error) {
	if err == nil {
		return
	}
	if exit.Of(err) == exit.Interrupted {
		fmt.Fprintln(stderr, "winnow: interrupted") // what was cancelled where tells the user nothing
		return
	}
	fmt.Fprintf(stderr, "winnow: %v\n", err)
	if hint := hintOf(command, err); hint != "" {
		fmt.Fprintf(stderr, "hint: %s\n", hint)
	}
	if exit.Of(err) == exit.Internal {
		fmt.Fprintf(stderr, "This is a bug in winnow. Please report it, with the command and its input: %s\n", issues)
	}
}

// guard runs f and turns a panic into exit status 70.
func guard(stderr io.Writer, f func() exit.Code) (code exit.Code) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		stack := debug.Stack()
		if p, ok := v.(*parallel.Panic); ok {
			v, stack = p.Value, p.Stack
		}
		printError(stderr, "", fmt.Errorf("internal error: %v\n\n%s", v, stack))
		code = exit.Internal
	}()
	return f()
}
