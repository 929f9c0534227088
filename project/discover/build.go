package discover

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/project"
)

// BuildOptions choose what Build looks for.
type BuildOptions struct {
	// Targets, Exclude, Configure and Tests are those of project.Build.
	Targets, Exclude, Configure, Tests []string
	// Replace allows the project file that is there to be replaced.
	Replace bool
	// DryRun writes nothing.
	DryRun bool
	// Progress is told how far the build has come.
	Progress func(capture.Event)
}

// ErrNoSuite is wrapped where a project can be built and no tests of it were found.
var ErrNoSuite = errors.New("no tests were found that run what the build makes")

// Build builds a copy of a project with its own build, looks at what that makes and
// which tests there are, and writes the project file that says so, whose text it returns. The
// error wraps capture.ErrNoBuild where the folder does not say how it is built, and ErrNoSuite
// where there are no tests; then nothing is written.
func Build(ctx context.Context, folder string, opts BuildOptions) (*capture.Capture, []byte, error) {
	path := filepath.Join(folder, project.File)
	if _, err := os.Lstat(path); err == nil && !opts.Replace && !opts.DryRun {
		return nil, nil, exit.Mark(exit.Output, exit.ErrExists, fmt.Errorf("%s exists", path))
	}
	b := &project.Build{Folder: folder, Targets: opts.Targets, Exclude: opts.Exclude, Configure: opts.Configure, Tests: opts.Tests}
	options, err := b.Capture()
	if err != nil {
		return nil, nil, err
	}
	options.Progress = opts.Progress
	c, err := capture.BuildOnce(ctx, folder, options)
	if err != nil {
		return nil, nil, err
	}
	if len(c.Tests) == 0 {
		return c, nil, exit.Mark(exit.Input, ErrNoSuite, fmt.Errorf("%s: %w", folder, ErrNoSuite))
	}
	text := textOf(b, c)
	if opts.DryRun {
		return c, text, nil
	}
	return c, text, atomicfile.Write(path, text)
}

// textOf is the project file for a build that was looked at.
func textOf(b *project.Build, c *capture.Capture) []byte {
	w := &tomlWriter{}
	comment := func(format string, args ...any) { w.line("# " + fmt.Sprintf(format, args...)) }
	comment("Written by winnow init: how winnow run builds and tests this project, and what it mutates.")
	fmt.Fprintf(w, "program = %s\n\n", quote(project.ProgramName(c.Subject.Name)))
	comment("The project's own build, run on a copy. %s", c.System.Why)
	comment("It mutates %s: %s", c.Subject.Name, c.Subject.Why)
	comment("Source files: %d; left out: %d.", len(c.Subject.Units), len(c.Subject.LeftOut))
	w.line("[build]")
	w.optional("targets", b.Targets, products(c), "programs and libraries to mutate, of")
	w.optional("exclude", b.Exclude, leftOut(c), "sources or folders not to mutate; left out already")
	w.optional("configure", b.Configure, nil, "arguments for the configure step")
	w.optional("tests", b.Tests, nil, "commands that test what is built, in the place of the project's tests")
	w.optional("skip-tests", nil, testNames(c), "tests not to run, of")
	w.optional("compare", nil, nil, "what counts beside how a test ends: \"stdout\", \"stderr\", and patterns of files that tests write")
	if slices.ContainsFunc(c.Tests, func(t capture.Test) bool { return t.Bare }) {
		w.line("# valgrind = true  # tests start programs by valgrind, as they say: many times as slow")
	}
	return []byte(w.String())
}

// mostListed bounds the examples in a comment.
const mostListed = 12

// optional writes a key, as a comment where it is empty, with what it can hold.
func (w *tomlWriter) optional(key string, values, examples []string, doc string) {
	if len(examples) > mostListed {
		examples = append(examples[:mostListed:mostListed], fmt.Sprintf("and %d more", len(examples)-mostListed))
	}
	line := key + " = [" + strings.Join(quoteAll(values), ", ") + "]"
	if len(values) == 0 {
		line = "# " + line
	}
	if len(examples) > 0 {
		doc += ": " + strings.Join(examples, ", ")
	}
	w.line(line + "  # " + doc)
}

func products(c *capture.Capture) []string {
	var out []string
	for i := range c.Products {
		if p := &c.Products[i]; !p.Gone && p.Twin == "" && len(c.UnitsOf(p, capture.Static)) > 0 {
			out = append(out, filepath.Base(p.Path))
		}
	}
	return out
}

func leftOut(c *capture.Capture) []string {
	var out []string
	for _, l := range c.Subject.LeftOut {
		name, _ := capture.InProject(l.Unit)
		out = append(out, name+" ("+l.Why+")")
	}
	return out
}

func testNames(c *capture.Capture) []string {
	var out []string
	for i := range c.Tests {
		out = append(out, c.Tests[i].Name)
	}
	return out
}
