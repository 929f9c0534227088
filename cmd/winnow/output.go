package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// outputOptions say where a command's result goes.
type outputOptions struct {
	// Out is a file or folder; "" is standard output where that makes sense.
	Out string
	// Force allows Out to be replaced.
	Force bool
}

// AddFlags declares --out and --force.
func (o *outputOptions) AddFlags(flags *pflag.FlagSet) {
	flags.StringVarP(&o.Out, "out", "o", o.Out, "where to write the result")
	flags.BoolVar(&o.Force, "force", false, "replace what --out names, if it exists")
}

// check refuses to replace something without --force, before any work is done.
func (o *outputOptions) check() error {
	if o.Out == "" || o.Force {
		return nil
	}
	if _, err := os.Lstat(o.Out); err == nil {
		return exit.New(exit.Output, fmt.Errorf("%s exists", o.Out), "name another place with --out, or allow it to be replaced with --force")
	}
	return nil
}

// write puts a result in its place, whole or not at all.
func (o *outputOptions) write(text []byte, stdout io.Writer) error {
	if o.Out == "" {
		if _, err := stdout.Write(text); err != nil {
			return exit.New(exit.System, fmt.Errorf("writing the result: %w", err), "")
		}
		return nil
	}
	return atomicfile.Write(o.Out, text)
}
