package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/project/compdb"
)

// testsOfLines lists the tests of a file of command lines: each line is what follows the
// program's name on a shell's, arguments and perhaps "< FILE". Empty lines and those that begin
// with # are none, and a line that stands there again is the same test. The name of a test is its line.
func (p *Project) testsOfLines(path string) ([]execute.Test, error) {
	if path == "" {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(p.Folder, path))
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	var tests []execute.Test
	seen := map[string]bool{}
	for number, line := range strings.Split(string(text), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") || seen[line] {
			continue
		}
		seen[line] = true
		t, err := p.testOfLine(line)
		if err != nil {
			return nil, exit.New(exit.Input, fmt.Errorf("%s:%d: %w", filepath.Join(p.Folder, path), number+1, err), "a line is the program's arguments, as in a shell, and perhaps < FILE")
		}
		tests = append(tests, t)
	}
	if len(tests) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: no tests", filepath.Join(p.Folder, path)), "each line is a test: the program's arguments, and perhaps < FILE")
	}
	return tests, nil
}

// testOfLine is the test of one line. Arguments that name files of the project's folder are
// files that the run finds there.
func (p *Project) testOfLine(line string) (execute.Test, error) {
	arguments, input, err := redirected(line)
	if err != nil {
		return execute.Test{}, err
	}
	t := execute.Test{Name: line}
	if t.Args, err = compdb.Words(arguments); err != nil {
		return t, err
	}
	if input != "" {
		words, err := compdb.Words(input)
		if err != nil {
			return t, err
		}
		if len(words) == 0 {
			return t, fmt.Errorf("there is no file after <")
		}
		t.Input, t.Args = filepath.Join(p.Folder, words[0]), append(t.Args, words[1:]...)
		if info, err := os.Stat(t.Input); err != nil || !info.Mode().IsRegular() {
			return t, fmt.Errorf("%s is no file of the project's folder", words[0])
		}
	}
	named := map[string]bool{}
	for _, arg := range t.Args {
		file := filepath.Clean(arg)
		if !filepath.IsLocal(file) || named[file] {
			continue
		}
		if info, err := os.Stat(filepath.Join(p.Folder, file)); err == nil && info.Mode().IsRegular() {
			t.Files, named[file] = append(t.Files, execute.File{Name: filepath.ToSlash(file), Path: filepath.Join(p.Folder, file)}), true
		}
	}
	return t, nil
}

// redirected parts a line at its <. What only a shell could do is an error.
func redirected(line string) (arguments, input string, err error) {
	at := -1
	quote := byte(0)
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && quote != '\'':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '<' && at < 0:
			at = i
		case strings.IndexByte("<>|&;()$`*?[", c) >= 0:
			return "", "", fmt.Errorf("%q is a shell's: put it in quotes, or make the test a [[tests.command]]", string(c))
		}
	}
	if at < 0 {
		return line, "", nil
	}
	return line[:at], line[at+1:] + " ", nil
}
