package capture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/internal/exit"
)

// ours is a file by which a work folder is known as one.
const ours = ".winnow-capture"

// Build copies a project, builds the copy, and returns what that did. The copy stays,
// built, in Capture.Work; Remove deletes it.
func Build(ctx context.Context, folder string, opts Options) (*Capture, error) {
	opts = opts.withDefaults()
	project, err := realFolder(folder)
	if err != nil {
		return nil, err
	}
	work, err := workFolder(opts.Work)
	if err != nil {
		return nil, err
	}
	logs, err := logsOf(project, work)
	if err != nil {
		return nil, err
	}
	before, err := snapshotOf(project, work, logs)
	if err != nil {
		return nil, err
	}
	c, err := build(ctx, project, work, opts)
	if err != nil {
		return nil, err
	}
	after, err := snapshotOf(project, work, logs)
	if err != nil {
		return nil, err
	}
	if name := before.changed(after); name != "" {
		return nil, changedError(project, name)
	}
	return c, nil
}

func realFolder(folder string) (string, error) {
	info, err := os.Stat(folder)
	if err != nil || !info.IsDir() {
		return "", exit.New(exit.Input, fmt.Errorf("%s is not a folder", folder), "name the folder of a C project")
	}
	folder, err = filepath.Abs(folder)
	if err == nil {
		folder, err = filepath.EvalSymlinks(folder)
	}
	if err != nil {
		return "", fmt.Errorf("resolving the project's folder: %w", err)
	}
	return folder, nil
}

// workFolder makes an empty folder to build in.
func workFolder(folder string) (string, error) {
	var err error
	if folder == "" {
		if folder, err = os.MkdirTemp("", "winnow-capture-"); err != nil {
			return "", fmt.Errorf("making a folder to build in: %w", err)
		}
	}
	if err = os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("making a folder to build in: %w", err)
	}
	if folder, err = realFolder(folder); err != nil {
		return "", err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", fmt.Errorf("looking at the folder to build in: %w", err)
	}
	if len(entries) > 0 && !exists(filepath.Join(folder, ours)) {
		return "", exit.New(exit.Output, fmt.Errorf("%s is not empty, and no capture has made it", folder), "name another folder to build in")
	}
	return folder, os.WriteFile(filepath.Join(folder, ours), nil, 0o644)
}

// empty removes what an attempt has left.
func empty(work string) error {
	for _, name := range []string{sourceDir, buildDir, kitDir, homeDir, trialDir, outputLog} {
		if err := os.RemoveAll(filepath.Join(work, name)); err != nil {
			return fmt.Errorf("emptying the folder to build in: %w", err)
		}
	}
	return nil
}

// Remove deletes the work folder.
func (c *Capture) Remove() error { return os.RemoveAll(c.Work) }

// build tries the candidates in turn: the next where one cannot be built, has no tests, or
// most of its tests fail. Where none is better, the one is taken with the most tests that pass and
// reach what is proposed, the first of equal ones.
func build(ctx context.Context, project, work string, opts Options) (*Capture, error) {
	found, err := candidates(project, opts)
	if err != nil {
		return nil, err
	}
	var failed, before error            // before is the one that was noted last
	tried := make([]string, len(found)) // what came of each
	best, most := -1, -1
	var last *Capture // what the work folder holds
	for i, chosen := range found {
		if chosen.system.Name == autotools.Name && best >= 0 && found[best].system.Name == configure.Name {
			continue // the same build, with a configure made anew
		}
		c, err := one(ctx, project, work, opts, chosen)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		last = c
		if err != nil {
			if !sameFailure(before, err) {
				failed, before = errors.Join(failed, err), err
			}
			tried[i] = fmt.Sprintf("%s was tried before, and failed: %s", chosen.mark, whyFailed(err))
			continue
		}
		use, fail := c.useful()
		if use > most {
			best, most = i, use
		}
		switch {
		case use > 0 && 2*fail <= len(c.Tests):
			c.Notes = append(told(tried), c.Notes...)
			return c, nil
		case len(c.Tests) == 0:
			tried[i] = chosen.mark + " was tried before, and has no tests."
		default:
			tried[i] = fmt.Sprintf("%s was tried before: of its tests %d fail, and %d of the others reach what can be mutated.", chosen.mark, fail, use)
		}
	}
	if best < 0 {
		return nil, failed
	}
	if last == nil || last.System.Kind != found[best].system.Name {
		if last, err = one(ctx, project, work, opts, found[best]); err != nil {
			return nil, err
		}
	}
	tried[best] = "" // it is taken
	last.Notes = append(told(tried), last.Notes...)
	return last, nil
}

