package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/discover"
)

// initOptions are the flags of winnow init.
type initOptions struct {
	discover.Options
	targets, exclude, tests []string
	// arguments are for the configure step of the build.
	arguments []string
}

func newInit() *cobra.Command {
	var opts initOptions
	cmd := &cobra.Command{
		Use:   "init [FOLDER] [-- CMAKE-ARGUMENTS...]",
		Short: "Write a project's winnow.toml from what is in its folder",
		Long: `Write winnow.toml, which says how winnow run builds and tests a project.

A copy of the project is built with its own build (autotools, CMake, Meson, a
makefile), in the user's cache; the project stays as it is. That says which files
make which library or program, which tests there are, and what to mutate: the code
under test, not test programs, examples or generators. --target and --exclude
choose otherwise. What follows -- goes to the configure step.

A folder without a build of its own, or whose build has no tests, is guessed from
its files: compile_commands.json, C files, folders with NAME.in and NAME.out. Where the
build works and there is no test at all, name one that runs what it makes (--test).
Comments in winnow.toml say what is known and why. Read it through.`,
		Example: "  winnow init\n  winnow init ../cjson --target misc_tests && winnow run ../cjson\n  winnow init ../bc --test 'echo 6*7 | ./bc/bc | grep -x 42'\n  winnow init ../utf8proc -- -DUTF8PROC_ENABLE_TESTING=ON",
		Args: func(cmd *cobra.Command, args []string) error {
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args = args[:at]
			}
			return cobra.MaximumNArgs(1)(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			folder := "."
			if at := cmd.ArgsLenAtDash(); at >= 0 {
				args, opts.arguments = args[:at], args[at:]
			}
			if len(args) == 1 {
				folder = args[0]
			}
			return runInit(cmd.Context(), folder, opts, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringSliceVar(&opts.targets, "target", nil, "the programs or libraries to mutate, of those that the project's build makes")
	cmd.Flags().StringSliceVar(&opts.exclude, "exclude", nil, "sources, or folders of them, not to mutate")
	cmd.Flags().StringArrayVar(&opts.tests, "test", nil, "a command that tests what the build makes, for a shell in the folder that is built in; may be repeated, and stands in the place of the tests that are found")
	cmd.Flags().BoolVar(&opts.Replace, "force", false, "replace the winnow.toml that is there")
	return ends(cmd, exit.Input, exit.Tool, exit.Output)
}

func runInit(ctx context.Context, folder string, opts initOptions, stdout, stderr io.Writer) error {
	say := sayTo(stderr, progress.Auto)
	start := time.Now()
	last := start
	c, err := discover.Build(ctx, folder, discover.BuildOptions{Targets: opts.targets, Exclude: opts.exclude, Configure: opts.arguments, Tests: opts.tests, Replace: opts.Replace,
		Progress: func(e capture.Event) {
			if now := time.Now(); now.Sub(last) > max(2*time.Second, now.Sub(start)/5) { // less often what lasts long
				last = now
				say(fmt.Sprintf("%s, %d files compiled so far", e.Step, e.Compiled))
			}
		}})
	switch {
	case err == nil:
		return writeBuild(stdout, folder, c)
	case !errors.Is(err, capture.ErrNoBuild) && !errors.Is(err, discover.ErrNoSuite):
		return err
	}
	if errors.Is(err, discover.ErrNoSuite) {
		opts.NeedTests = true
		say("its own build works, but " + discover.ErrNoSuite.Error() + ": looking for inputs among the files of the folder")
	}
	return guess(ctx, folder, opts, stdout)
}

// writeBuild says what was found in the project's own build.
func writeBuild(stdout io.Writer, folder string, c *capture.Capture) error {
	var text strings.Builder
	fmt.Fprintf(&text, "wrote %s\n\n", filepath.Join(folder, project.File))
	fmt.Fprintf(&text, "build   %s (%s)\n", c.System.Kind, c.System.Why)
	fmt.Fprintf(&text, "mutate  %s, %d files: %s\n", c.Subject.Name, len(c.Subject.Units), c.Subject.Why)
	fmt.Fprintf(&text, "tests   %d\n", len(c.Tests))
	for _, note := range c.Notes {
		fmt.Fprintf(&text, "note    %s\n", note)
	}
	fmt.Fprintf(&text, "\nNext: winnow run %s\n", folder)
	return writeResult(stdout, []byte(text.String()))
}

// guess writes a project file from the files of a folder that no build of its own, or
// none with tests, was found in.
func guess(ctx context.Context, folder string, opts initOptions, stdout io.Writer) error {
	var err error
	if len(opts.targets) > 0 {
		opts.Target = opts.targets[0]
	}
	opts.CMake = opts.arguments
	if opts.Tools, err = clang.Find(); err != nil {
		return err
	}
	g, err := discover.Init(ctx, folder, opts.Options)
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
