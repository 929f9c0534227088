package capture

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Autotest. A test suite that GNU Autoconf generates is one script with all groups of tests, which
// lists them and runs those whose numbers it is given. Each is a test of its own: one that fails, as
// one may for root, does not take the others with it, and a mutant is run on those groups that come to it.

// generatedSuite is how such a script begins, groupListed a line of its list.
var (
	generatedSuite = regexp.MustCompile(`^#![^\n]*\n# Generated from \S+\.at by GNU Autoconf`)
	groupListed    = regexp.MustCompile(`(?m)^ *(\d+): \S+:\d+ +(\S.*)$`)
)

// partSuites puts its groups in the place of each test suite of Autotest.
func (s *session) partSuites(ctx context.Context) error {
	var parted []Test
	for _, t := range s.tests {
		groups, err := s.groupsOf(ctx, t)
		if err != nil {
			return err
		}
		if len(groups) == 0 {
			groups = []Test{t}
		}
		parted = append(parted, groups...)
	}
	s.tests = parted
	return nil
}

// groupsOf are the groups of a test suite, none of another test and of a suite that cannot list them.
func (s *session) groupsOf(ctx context.Context, t Test) (out []Test, err error) {
	if !slices.ContainsFunc(s.capture.Expand(t.Argv...), func(word string) bool {
		if !filepath.IsAbs(word) {
			word = filepath.Join(s.capture.Path(t.Dir), word)
		}
		return generatedSuite.MatchString(headOf(word))
	}) {
		return nil, nil
	}
	listing := s.capture.Expand(append(slices.Clone(t.Argv), "--list")...)
	text, status, err := s.output(ctx, job{step: "tests", dir: s.capture.Path(t.Dir), argv: listing, env: s.capture.Expand(t.Env...), plain: true, time: s.opts.TestTime})
	if err != nil || status != 0 {
		return nil, ctx.Err() // it is run whole
	}
	for _, m := range groupListed.FindAllStringSubmatch(text, -1) {
		group := t
		group.Name, group.Argv = m[1]+"-"+nameOf(m[2]), append(slices.Clone(t.Argv), m[1])
		out = append(out, group)
	}
	return out, nil
}

// headOf is how a file begins, "" for what is none.
func headOf(path string) string {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(f, head) // less is there, or nothing can be read
	return string(head[:n])
}

// noName are characters that a name of a test does without.
var noName = regexp.MustCompile(`[^A-Za-z0-9._+]+`)

// nameOf makes a name of a title.
func nameOf(title string) string { return strings.Trim(noName.ReplaceAllString(title, "-"), "-") }
