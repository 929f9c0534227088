package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
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
	json      bool
}

// initResult is what winnow init found.
type initResult struct {
	// File is the project file, and Written says that it was written.
	File    string `json:"file"`
	Written bool   `json:"written"`
	Program string `json:"program"`
	// Build is how the project is built, "" where it was guessed from its files; Why says how
	// that was seen, and Mutate why these sources are the code under test.
	Build  string `json:"build,omitempty"`
	Why    string `json:"why,omitempty"`
	Mutate string `json:"mutate,omitempty"`
	// Sources are mutated, and Harness is not, of what was guessed from files.
	Sources []string `json:"sources"`
	Harness []string `json:"harness,omitempty"`
	// Tests is how many were found; where they are the inputs of a folder, that is Inputs.
	Tests  int    `json:"tests,omitempty"`
	Inputs string `json:"inputs,omitempty"`
	// Failing are the tests that fail as they are.
	Failing []string `json:"failing,omitempty"`
	Notes   []string `json:"notes,omitempty"`
	// Text is the project file's.
	Text string `json:"text"`
}

func newInit() *cobra.Command {
	var opts initOptions
	cmd := &cobra.Command{
		Use:   "init [FOLDER] [-- CONFIGURE-ARGUMENTS...]",
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
	cmd.Flags().BoolVar(&opts.DryRun, "dry-run", false, "print winnow.toml in place of writing it")
	cmd.Flags().BoolVar(&opts.json, "json", false, "print what was found as JSON")
	return ends(cmd, exit.Input, exit.Tool, exit.Output)
}

func runInit(ctx context.Context, folder string, opts initOptions, stdout, stderr io.Writer) error {
	say := sayTo(stderr, progress.Auto)
	start := time.Now()
	last := start
	c, file, err := discover.Build(ctx, folder, discover.BuildOptions{Targets: opts.targets, Exclude: opts.exclude, Configure: opts.arguments, Tests: opts.tests, Replace: opts.Replace, DryRun: opts.DryRun,
		Progress: func(e capture.Event) {
			if now := time.Now(); now.Sub(last) > max(2*time.Second, now.Sub(start)/5) { // less often what lasts long
				last = now
				say(fmt.Sprintf("%s, %d files compiled so far", e.Step, e.Compiled))
			}
		}})
	switch {
	case err == nil:
		return opts.writeBuild(stdout, folder, c, file)
	case !errors.Is(err, capture.ErrNoBuild) && !errors.Is(err, discover.ErrNoSuite):
		return err
	}
	if errors.Is(err, discover.ErrNoSuite) {
		opts.NeedTests = true
		if c != nil {
			for _, note := range c.Notes {
				say(note)
			}
		}
		say(discover.ErrNoSuite.Error() + ": looking for inputs among the files of the folder")
	}
	guessed := guess(ctx, folder, opts, stdout)
	if guessed != nil && opts.NeedTests && exit.Of(guessed) == exit.Input {
		return err // what can be done about that is to name the tests
	}
	return guessed
}

// writeBuild says what was found in the project's own build.
func (o *initOptions) writeBuild(stdout io.Writer, folder string, c *capture.Capture, file []byte) error {
	out := initResult{Program: c.Subject.Name, Build: c.System.Kind, Why: c.System.Why, Mutate: c.Subject.Why, Sources: []string{}, Tests: len(c.Tests), Notes: c.Notes, Text: string(file)}
	for _, u := range c.Subject.Units {
		source, _, _ := strings.Cut(strings.TrimPrefix(u, "source/"), "#") // of the copy; and with other flags again
		if !slices.Contains(out.Sources, source) {
			out.Sources = append(out.Sources, source)
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "build   %s (%s)\n", c.System.Kind, c.System.Why)
	if c.Subject.Why == "" {
		c.Subject.Why = "nothing: name what to mutate (winnow init --force --target)"
	} else {
		c.Subject.Why = c.Subject.Name + ": " + c.Subject.Why
	}
	fmt.Fprintf(&text, "mutate  %s\n", c.Subject.Why)
	said := ""
	for i := range c.Tests {
		if t := &c.Tests[i]; t.Failing {
			out.Failing = append(out.Failing, t.Name)
			said = cmp.Or(said, t.Said)
		}
	}
	fmt.Fprintf(&text, "tests   %d%s\n", len(c.Tests), failingOf(out.Failing, len(c.Tests), said))
	out.Notes = append(slices.Clone(c.Notes), slowness(c)...)
	for _, note := range out.Notes {
		fmt.Fprintf(&text, "note    %s\n", note)
	}
	return o.write(stdout, folder, out, text.String())
}

// slow tests leave little of a minute, which is what a first run is often given: they run twice on the original before
// any mutant does. A worthwhile budget is so many times what they take, one after the other.
const slow, worthwhile = 4 * time.Second, 20

// slowness is a note of how long the tests take, where that is long for a run with a budget.
func slowness(c *capture.Capture) []string {
	var took time.Duration
	more := ""
	for _, t := range c.Concerned() {
		took += time.Duration(t.Took * float64(time.Second))
		if t.Outcome == capture.Late || t.Outcome == capture.NotRun {
			more = " more than"
		}
	}
	if took < slow {
		return nil
	}
	minutes := max(1, int(math.Ceil((worthwhile * took).Minutes())))
	return []string{fmt.Sprintf("Tests that run what is mutated take%s %.0f s, one after the other. A run with a budget needs several times that: winnow run . --budget %dm", more, took.Seconds(), minutes)}
}

// failingOf says which of the tests fail, and what the first of them said.
func failingOf(failing []string, tests int, said string) string {
	if said != "" {
		said = " (" + said + ")"
	}
	switch {
	case len(failing) == 0:
		return ""
	case len(failing) == tests:
		return ", and none passes as it is" + said + ": winnow run can go by nothing but checks that pass, if they print a line for each"
	}
	fail := "fail as they are"
	if len(failing) == 1 {
		fail = "fails as it is"
	}
	return ", of which " + strings.Join(firstFew(failing, 3), ", ") + " " + fail + said + ": where a line is printed for each check, winnow run uses those that pass"
}

// write prints what was found: as JSON, as the file that would be written, or in words.
func (o *initOptions) write(stdout io.Writer, folder string, found initResult, words string) error {
	found.File, found.Written = filepath.Join(folder, project.File), !o.DryRun
	switch {
	case o.json:
		return writeJSON(stdout, found)
	case o.DryRun:
		return writeResult(stdout, []byte(fmt.Sprintf("%s\nnothing is written; %s would be:\n\n%s", words, found.File, found.Text)))
	}
	return writeResult(stdout, []byte(fmt.Sprintf("wrote %s\n\n%s\nRead it through, and then: winnow run %s\n", found.File, words, folder)))
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
	p := &g.Project
	out := initResult{Program: p.Program, Sources: p.Sources, Harness: p.Harness, Tests: len(p.Tests.Commands), Inputs: p.Tests.Dir, Notes: g.Notes, Text: string(g.Text())}
	var text strings.Builder
	fmt.Fprintf(&text, "program %s, sources %d, harness %d, tests %s\n", p.Program, len(p.Sources), len(p.Harness), testsOf(p))
	for _, note := range g.Notes {
		fmt.Fprintln(&text, note)
	}
	return opts.write(stdout, folder, out, text.String())
}

func testsOf(p *project.Project) string {
	if p.Tests.Dir != "" {
		return "in " + p.Tests.Dir
	}
	return fmt.Sprint(len(p.Tests.Commands))
}
