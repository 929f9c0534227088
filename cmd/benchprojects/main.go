// Command benchprojects does with C projects what a stranger would: winnow init and
// winnow run on a clean copy of each, and no file edited. It prints a table in Markdown
// of what came of it: how many of the project's own tests ran, how many mutants were
// decided, and how much time went into preparing them, against the project's own make.
//
//	go run ./cmd/benchprojects -winnow build/winnow -work build/projects [-budget 5m] [-patches 4] [-again] FOLDER...
//
// Each FOLDER is an unpacked source package. What was measured is kept in the folder of
// -work, and is not measured again, but with -again: a measurement that was interrupted
// goes on where it was. With -patches it also holds so many mutants of each project, as
// patches, to the project's own compiler and test commands.
//
// It is for developers (make bench-projects) and ships with no release.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/internal/developer"
)

func main() {
	command.Main() // a worker, started by this command itself
	developer.Main("benchprojects", run)
}

// options say how to measure.
type options struct {
	winnow  string
	work    string
	budget  time.Duration
	patches int
	again   bool
}

func run(ctx context.Context, args []string, out, errs io.Writer) error {
	var opts options
	flags := flag.NewFlagSet("benchprojects", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.StringVar(&opts.winnow, "winnow", "build/winnow", "the command that is measured")
	flags.StringVar(&opts.work, "work", "build/projects", "folder for copies, results and winnow's cache")
	flags.DurationVar(&opts.budget, "budget", 5*time.Minute, "--budget of winnow run")
	flags.IntVar(&opts.patches, "patches", 0, "hold so many mutants of each project to what their patches do")
	flags.BoolVar(&opts.again, "again", false, "measure also what was measured before")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("name the folders of unpacked projects")
	}
	for _, path := range []*string{&opts.winnow, &opts.work} {
		var err error
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	var all []*measured
	for _, folder := range flags.Args() {
		m, err := opts.project(ctx, folder, errs)
		if err != nil {
			return err
		}
		all = append(all, m)
	}
	write(out, all)
	return nil
}

// write prints the table.
func write(out io.Writer, all []*measured) {
	slices.SortStableFunc(all, func(a, b *measured) int { return cmp.Compare(a.Name, b.Name) })
	fmt.Fprintln(out, "| project | tests used | of | suite, s | mutants | decided | killed | init, s | first survivor, s | preparation, CPU s | make, CPU s | ratio | patches | bar |")
	fmt.Fprintln(out, "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|")
	met := 0
	for _, m := range all {
		bar := "met"
		if why := m.missed(); why != "" {
			bar = why
		} else {
			met++
		}
		patches := "–"
		if m.Patches > 0 {
			patches = fmt.Sprintf("%d of %d", m.Agree, m.Patches)
		}
		fmt.Fprintf(out, "| %s | %d | %d | %.2f | %d | %d | %d | %.0f | %s | %.1f | %.1f | %s | %s | %s |\n", m.Name, m.Used, m.Tests, m.Suite, m.Mutants, m.Decided, m.Killed,
			m.Init, orDash(m.FirstSurvivor, "%.0f"), m.Preparation, m.Make, orDash(m.Preparation/max(m.Make, 0.01), "%.0fx"), patches, bar)
	}
	fmt.Fprintf(out, "\n%d of %d projects meet the bar.\n", met, len(all))
	for _, m := range all {
		for _, d := range m.Disagree {
			fmt.Fprintf(out, "- %s: %s\n", m.Name, d)
		}
	}
}

func orDash(value float64, format string) string {
	if value <= 0 {
		return "–"
	}
	return fmt.Sprintf(format, value)
}

// missed says why a project does not meet the bar: 1,000 mutants decided, or 100 where
// one run of its tests takes over a second.
func (m *measured) missed() string {
	want := 1000
	if m.Suite > 1 {
		want = 100
	}
	switch {
	case m.Failed != "":
		return m.Failed
	case m.Used == 0:
		return "no test"
	case m.Decided < want:
		return fmt.Sprintf("decided %d of %d", m.Decided, want)
	}
	return ""
}
