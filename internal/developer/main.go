// Package developer is what the main functions of the commands for developers have
// in common: those in cmd that measure and compare, and ship with no release. winnow's
// own command has more to do than they, and does not use it.
package developer

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// A Run is what a command does with its arguments. The report goes to out, what is
// shown on the way to errs.
type Run func(ctx context.Context, args []string, out, errs io.Writer) error

// Main runs a command until it is done or interrupted, and ends the process: with
// status 1, and the error on standard error, when it failed.
func Main(name string, run Run) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := Status(ctx, name, run, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// Status runs a command and returns the status that its process should end with.
func Status(ctx context.Context, name string, run Run, args []string, out, errs io.Writer) int {
	if err := run(ctx, args, out, errs); err != nil {
		fmt.Fprintf(errs, "%s: %v\n", name, err)
		return 1
	}
	return 0
}
