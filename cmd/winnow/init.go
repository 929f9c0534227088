package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/discover"
)

func newInit() *cobra.Command {
	var opts discover.Options
	cmd := &cobra.Command{
		Use:   "init [FOLDER] [-- CMAKE-ARGUMENTS...]",
		Short: "Write a project's winnow.toml from what is in its folder",
		Long: `Write winnow.toml, which says how winnow run builds and tests a project, from
what is in the project's folder: CMakeLists.txt and CTest's tests,
compile_commands.json, a Makefile's flags, C files, and folders with NAME.in and
NAME.out. Comments in the file say what each guess rests on. Read it through.

A CMake project is configured as a copy, in a temporary folder; headers that this
makes are kept in the folder winnow-include. What follows -- goes to CMake.`,
		Example: "  winnow init\n  winnow init ../cjson --target misc_tests && winnow run ../cjson\n  winnow init ../utf8proc -- -DUTF8PROC_ENABLE_TESTING=ON",
		Args: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args = args[:at]
			}
			return cobra.MaximumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := "."
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args, opts.CMake = args[:at], args[at:]
			}
			if len(args) == 1 {
				folder = args[0]
			}
			return runInit(cmd.Context(), folder, opts, cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&opts.Target, "target", "", "the program to take, of those that CMake builds; default the one with the most tests")
	cmd.Flags().BoolVar(&opts.Replace, "force", false, "replace the winnow.toml that is there")
	return ends(cmd, exit.Input, exit.Tool, exit.Output)
}

func runInit(ctx context.Context, folder string, opts discover.Options, stdout io.Writer) error {
	var err error
	if opts.Tools, err = clang.Find(); err != nil {
		return err
	}
	g, err := discover.Init(ctx, folder, opts)
	if err != nil {
		return err
	}
	var text strings.Builder
	p := &g.Project
	fmt.Fprintf(&text, "wrote %s: program %s, sources %d, harness %d, tests %s\n", filepath.Join(folder, project.File), p.Program, len(p.Sources), len(p.Harness), testsOf(p))
	for _, note := range g.Notes {
		fmt.Fprintln(&text, note)
	}
	fmt.Fprintf(&text, "Read it through, and then: winnow run %s\n", folder)
	return writeResult(stdout, []byte(text.String()))
}

func testsOf(p *project.Project) string {
	if p.Tests.Dir != "" {
		return "in " + p.Tests.Dir
	}
	return fmt.Sprint(len(p.Tests.Commands))
}
