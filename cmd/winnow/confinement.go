package main

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/execute"
)

// confinementOptions say what is to be done on a machine that cannot confine runs fully.
type confinementOptions struct{ Require bool }

// AddFlags declares the flag.
func (o *confinementOptions) AddFlags(flags *pflag.FlagSet) {
	flags.BoolVar(&o.Require, "require-sandbox", false, "run nothing where this machine lacks a part of the confinement (SECURITY.md), in place of a warning")
}

// confine has runs be refused where they cannot be confined, or a warning said once.
func (o confinementOptions) confine(runs *execute.Options, stderr io.Writer) {
	runs.RequireSandbox = o.Require
	var once sync.Once
	runs.Sandboxed = func(s execute.Sandbox) {
		weaknesses := s.Weaknesses()
		if len(weaknesses) == 0 {
			return
		}
		once.Do(func() {
			fmt.Fprintf(stderr, "winnow: warning: mutants are not fully confined on this machine: %s\n", strings.Join(weaknesses, "; "))
		})
	}
}
