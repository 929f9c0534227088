package campaign

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/campaign/built"
	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/project"
)

// Fix is a project that its own build builds, after a bug was fixed, and how it was before.
type Fix struct {
	// Name is the fault's, in the manifest.
	Name string
	// Folder is the project's, with the fix and the tests that came with it.
	Folder string
	// Before makes, of a copy of Folder, the version that has the fault: it is told the sources of the project that are mutated, below
	// its folder, and answers which of them, and of its headers, it has put back, or an error where there is nothing to put back.
	Before func(sources []string) (folder string, back []string, err error)
}

// RecordFix finds out which tests of the fixed version, and which of their cases, fail on the faulty one, and records the
// mutants of the fixed version, in the files that the fix changed, with all of these tests: a mutant that no other tests kill would
// have led to the fault (Just and others, "Are mutants a valid substitute for real faults in software testing?", FSE 2014). The run, which
// is in a folder below out, is returned. The error says so where no test reveals the fault, or none passes on both versions.
func RecordFix(ctx context.Context, tools *clang.Toolchain, fix Fix, out string, opts RunOptions) (*dataset.Run, error) {
	table, back, err := revealed(ctx, fix, opts)
	if err != nil {
		return nil, err
	}
	opts.Matrix, opts.Faults = true, false
	if len(opts.Record.Mutation.Scope.Files) == 0 {
		opts.Record.Mutation.Scope.Files = back
	}
	_, err = Run(ctx, tools, []string{fix.Folder}, out, opts)
	run, err := Recorded(out, err)
	if err != nil {
		return nil, err
	}
	s, err := run.Load(dataset.KillsFile)
	if err != nil {
		return nil, err
	}
	if table = built.OnTests(table, s.Kills.Tests()); table.Revealing().Empty() {
		return nil, unusable("the tests that reveal the fault cannot be used with mutants")
	}
	if err := fault.Write(filepath.Join(run.Dir, dataset.FaultsFile), table); err != nil {
		return nil, err
	}
	m := run.Manifest
	m.Fault, m.Problem = fix.Name, m.Program
	if err := dataset.Seal(run.Dir, m); err != nil {
		return nil, err
	}
	run.Manifest, err = dataset.ReadManifest(run.Dir) // which names the table of faults, too
	return run, err
}

// Recorded is the run below a folder that Run, which ended with an error or nil, has written to; the error
// where it has come to no run. What was recorded until the time was up is a run.
func Recorded(out string, ended error) (*dataset.Run, error) {
	if ended != nil && (exit.Of(ended) != exit.Timeout || !paths.Exist(out)) {
		return nil, ended
	}
	runs, err := dataset.OpenHistory(out)
	switch {
	case errors.Is(err, dataset.ErrEmpty) && ended != nil:
		return nil, ended
	case err != nil:
		return nil, exit.New(exit.Input, err, "")
	}
	return &runs.Runs[0], nil
}

// revealed compares the two versions.
func revealed(ctx context.Context, fix Fix, opts RunOptions) (fault.Table, []string, error) {
	say := opts.Say
	if say == nil {
		say = func(string) {}
	}
	c, fixed, err := builtProject(ctx, fix.Folder, say)
	if err != nil {
		return nil, nil, err
	}
	folder, back, err := fix.Before(sourcesOf(fixed))
	if err != nil {
		return nil, nil, err
	}
	_, faulty, err := builtProject(ctx, folder, say)
	if err != nil {
		return nil, nil, fmt.Errorf("the faulty version: %w", err)
	}
	leaveOut := func(b *capture.Capture) {
		b.Tests = slices.DeleteFunc(b.Tests, func(t capture.Test) bool { return slices.Contains(c.Build.SkipTests, t.Name) })
	}
	leaveOut(fixed)
	leaveOut(faulty)
	table, err := built.Reveal(ctx, fixed, faulty, built.Options{Workers: opts.Record.Execute.Workers, Say: say})
	if err != nil {
		return nil, nil, err
	}
	switch revealing := table.Revealing().Count(); {
	case revealing == 0:
		return nil, nil, unusable("no test reveals the fault")
	case revealing+table.Unknown().Count() == len(table):
		return nil, nil, unusable("no test, and no case of one, is known to pass on both versions")
	default:
		say(fmt.Sprintf("%d of %d tests reveal the fault", revealing, len(table)))
	}
	return table, back, nil
}

func unusable(why string) error { return exit.New(exit.Input, &Unusable{why}, "") }

// builtProject builds a copy of the project in a folder.
func builtProject(ctx context.Context, folder string, say func(string)) (*project.Case, *capture.Capture, error) {
	cases, err := project.CasesOf([]string{folder}, false)
	if err != nil {
		return nil, nil, err
	}
	c := &cases[0]
	if c.Build == nil {
		return nil, nil, exit.New(exit.Input, fmt.Errorf("%s: its project file has no [build]: faulty and fixed programs are recorded as pairs", c.Program), "")
	}
	build, err := captured(ctx, *c, say)
	return c, build, err
}

// sourcesOf are the sources that are mutated, below the project's folder.
func sourcesOf(build *capture.Capture) []string {
	out := slices.Clone(build.Subject.Headers)
	for _, id := range build.Subject.Units {
		if u := build.Unit(id); u != nil {
			if below, is := strings.CutPrefix(u.Source, "source/"); is {
				out = append(out, below)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
