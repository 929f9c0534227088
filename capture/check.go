package capture

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/capture/note"
)

// testTargets are the names under which makefiles have their tests, in the order in
// which they are tried. GNU's standard is check; some have a test that needs more
// than the tree, beside a check that does not.
var testTargets = []string{"check", "test", "tests"}

// checking is how many times as long as looking at the tests a target of tests may take,
// which often builds them first.
const checking = 3

func numbered(name string, n int) string { return name + "-" + strconv.Itoa(n) }

// checkWithMake takes the tests of the first of testTargets that has some.
func checkWithMake(ctx context.Context, s *session) error { return s.checkTargets(ctx, testTargets) }

// checkTargets takes the tests of the first target that has some, or else those that building makes; where
// there are none, those of a folder of tests with a makefile of its own.
func (s *session) checkTargets(ctx context.Context, targets []string) error {
	failed, err := s.runTargets(ctx, targets, testish.MatchString)
	if err != nil || len(s.tests) > 0 || len(s.opts.Tests) > 0 {
		return err
	}
	if s.fromBuild(); len(s.tests) > 0 {
		return nil
	}
	if s.fromPrograms(s.entries("build"), testish.MatchString); len(s.tests) > 0 {
		return nil
	}
	for _, folder := range s.testFolders() {
		more, err := s.checkBelow(ctx, folder)
		if err != nil || len(s.tests) > 0 {
			return err
		}
		failed = append(failed, more...)
	}
	for _, text := range failed {
		s.note("%s", text)
	}
	s.note("No tests were found: make has no target %s that runs any.", strings.Join(targets, ", "))
	return nil
}

// testFolders are folders of tests, right below the project's, with a makefile of their own.
func (s *session) testFolders() (out []string) {
	below, err := os.ReadDir(s.source)
	if err != nil {
		return nil // then there is nothing to look at
	}
	for _, d := range below {
		folder := filepath.Join(s.source, d.Name())
		if d.IsDir() && telling[len(telling)-1].folder.MatchString(d.Name()) &&
			slices.ContainsFunc(makefileNames, func(name string) bool { return exists(filepath.Join(folder, name)) }) {
			out = append(out, folder)
		}
	}
	return out
}

// checkBelow takes the tests of a folder of tests, in which every program is one.
func (s *session) checkBelow(ctx context.Context, folder string) (failed []string, err error) {
	into := s.into
	s.into = folder
	defer func() { s.into = into }()
	failed, err = s.runTargets(ctx, append(slices.Clone(testTargets), "all"), func(string) bool { return true })
	if len(s.tests) > 0 {
		s.note("The tests are those of the makefile in %s.", filepath.Base(folder))
	}
	return failed, err
}

// runTargets runs the targets of tests, with automake's test drivers replaced
// by one that only writes tests down, until one has been seen to run some: automake's
// tests, or lines of recipes, or else programs by their names that it makes and does not run. What failed is
// told in words.
func (s *session) runTargets(ctx context.Context, targets []string, isTest func(name string) bool) (failed []string, err error) {
	drivers := s.drivers()
	for _, target := range targets {
		there, err := s.target(ctx, target)
		if err != nil {
			return nil, err
		}
		if !there {
			continue
		}
		before := listing(s.source, s.into)
		_, from, err := s.kit.Read(0)
		if err != nil {
			return nil, err
		}
		argv := s.make(slices.Concat([]string{"-k", "-j1", target}, drivers)...)
		done, err := s.run(ctx, job{step: "check", dir: s.into, argv: argv, time: checking * s.opts.TestTime})
		if err != nil {
			return nil, err
		}
		s.record("check", s.into, argv)
		entries, _, err := s.kit.Read(from)
		if err != nil {
			return nil, err
		}
		if done.late {
			s.note("make %s was ended after %v; of its tests those are known that it had begun by then.", target, checking*s.opts.TestTime)
		}
		if err := s.fromMake(ctx, target, drivers, entries, before); err != nil {
			return nil, err
		}
		if len(s.tests) > 0 {
			return nil, nil
		}
		if s.fromPrograms(entries, isTest); len(s.tests) > 0 {
			return nil, nil
		}
		if done.status > 0 {
			failed = append(failed, fmt.Sprintf("make %s fails: %s", target, s.plain(causeOf(s.lastOutput()))))
		}
	}
	return failed, nil
}

