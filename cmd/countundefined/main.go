// Command countundefined counts the mutants of programs that package ub finds to be undefined
// in C, beside those that the analyses of Ebrahimipour (2016) find as they are published, and
// beside the figures of the thesis (docs/results/undefined-behaviour.md). Mutants are those of
// the ten operators of the thesis. It prints tables in Markdown.
//
//	go run ./cmd/countundefined [-cpu] [-n FILES] [-list CATEGORY] FOLDER...
//
// A folder has a compile_commands.json; scripts/undefined.sh makes those of the thesis'
// programs. With -cpu each file is also compiled with clang -O2, and the processor's time for
// that stands beside that of the analyses. -list prints the mutants that are undefined instead,
// of all categories or of one. The command is for developers and ships with no release.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"

	"github.com/winnow-mutants/winnow/internal/developer"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project/compdb"
)

func main() { developer.Main("countundefined", run) }

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	flags := flag.NewFlagSet("countundefined", flag.ContinueOnError)
	flags.SetOutput(errs)
	c := counter{out: out, errs: errs}
	flags.BoolVar(&c.compare, "cpu", false, "compile each file with clang -O2, too, and compare the processor's time")
	flags.IntVar(&c.most, "n", 0, "how many files of each program to look at, evenly spread; 0 for all")
	flags.StringVar(&c.list, "list", "", "print the mutants of a category, or of \"all\", instead of the tables")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name folders with a compile_commands.json")
	}
	var err error
	if c.tools, err = clang.Find(); err != nil {
		return err
	}
	var programs []*tally
	for _, folder := range flags.Args() {
		inputs, err := compdb.Read(folder, nil, nil)
		if err != nil {
			return err
		}
		t, err := c.program(ctx, filepath.Base(folder), chosen(inputs, c.most))
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		programs = append(programs, t)
	}
	if c.list == "" {
		write(out, programs, c.compare)
	}
	return nil
}

// chosen are so many of the files, evenly spread.
func chosen(inputs []program.Input, most int) []program.Input {
	if most == 0 || most >= len(inputs) {
		return inputs
	}
	var out []program.Input
	for k := range most {
		out = append(out, inputs[k*len(inputs)/most])
	}
	return out
}
