package capture

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/capture/note"
)

// Building again. Between two runs mostly a function has changed, or a test of it. Where nothing
// else has, the copy is not made anew, which takes what configure, every compile and every link
// takes: the sources that changed are copied into it, and the steps that build are run once more,
// which do what make finds to do. What the build is made of stays as it was written down, for that
// depends on none of the text that changed; where it might, all is built as if for the first time:
//
//   - a file has come or gone, or one has changed that is not compiled by itself: a header, a
//     makefile, a script;
//   - a source that another one includes, of which makefiles often know nothing;
//   - a source that has got a main function, or lost it, by which programs are known as tests;
//   - the steps were not those of a build system that knows what is out of date, or did not make all
//     that the changed sources are linked into: makefiles forget what depends on what.

// anewError says that a project has to be built as if for the first time.
type anewError string

func (e anewError) Error() string { return string(e) }

// rebuilding are the systems whose steps do again only what is out of date.
var rebuilding = []string{makefile.Name, configure.Name, autotools.Name, cmake.Name, meson.Name}

// buildAgain brings the copy of a project up to date, in the work folder of an earlier capture of
// it, where before and now are its files. The error is anewError where that cannot be done.
func buildAgain(ctx context.Context, folder string, c *Capture, before, now map[string]string, opts Options) error {
	opts = opts.withDefaults()
	if !slices.Contains(rebuilding, c.System.Kind) {
		return anewError("its build is not known to do only what is out of date")
	}
	project, err := realFolder(folder)
	if err != nil {
		return err
	}
	changed, err := changedSources(project, c, before, now)
	if err != nil {
		return err
	}
	logs, err := logsOf(project, c.Work)
	if err != nil {
		return err
	}
	begun, err := snapshotOf(project, c.Work, logs)
	if err != nil {
		return err
	}
	if err := os.RemoveAll(filepath.Join(c.Work, kitDir)); err != nil {
		return fmt.Errorf("building again: %w", err)
	}
	r, err := newRunner(ctx, c.Work, opts)
	if err != nil {
		return err
	}
	defer r.close()
	s := &session{runner: r, capture: c, project: project, source: c.Path(c.System.Folder), into: c.Path(c.System.Build)}
	for _, name := range changed {
		r.begin("copy", name)
		if err := replaceFile(filepath.Join(project, name), filepath.Join(c.Work, sourceDir, name)); err != nil {
			return err
		}
	}
	if err := s.repeat(ctx); err != nil {
		return err
	}
	if err := s.compiledAgain(changed); err != nil {
		return err
	}
	if err := c.madeSince(changed); err != nil {
		return err
	}
	after, err := snapshotOf(project, c.Work, logs)
	if err != nil {
		return err
	}
	if name := begun.changed(after); name != "" {
		return changedError(project, name)
	}
	return nil
}

// compiledAgain checks that each changed source has been compiled as often as it has units.
func (s *session) compiledAgain(changed []string) error {
	compiled := map[string]int{}
	for _, e := range s.entriesSoFar() {
		if e.Kind != note.Compiler || e.Status != 0 {
			continue
		}
		for _, word := range e.Argv {
			if !strings.HasPrefix(word, "-") {
				compiled[filepath.Clean(inFolder(e.Dir, word))]++
			}
		}
	}
	units := map[string]int{}
	for i := range s.capture.Units {
		units[s.capture.Path(s.capture.Units[i].Source)]++
	}
	for _, name := range changed {
		path := filepath.Join(s.capture.Work, sourceDir, name)
		if compiled[path] < units[path] {
			return anewError(name + " was not compiled again")
		}
	}
	return nil
}

// madeSince checks that all that changed sources are linked into has been made since they were copied.
func (c *Capture) madeSince(changed []string) error {
	for i := range c.Products {
		p := &c.Products[i]
		if p.Gone {
			continue
		}
		made, err := os.Stat(c.Path(p.Path))
		if err != nil {
			return anewError(p.Path + " is not there any more")
		}
		for _, id := range c.UnitsOf(p, Static) {
			source := c.Unit(id).Source
			if !slices.Contains(changed, filepath.FromSlash(strings.TrimPrefix(source, sourceDir+"/"))) {
				continue
			}
			copied, err := os.Stat(c.Path(source))
			if err != nil || made.ModTime().Before(copied.ModTime()) {
				return anewError(p.Path + " was not made again")
			}
			for _, name := range p.Copies {
				if !sameText(c.Path(p.Path), c.Path(name)) {
					return anewError(name + " was not made again")
				}
			}
		}
	}
	return nil
}

