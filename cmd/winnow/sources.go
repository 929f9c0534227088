package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
)

// sourceOptions say which C code a command mutates, and how. The commands that make
// mutants of what they are given share them.
type sourceOptions struct {
	Inputs []string
	// CompilerFlags are what follows --.
	CompilerFlags []string
	// Entries choose among several ways in which a file is compiled.
	Entries  []string
	Mutation mutationOptions
	Workers  int
}

// AddFlags declares the flags.
func (o *sourceOptions) AddFlags(flags *pflag.FlagSet) {
	o.Mutation.AddFlags(flags)
	flags.StringArrayVar(&o.Entries, "entry", nil, "of a file with several entries in compile_commands.json, the one to take: FILE=N or FILE=OUTPUT")
	flags.IntVar(&o.Workers, "workers", 0, "files, functions and programs of LLVM worked on at the same time; 0 means one a CPU")
}

// take reads the arguments: inputs and, behind --, flags for the compiler.
func (o *sourceOptions) take(cmd *cobra.Command, args []string) {
	o.Inputs = args
	if n := cmd.ArgsLenAtDash(); n >= 0 {
		o.Inputs, o.CompilerFlags = args[:n], args[n:]
	}
	o.Inputs = orDefault(o.Inputs, here)
}

// given says whether a flag was that chooses what is mutated.
func (o *sourceOptions) given(flags *pflag.FlagSet) bool {
	return o.Mutation.given(flags) || flags.Changed("entry")
}

// sources are the C code that is there, and what it takes to mutate it.
type sources struct {
	inputs []program.Input
	tools  *clang.Toolchain
	program.LoadOptions
	// display shows what lasts.
	display *progress.Display
}

// open checks the flags and finds the inputs and the compiler. A project that its own build builds is
// built for that, of which stderr is told.
func (o *sourceOptions) open(ctx context.Context, stderr io.Writer) (s sources, err error) {
	if o.Workers < 0 {
		return s, exit.Usagef("--workers must not be negative")
	}
	s.LoadOptions = program.LoadOptions{Workers: o.Workers, Name: programName(o.Inputs)}
	s.display = progress.New(stderr, progress.Options{})
	if s.Mutation, err = o.Mutation.resolve(); err != nil {
		return s, err
	}
	built, err := o.built()
	if err != nil {
		return s, err
	}
	if built == nil {
		if s.inputs, err = project.Inputs(o.Inputs, o.CompilerFlags, o.Entries...); err != nil {
			return s, err
		}
	}
	if s.tools, err = clang.Find(); err != nil || built == nil {
		return s, err
	}
	s.Name = built.Program
	s.inputs, s.Mutation, err = campaign.BuiltSources(ctx, s.tools, *built, s.Mutation, o.Workers, func(text string) { fmt.Fprintln(stderr, text) })
	if err == nil && len(s.inputs) == 0 {
		err = exit.New(exit.Input, fmt.Errorf("%s: of its source files none is left to mutate", built.Program), "name others in winnow.toml: targets says what is mutated, exclude what is not")
	}
	return s, err
}

// built is the project that is the only input, if its own build builds it; nil for anything else.
func (o *sourceOptions) built() (*project.Case, error) {
	if len(o.Inputs) != 1 || len(o.CompilerFlags)+len(o.Entries) > 0 || !paths.Exist(filepath.Join(o.Inputs[0], project.File)) ||
		paths.Exist(filepath.Join(o.Inputs[0], "compile_commands.json")) {
		return nil, nil
	}
	cases, err := project.CasesOf(o.Inputs, false)
	if err != nil || len(cases) != 1 || cases[0].Build == nil {
		return nil, err
	}
	return &cases[0], nil
}

// load compiles the code and makes its mutants.
func (s *sources) load(ctx context.Context) (*program.Program, error) {
	defer s.display.During("making mutants, and comparing them with the original")()
	return program.Load(ctx, s.tools, s.inputs, s.LoadOptions)
}

// projectOf is the folder of a project among inputs; none, where they are files.
func projectOf(inputs []string) string {
	if programName(inputs) == "" {
		return ""
	}
	return inputs[0]
}

// programName names a program after its folder; "" leaves it to the first file.
func programName(inputs []string) string {
	if len(inputs) != 1 {
		return ""
	}
	folder, err := filepath.Abs(inputs[0])
	if err != nil {
		return ""
	}
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return ""
	}
	return filepath.Base(folder)
}
