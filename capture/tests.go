package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Test is one of the project's own tests: a command, run in a folder.
type Test struct {
	Name string `json:"name"`
	// From says who lists it: "automake", "ctest", "meson", "make" (lines of a
	// recipe), "target" (a target of make as a whole), "program" (a test program
	// that nothing runs) or "project" (Options.Tests).
	From string   `json:"from"`
	Dir  string   `json:"dir"`
	Argv []string `json:"argv"`
	// Env are variables beyond the user's environment.
	Env []string `json:"env,omitempty"`
	// Fails says that the test passes when the command fails; Skip is an exit status
	// that says that it could not be run, 0 for none.
	Fails bool `json:"fails,omitempty"`
	Skip  int  `json:"skip,omitempty"`
	// After are tests that have to be run before.
	After []string `json:"after,omitempty"`
	// Seconds are allowed, 0 for no limit of its own.
	Seconds float64 `json:"seconds,omitempty"`
	// Reaches are the products that the test runs or loads; Needs those of them, and
	// of what they are linked with, that have to be there.
	Reaches []string `json:"reaches,omitempty"`
	Needs   []string `json:"needs,omitempty"`
	// Watched is that Reaches are all: the capture ran the test to its end, and saw what it opened.
	Watched bool `json:"watched,omitempty"`
	// Bare is that it starts programs by valgrind, and passes where a stand-in starts them as they are, as it is to.
	Bare bool `json:"bare,omitempty"`
	// Failing is that it failed when the capture ran it, and Said what it said last then.
	Failing bool   `json:"failing,omitempty"`
	Said    string `json:"said,omitempty"`

	// Outcome is how it ended then, which is not serialised: it goes by time, too.
	Outcome Outcome `json:"-"`
	// Took is how long that was, in seconds.
	Took float64 `json:"-"`

	// group is the recipe that a test of From "make" is part of, from 1.
	group int
}

// Outcome is how a test ended on the original program.
type Outcome string

const (
	NotRun  Outcome = ""
	Passed  Outcome = "passed"
	Failed  Outcome = "failed"
	Skipped Outcome = "skipped"
	// Late is that its time, or that for all tests, ran out.
	Late Outcome = "late"
)

// hardError is the status by which a test of automake says that it could not begin.
const hardError = 99

// outcome judges an exit status.
func (t *Test) outcome(status int) Outcome {
	switch {
	case t.Skip != 0 && status == t.Skip:
		return Skipped
	case t.From == "automake" && status == hardError:
		return Failed
	case (status != 0) == t.Fails:
		return Passed
	}
	return Failed
}

// hidden are variables that make and its shells set for themselves.
var hidden = []string{"MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES", "MAKE_TERMOUT", "MAKE_TERMERR", "MAKEFILE_LIST", "_", "SHLVL", "PWD",
	"OLDPWD", "SHELL"}

// take has command lines be the tests, in the place of those that were found. One that names a file of
// the project's own folder, and none of the one that is built in, runs there.
func (s *session) take(lines []string) {
	s.tests, s.recipes = nil, nil
	for i, line := range lines {
		name := fmt.Sprintf("test-%d", i+1)
		if words := strings.Fields(line); len(words) > 0 {
			name = fmt.Sprintf("%d-%s", i+1, filepath.Base(words[0]))
		}
		dir, own := s.into, s.capture.Path(sourceDir)
		if !namesFile(line, dir) && namesFile(line, own) {
			dir = own
		}
		s.tests = append(s.tests, s.finish(Test{Name: name, From: "project", Dir: s.capture.relative(dir), Argv: []string{"sh", "-c", line}, Env: []string{"srcdir=" + s.source}}))
	}
}

// namesFile reports whether a word of a command line is a file of a folder.
func namesFile(line, folder string) bool {
	return slices.ContainsFunc(strings.Fields(line), func(word string) bool {
		info, err := os.Stat(filepath.Join(folder, strings.Trim(word, `'"`)))
		return err == nil && info.Mode().IsRegular()
	})
}

// finish makes a test that was found one of the capture: without stand-ins, its
// paths relative to the work folder.
func (s *session) finish(t Test) Test {
	real := func(words []string) []string {
		out := make([]string, len(words))
		for i, word := range words {
			out[i] = s.kit.Real(word)
		}
		return s.capture.mark(out)
	}
	t.Argv = real(t.Argv)
	t.Env = slices.DeleteFunc(real(t.Env), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return slices.Contains(hidden, name) || len(withoutStands([]string{entry})) == 0
	})
	if len(t.Env) == 0 {
		t.Env = nil
	}
	return t
}

// distinct gives tests of one name numbers.
func distinct(tests []Test) {
	count := map[string]int{}
	for _, t := range tests {
		count[t.Name]++
	}
	seen := map[string]int{}
	for i := range tests {
		name := tests[i].Name
		if count[name] > 1 {
			seen[name]++
			tests[i].Name = numbered(name, seen[name])
		}
	}
}
