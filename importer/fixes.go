package importer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// testPath tells the files that belong to tests: a fix that comes with a test changes one.
var testPath = regexp.MustCompile(`(?i)(^|[/_.-])(tests?|testing|testsuite|t|checks?|spec|regress\w*|selftest|unit\w*)([/_.-]|$)|test[^/]*$`)

// Fixes looks for bug fixes among the commits of a project and records each as a fault: a commit that changes sources and tests, and
// whose tests fail when the sources, and no other files, are put back to how they were before it. What else it changed besides the fault
// nobody knows: it is the commit that is told from what was before. Of each the mutants of
// the fixed version are added to a history, with the tests that reveal the fault. A commit that is no such fix does not keep the
// others from being looked at.
func Fixes(ctx context.Context, tools *clang.Toolchain, folder, history string, opts GitOptions) ([]GitVersion, error) {
	listed, err := git(ctx, folder, "rev-list", "--no-merges", "--end-of-options", opts.Range, "--", ".")
	if err != nil {
		return nil, err
	}
	work, err := scratch.New("commits")
	if err != nil {
		return nil, err
	}
	defer work.Remove()
	g := &gitRecorder{tools, folder, history, work.Path, opts}
	var commits []string
	for _, commit := range strings.Fields(string(listed)) {
		sources, tests, err := g.changed(ctx, commit)
		if err != nil {
			return nil, err
		}
		if len(sources) > 0 && tests {
			commits = append(commits, commit)
		}
		if len(commits) == opts.Last {
			break
		}
	}
	if len(commits) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("no commit of %s changed both sources and tests of %s", opts.Range, folder), "")
	}
	return g.each(ctx, commits, g.fix)
}

// changed are the sources and headers that a commit changed and that are no tests by their names, below the project's folder,
// and whether it changed a test, too.
func (g *gitRecorder) changed(ctx context.Context, commit string) (sources []string, tests bool, err error) {
	text, err := git(ctx, g.folder, "diff-tree", "--no-commit-id", "--root", "-r", "-z", "--name-only", "--relative", commit, "--", ".")
	if err != nil {
		return nil, false, err
	}
	for _, name := range strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00") {
		switch ext := path.Ext(name); {
		case testPath.MatchString(name):
			tests = true
		case ext == ".c" || ext == ".h":
			sources = append(sources, name)
		}
	}
	return sources, tests, nil
}

// fix records a commit, if it is a fix.
func (g *gitRecorder) fix(ctx context.Context, commit string) (*dataset.Added, error) {
	name, err := filepath.Abs(g.folder)
	if err != nil {
		return nil, fmt.Errorf("resolving the folder: %w", err)
	}
	place := filepath.Join(g.work, commit)
	fixed, faulty, out := filepath.Join(place, filepath.Base(name)), filepath.Join(place, "before", filepath.Base(name)), filepath.Join(place, "run")
	defer os.RemoveAll(place)
	if err := g.extract(ctx, commit, fixed); err != nil {
		return nil, err
	}
	run, err := campaign.RecordFix(ctx, g.tools, campaign.Fix{Name: commit[:12], Folder: fixed, Before: func(mutated []string) (string, []string, error) {
		back, err := g.before(ctx, commit, faulty, mutated)
		return faulty, back, err
	}}, out, g.opts.Run)
	if err != nil {
		return nil, err
	}
	return g.add(ctx, commit, run)
}

// before writes the files of a commit, with those of its sources that are mutated, and headers, as they were before it, and
// says which it has put back.
func (g *gitRecorder) before(ctx context.Context, commit, to string, mutated []string) (back []string, err error) {
	changed, _, err := g.changed(ctx, commit)
	if err != nil {
		return nil, err
	}
	for _, name := range changed {
		if path.Ext(name) == ".h" || slices.Contains(mutated, name) {
			back = append(back, name)
		}
	}
	if !slices.ContainsFunc(back, func(name string) bool { return slices.Contains(mutated, name) }) {
		return nil, exit.New(exit.Input, errors.New("it changes no source that is mutated"), "")
	}
	if err := g.extract(ctx, commit, to); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(to)
	if err != nil {
		return nil, fmt.Errorf("extracting a commit: %w", err)
	}
	defer root.Close()
	for _, name := range back {
		if err := root.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
			return nil, fmt.Errorf("putting %s back: %w", name, err)
		}
		text, err := git(ctx, g.folder, "show", commit+"^:./"+name)
		if code := exit.Of(err); code == exit.Input { // the commit made the file
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return nil, fmt.Errorf("putting %s back: %w", name, err)
		}
		if err := root.WriteFile(name, text, 0o644); err != nil {
			return nil, fmt.Errorf("putting %s back: %w", name, err)
		}
	}
	return back, nil
}