func sameText(one, other string) bool {
	a, err := os.ReadFile(one)
	b, otherErr := os.ReadFile(other)
	return err == nil && otherErr == nil && bytes.Equal(a, b)
}

// changedSources are the files of a project that have changed; an error where one is no source that
// is compiled by itself.
func changedSources(project string, c *Capture, before, now map[string]string) ([]string, error) {
	if len(before) != len(now) {
		return nil, anewError("files have come or gone")
	}
	units := map[string]bool{}
	for i := range c.Units {
		if u := &c.Units[i]; u.Language == "c" && u.Origin == "" {
			units[u.Source] = true
		}
	}
	var changed []string
	for name, is := range now {
		was, known := before[name]
		switch {
		case !known:
			return nil, anewError("files have come or gone")
		case was == is || sameText(filepath.Join(project, name), filepath.Join(c.Work, sourceDir, name)):
			continue // a checkout gives files new times
		case !units[sourceDir+"/"+filepath.ToSlash(name)]:
			return nil, anewError(name + " has changed, which is not compiled by itself")
		}
		old, new := readText(filepath.Join(c.Work, sourceDir, name)), readText(filepath.Join(project, name))
		if HasMain(old) != HasMain(new) || slices.Compare(includesOf(old), includesOf(new)) != 0 {
			return nil, anewError(name + " is another kind of source than before")
		}
		changed = append(changed, name)
	}
	slices.Sort(changed)
	for name := range now {
		for _, other := range includesOf(readSource(filepath.Join(project, name))) {
			if slices.ContainsFunc(changed, func(c string) bool { return filepath.Base(c) == filepath.Base(other) }) {
				return nil, anewError(other + " has changed, and is a part of " + name)
			}
		}
	}
	return changed, nil
}

// includesOf are the files that a source takes in.
func includesOf(text string) []string {
	var out []string
	for _, m := range included.FindAllStringSubmatch(text, -1) {
		out = append(out, m[1])
	}
	return out
}

// readSource is the text of a file of C, or of what may be included in one; "" of others.
func readSource(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".c", ".h", ".inc", ".in", ".def", ".cc", ".cpp", ".hpp", ".y", ".l", ".re", "":
		return readText(path)
	}
	return ""
}

// replaceFile copies a file over another. The copy is as old as now, so that what is made of it is
// out of date.
func replaceFile(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return fmt.Errorf("copying what has changed: %w", err)
	}
	info, err := os.Lstat(to)
	if err != nil || !info.Mode().IsRegular() {
		return anewError(to + " is no file")
	}
	if err := os.WriteFile(to, text, info.Mode().Perm()); err != nil {
		return fmt.Errorf("copying what has changed: %w", err)
	}
	return nil
}

// repeat runs the steps that build once more, those of the tests as they were noted: automake's are
// built and not run. What was not there before is what tests have left, which none is to find.
func (s *session) repeat(ctx context.Context) error {
	drivers, before := s.drivers(), listing(s.source, s.into)
	for _, step := range s.capture.System.Steps {
		argv := s.capture.Expand(step.Argv...)
		dir := s.capture.Path(step.Dir)
		switch {
		case step.Name == "build" && !slices.Equal(argv, []string{"make", "clean"}):
			done, err := s.run(ctx, job{step: step.Name, dir: dir, argv: argv})
			if err != nil {
				return err
			}
			if done.status != 0 && !slices.Contains(argv, "-k") {
				return anewError("it does not build where only what has changed is compiled")
			}
		case step.Name == "check" && argv[0] == "make":
			argv = slices.Concat(argv, s.shell(), drivers)
			if _, err := s.run(ctx, job{step: step.Name, dir: dir, argv: argv, time: checking * s.opts.TestTime}); err != nil {
				return err
			}
		}
	}
	for path := range listing(s.source, s.into) {
		if before[path] {
			continue
		}
		if err := os.RemoveAll(path); err != nil {
			return fmt.Errorf("removing what a test has left: %w", err)
		}
	}
	return nil
}

// filesOf are a project's files by name, with size and time, but for what winnow itself writes
// there.
func filesOf(project, work string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(project, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if ownFile(project, work, path, d) {
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(project, path)
		out[name] = fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("looking at the project's files: %w", err)
	}
	return out, nil
}
