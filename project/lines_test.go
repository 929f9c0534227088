package project_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/project"
)

// linesProject is a project whose suite is a file of command lines.
func linesProject(t *testing.T, lines, more string) (*project.Project, string) {
	t.Helper()
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, project.File), "program = \"p\"\nsources = [\"a.c\"]\n[tests]\nlines = \"universe\"\n"+more)
	testfile.Write(t, filepath.Join(dir, "universe"), lines)
	testfile.Write(t, filepath.Join(dir, "data", "in.txt"), "text\n")
	testfile.Write(t, filepath.Join(dir, "data", "words"), "w\n")
	testfile.Write(t, filepath.Join(dir, "own"), "-x 1\n")
	p, err := project.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return p, dir
}

func TestASuiteIsAFileOfCommandLines(t *testing.T) {
	t.Parallel()
	p, dir := linesProject(t, `# what the program is given
-n 3 data/words < data/in.txt

'a < b' "c d" e\ f   data/words data/words
-n 3 data/words < data/in.txt
<data/in.txt -v
/etc/passwd data
`, "")
	tests, expected, err := p.LoadTests()
	if err != nil {
		t.Fatal(err)
	}
	in, words := filepath.Join(dir, "data", "in.txt"), execute.File{Name: "data/words", Path: filepath.Join(dir, "data", "words")}
	want := []execute.Test{
		{Name: "-n 3 data/words < data/in.txt", Args: []string{"-n", "3", "data/words"}, Input: in, Files: []execute.File{words}},
		{Name: `'a < b' "c d" e\ f   data/words data/words`, Args: []string{"a < b", "c d", "e f", "data/words", "data/words"}, Files: []execute.File{words}},
		{Name: "<data/in.txt -v", Args: []string{"-v"}, Input: in},
		{Name: "/etc/passwd data", Args: []string{"/etc/passwd", "data"}},
	}
	if len(tests) != len(want) || len(expected) != len(want) {
		t.Fatalf("%d tests, %d expectations: %+v", len(tests), len(expected), tests)
	}
	for i, got := range tests {
		if got.Name != want[i].Name || !slices.Equal(got.Args, want[i].Args) || got.Input != want[i].Input || !slices.Equal(got.Files, want[i].Files) {
			t.Errorf("test %d is %+v, want %+v", i, got, want[i])
		}
	}
}

func TestLinesThatOnlyAShellUnderstandsAreRefused(t *testing.T) {
	t.Parallel()
	for line, reason := range map[string]string{
		"-a | sort":     `"|" is a shell's`,
		"-a > out":      `">" is a shell's`,
		"$HOME":         `"$" is a shell's`,
		"*.txt":         `"*" is a shell's`,
		"-a < x < y":    `"<" is a shell's`,
		"'a":            "quote without end",
		"-a <":          "no file after <",
		"-a < absent":   "absent is no file",
		"-a < data":     "data is no file",
		"# no test yet": "no tests",
	} {
		p, _ := linesProject(t, "\n"+line+"\n", "")
		_, _, err := p.LoadTests()
		if exit.Of(err) != exit.Input || !strings.Contains(err.Error(), reason) || reason != "no tests" && !strings.Contains(err.Error(), "universe:2") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

func TestAFaultHasTestsOfItsOwn(t *testing.T) {
	t.Parallel()
	p, _ := linesProject(t, "-a\n-b\n", `
[[faults]]
name = "first"
source = "first.c"
[faults.tests]
lines = "own"
[[faults.tests.command]]
name = "given"
args = ["-g"]

[[faults]]
name = "second"
source = "second.c"
`)
	cases, err := p.Cases(true)
	if err != nil {
		t.Fatal(err)
	}
	names := func(c *project.Case) string {
		var out []string
		for _, test := range c.Tests {
			out = append(out, test.Name)
		}
		return c.Fault + ": " + strings.Join(out, ", ")
	}
	if got := names(&cases[0]); got != "first: -a, -b, -x 1, given" {
		t.Error(got)
	}
	if got := names(&cases[1]); got != "second: -a, -b" {
		t.Error(got)
	}
	plain, err := p.Cases(false)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(&plain[0]); got != ": -a, -b" {
		t.Error(got)
	}
}

func TestTestsOfAFaultThatContradictTheProjectsAreRefused(t *testing.T) {
	t.Parallel()
	for reason, text := range map[string]string{
		"is said of all":     "[tests]\nlines = \"l\"\n[[faults]]\nname = \"f\"\nsource = \"f.c\"\n[faults.tests]\nwritable = true\n",
		"there are no tests": "[[faults]]\nname = \"f\"\nsource = \"f.c\"\n",
		"a name of its own":  "[tests]\nlines = \"l\"\n[[faults]]\nname = \"f\"\nsource = \"f.c\"\n[[faults.tests.command]]\nargs = []\n",
	} {
		dir := t.TempDir()
		testfile.Write(t, filepath.Join(dir, project.File), "program = \"p\"\nsources = [\"a.c\"]\n"+text)
		if _, err := project.Open(dir); exit.Of(err) != exit.Input || !strings.Contains(err.Error(), reason) {
			t.Errorf("%s: %v", reason, err)
		}
	}
	p, _ := linesProject(t, "-a\n-x 1\n", "[[faults]]\nname = \"f\"\nsource = \"f.c\"\n[faults.tests]\nlines = \"own\"\n")
	if _, err := p.Cases(true); err == nil || !strings.Contains(err.Error(), "test -x 1 is there twice") {
		t.Errorf("a test of a fault that is the project's, too: %v", err)
	}
}
