package project

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
)

// The two parts of a test that is a name: what the program reads, and what it must print.
const (
	inputEnd    = ".in"
	expectedEnd = ".out"
)

// namedTest is a test of tests.dir or tests.file.
type namedTest struct {
	execute.Test
	expected []byte // nil when it is not known
}

// namedTests lists the tests of the folder and of the file, in the order of their names.
func (p *Project) namedTests(from *Tests) ([]execute.Test, []Expectation, error) {
	ofFolder, err := p.testsOfFolder(from.Dir)
	if err != nil {
		return nil, nil, err
	}
	ofFile, err := p.testsOfFile(from.File)
	if err != nil {
		return nil, nil, err
	}
	all := append(ofFolder, ofFile...)
	slices.SortFunc(all, func(a, b namedTest) int { return strings.Compare(a.Name+inputEnd, b.Name+inputEnd) })
	var tests []execute.Test
	var expected []Expectation
	for _, t := range all {
		tests, expected = append(tests, t.Test), append(expected, Expectation{Output: t.expected})
	}
	return tests, expected, nil
}

// testsOfFolder lists the tests that are NAME.in and NAME.out in a folder.
func (p *Project) testsOfFolder(name string) ([]namedTest, error) {
	if name == "" {
		return nil, nil
	}
	dir := filepath.Join(p.Folder, name)
	files, err := filepath.Glob(filepath.Join(dir, "*"+inputEnd))
	if err != nil {
		return nil, fmt.Errorf("listing tests: %w", err)
	}
	if len(files) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: no tests", dir),
			"a test is a file NAME.in with the standard input and NAME.out with the expected output")
	}
	var tests []namedTest
	for _, file := range files {
		stem := strings.TrimSuffix(file, inputEnd)
		want, err := os.ReadFile(stem + expectedEnd)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, exit.New(exit.Input, err, "")
		}
		tests = append(tests, namedTest{execute.Test{Name: filepath.Base(stem), Input: file}, want})
	}
	return tests, nil
}

// testsOfFile lists the tests of a text file, in which "-- NAME.in --" and
// "-- NAME.out --" are lines before the text of what would be a file of that name: a
// hundred small tests can be read from top to bottom. It is Go's format txtar, which has
// no text without a newline at its end, no such line in a text, and nothing but text:
// tests with one of these stay files of the folder.
func (p *Project) testsOfFile(name string) ([]namedTest, error) {
	if name == "" {
		return nil, nil
	}
	path := filepath.Join(p.Folder, name)
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	var tests []namedTest
	expected := map[string][]byte{}
	for _, part := range txtar.Parse(text).Files {
		if name, ok := strings.CutSuffix(part.Name, inputEnd); ok {
			tests = append(tests, namedTest{Test: execute.Test{Name: name, Text: append([]byte{}, part.Data...)}})
		} else if name, ok := strings.CutSuffix(part.Name, expectedEnd); ok && expected[name] == nil {
			expected[name] = append([]byte{}, part.Data...)
		} else {
			return nil, exit.New(exit.Input, fmt.Errorf("%s: what is %q?", path, part.Name), "a test is NAME.in, with NAME.out where its output is known, once each")
		}
	}
	if len(tests) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: no tests", path), "a test begins with a line -- NAME.in --")
	}
	for i := range tests {
		tests[i].expected = expected[tests[i].Name]
		delete(expected, tests[i].Name)
	}
	for _, name := range slices.Sorted(maps.Keys(expected)) {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: %s has an output and no input", path, name), "give it an input, also an empty one")
	}
	return tests, nil
}