// fromMake turns what a target ran into tests.
func (s *session) fromMake(ctx context.Context, target string, drivers []string, entries []note.Entry, before map[string]bool) error {
	for i := range entries {
		if e := &entries[i]; e.Kind == note.Test {
			s.tests = append(s.tests, s.finish(Test{Name: testName(e), From: "automake", Dir: s.capture.relative(e.Dir), Argv: e.Argv,
				Env: e.Env, Fails: e.Expect == "fail", Skip: 77}))
		}
	}
	lines := lastLinesOf(entries, s.automade())
	if len(lines) == 0 {
		return nil
	}
	// What is done again the next time is a test; what was only built is not.
	again, _, err := s.output(ctx, job{step: "check", dir: s.into, argv: slices.Concat([]string{"make", "-n", target}, drivers)})
	if err != nil {
		return err
	}
	again = blanks.ReplaceAllString(again, " ")
	// Nor is what building does each time, unless make tests when it builds.
	built := map[string]bool{}
	for _, e := range s.entries("build") {
		if e.Kind == note.Line && !isTestName(e.Target) {
			built[e.Target+"\n"+recipeOf(&e)] = true
		}
	}
	lines = slices.DeleteFunc(lines, func(e *note.Entry) bool {
		return code.MatchString(e.Target) || built[e.Target+"\n"+recipeOf(e)] || !strings.Contains(again, strings.TrimSpace(blanks.ReplaceAllString(s.kit.Real(recipeOf(e)), " ")))
	})
	s.before = before
	s.fromLines(lines)
	return nil
}

// code are targets that are made to be compiled or linked: what fails to make them is no test that fails.
var code = regexp.MustCompile(`\.(c|h|cc|cpp|hpp|o|lo|a|la|so)$`)

// automade says whether automake has made the makefile.
func (s *session) automade() bool {
	text := readText(filepath.Join(s.into, "Makefile"))
	first, _, _ := strings.Cut(text, "\n")
	return strings.Contains(first, "automake")
}

var blanks = regexp.MustCompile(`[\s\\]+`)

// testName is the name of a test of automake: what its driver is told, or the file
// that is run.
func testName(e *note.Entry) string {
	if e.Target == e.Argv[0] {
		return strings.TrimPrefix(e.Argv[len(e.Argv)-1], "./")
	}
	return e.Target
}

// fromBuild takes programs that building makes and then runs, without arguments and with no file
// for what they print: what they compute goes nowhere, so that they are tests.
func (s *session) fromBuild() {
	entries := s.entries("build")
	made := programs(entries)
	for _, e := range lastLinesOf(entries, s.automade()) {
		words := strings.Fields(recipeOf(e))
		if len(words) != 1 {
			continue
		}
		if path := inFolder(e.Dir, words[0]); slices.Contains(made, path) && exists(path) {
			name := filepath.Base(path)
			s.tests = append(s.tests, s.finish(Test{Name: name, From: "program", Dir: s.capture.relative(e.Dir), Argv: []string{startOf(path)}}))
			s.inBuild = append(s.inBuild, path)
			s.note("make runs %s when it builds, without arguments: it is a test.", name)
		}
	}
}

// fromPrograms takes programs that a target of tests links and does not run, if they are
// tests by their name.
func (s *session) fromPrograms(entries []note.Entry, isTest func(name string) bool) {
	var names []string
	for _, path := range programs(entries) {
		name := filepath.Base(path)
		if exists(path) && isTest(name) {
			s.tests = append(s.tests, s.finish(Test{Name: name, From: "program", Dir: s.capture.relative(s.into), Argv: []string{startOf(path)}}))
			names = append(names, name)
		}
	}
	switch {
	case len(names) == 1:
		s.note("make builds the test program %s and runs nothing: it is run without arguments.", names[0])
	case len(names) > 1:
		s.note("make builds %d test programs and runs nothing: they are run without arguments.", len(names))
	}
}

var (
	logDriver   = regexp.MustCompile(`(?m)^((?:[A-Z0-9]+_)*LOG_DRIVER)[ \t]*=`)
	serialTests = regexp.MustCompile(`(?m)^check-TESTS:`)
	environment = regexp.MustCompile(`(?m)^TESTS_ENVIRONMENT[ \t]*=((?:.*\\\n)*.*)$`)
)

// drivers are variables for make that have automake's tests written down. Automakes
// before 1.13 have no drivers: there the stand-in is put before what
// TESTS_ENVIRONMENT has, which stands before every test.
func (s *session) drivers() []string {
	var out []string
	serial, was := false, ""
	for _, path := range makefiles(s.into) {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		for _, m := range logDriver.FindAllStringSubmatch(string(text), -1) {
			if set := m[1] + "=" + s.kit.Driver(); !slices.Contains(out, set) {
				out = append(out, set)
			}
		}
		if serialTests.Match(text) {
			serial = true
			if m := environment.FindStringSubmatch(string(text)); m != nil {
				was = strings.TrimSpace(strings.ReplaceAll(m[1], "\\\n", " "))
			}
		}
	}
	if len(out) > 0 || !serial || strings.Contains(was, ";") {
		return out
	}
	return []string{"TESTS_ENVIRONMENT=" + strings.TrimSpace(s.kit.DriverEnv()+" "+was)}
}

// listing is the set of files below folders.
func listing(folders ...string) map[string]bool {
	out := map[string]bool{}
	for _, folder := range folders {
		_ = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil {
				out[path] = true
			}
			return nil // what cannot be read is nothing that a test leaves
		})
	}
	return out
}