// sameFailure says that one step has failed in the same way, in builds that came to it by other steps.
func sameFailure(a, b error) bool {
	var one, other *StepError
	if !errors.As(a, &one) || !errors.As(b, &other) {
		return false
	}
	return one.Step == other.Step && slices.Equal(one.Argv, other.Argv) && lastLines(one.Output, 3) == lastLines(other.Output, 3)
}

// told are the texts that say something.
func told(texts []string) []string {
	return slices.DeleteFunc(texts, func(text string) bool { return text == "" })
}

// useful counts the tests that reach what is proposed, all where no product is, but for those that
// fail, which are counted apart. A test that was not run, or not to its end, may pass.
func (c *Capture) useful() (use, fail int) {
	for i := range c.Tests {
		t := &c.Tests[i]
		switch {
		case t.Outcome == Failed:
			fail++
		case len(c.Subject.Products) == 0, slices.ContainsFunc(c.Subject.Products, func(path string) bool { return c.reaches(t, c.Product(path)) }):
			use++
		}
	}
	return use, fail
}

// reasons are how CMake, on lines of their own, a configure script and Meson give the reason of a failure.
var reasons = []*regexp.Regexp{
	regexp.MustCompile(`(?m)^CMake Error.*\n\s*((?:[ \t]*\S.*\n?)+)`),
	regexp.MustCompile(`(?m)^configure: error: (.*)$`),
	regexp.MustCompile(`(?m)meson\.build:\d+:\d+: ERROR: (.*)$`),
}

// reasonIn finds the reason in what a configuring tool has printed; "" for none.
func reasonIn(output string) string {
	for _, says := range reasons {
		if m := says.FindStringSubmatch(output); m != nil {
			said, _, _ := strings.Cut(m[1], "Call Stack (most recent call first):")
			return strings.Join(strings.Fields(said), " ")
		}
	}
	return ""
}

// whyFailed is the reason that a step of the build gives, or which step it was.
func whyFailed(err error) string {
	var step *StepError
	if errors.As(err, &step) && step.Reason != "" {
		return step.Reason
	}
	return firstLine(err)
}

func firstLine(err error) string {
	text := err.Error()
	for i, c := range text {
		if c == '\n' {
			return text[:i]
		}
	}
	return text
}

// copyProject copies the project into the work folder, in the place of what is there.
func (s *session) copyProject() error {
	work := s.capture.Work
	to := filepath.Join(work, sourceDir)
	if err := os.RemoveAll(to); err != nil {
		return fmt.Errorf("emptying the folder to build in: %w", err)
	}
	if err := copyTree(s.project, to, work, func(path string) { s.begin("copy", path) }); err != nil {
		return err
	}
	return os.MkdirAll(s.into, 0o755)
}

// one builds a project in one way, in an emptied folder.
func one(ctx context.Context, project, work string, opts Options, chosen candidate) (*Capture, error) {
	if err := empty(work); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(work, homeDir, "tmp"), 0o755); err != nil {
		return nil, fmt.Errorf("making a folder to build in: %w", err)
	}
	r, err := newRunner(ctx, work, opts)
	if err != nil {
		return nil, err
	}
	defer r.close()
	c := &Capture{Version: Version, Work: work, Times: map[string]time.Duration{}}
	s := &session{runner: r, capture: c, chosen: chosen, project: project, source: filepath.Join(work, sourceDir, chosen.folder)}
	s.into = s.source
	if chosen.system.outOfTree {
		s.into = filepath.Join(work, buildDir)
	}
	if err := s.copyProject(); err != nil {
		return nil, err
	}
	c.System = System{Kind: chosen.system.Name, Folder: c.relative(s.source), Build: c.relative(s.into), Why: chosen.why}
	if err := s.attempt(ctx); err != nil {
		return nil, err
	}
	if err := s.assemble(); err != nil {
		return nil, err
	}
	if len(opts.Tests) > 0 {
		s.take(opts.Tests)
	}
	began := time.Now()
	if err := s.partSuites(ctx); err != nil {
		return nil, err
	}
	if err := s.try(ctx); err != nil {
		return nil, err
	}
	c.Times["tests"] = time.Since(began)
	if err := c.shortenWrappers(); err != nil {
		return nil, err
	}
	for i := range c.Tests {
		c.Tests[i].Needs = c.needs(c.Tests[i].Reaches)
	}
	s.giveRoles()
	return c, c.propose(opts.Target, opts.Exclude)
}
