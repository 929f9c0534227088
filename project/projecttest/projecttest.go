// Package projecttest has a small program whose mutants and tests are known, for the
// tests of those who mutate and run it.
package projecttest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/project"
)

// Source is a program whose killing tests can be read off it.
const Source = `#include <stdio.h>

int main(void) {
  int points;
  while (scanf("%d", &points) == 1)
    puts(points >= 50 ? "pass" : "fail");
  return 0;
}
`

// Folder is a project with two faulty versions.
func Folder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, project.File), `program = "grade"
sources = ["grade.c"]
[tests]
dir = "tests"
[[faults]]
name = "above"
source = "above.c"
[[faults]]
name = "below"
source = "below.c"
`)
	testfile.Write(t, filepath.Join(dir, "grade.c"), Source)
	testfile.Write(t, filepath.Join(dir, "above.c"), strings.Replace(Source, ">= 50", "> 50", 1))
	testfile.Write(t, filepath.Join(dir, "below.c"), strings.Replace(Source, ">= 50", ">= 49", 1))
	for name, text := range map[string]string{"a": "49", "b": "50", "c": "51"} {
		testfile.Write(t, filepath.Join(dir, "tests", name+".in"), text)
	}
	return dir
}

// Pair is a folder with a pair of which one test tells the faulty version, "above".
func Pair(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	testfile.Write(t, filepath.Join(folder, "above", "faulty", "grade.c"), strings.Replace(Source, ">= 50", "> 50", 1))
	testfile.Write(t, filepath.Join(folder, "above", "fixed", "grade.c"), Source)
	for test, text := range map[string]string{"a": "49", "b": "50"} {
		testfile.Write(t, filepath.Join(folder, "above", "tests", test+".in"), text)
	}
	return folder
}

// WithBuild is a project with a build of its own, by the names of its files: a function with a header that the build makes, and a
// test that is a script.
func WithBuild() map[string]string {
	return map[string]string{
		"Makefile": `all: check
limits.h:
	echo '#define MOST 10' > limits.h
clamp.o: clamp.c limits.h
	$(CC) -c clamp.c
check: check.c clamp.o
	$(CC) -o check check.c clamp.o
test: all
	sh ./check.sh
`,
		"clamp.c":    "#include \"limits.h\"\nint clamp(int x) {\n  if (x < 0) return 0;\n  if (x > MOST) return MOST;\n  return x;\n}\n",
		"check.c":    "#include <stdio.h>\n#include <stdlib.h>\nint clamp(int x);\nint main(int c, char **v) { printf(\"%d\\n\", clamp(atoi(v[c - 1]))); return 0; }\n",
		"check.sh":   "for x in -5 3 99; do ./check $x; done > out.txt\nprintf '0\\n3\\n10\\n' | cmp - out.txt\n",
		project.File: "program = \"clamp\"\n[build]\n",
	}
}
