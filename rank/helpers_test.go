package rank

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
)

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func toolchain(t testing.TB) *clang.Toolchain {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	return tools
}

// gradeSource is a program whose killing tests can be read off it.
const gradeSource = `#include <stdio.h>

int main(void) {
  int points;
  while (scanf("%d", &points) == 1)
    puts(points >= 50 ? "pass" : "fail");
  return 0;
}
`

// relations is a rule set whose mutants of gradeSource are known.
func relations(t *testing.T) program.Mutation {
	t.Helper()
	rules, err := rule.Lookup("ROR")
	if err != nil {
		t.Fatal(err)
	}
	return program.Mutation{Rules: rules}
}

func gradeProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, project.File), `program = "grade"
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
	writeFile(t, filepath.Join(dir, "grade.c"), gradeSource)
	writeFile(t, filepath.Join(dir, "above.c"), strings.Replace(gradeSource, ">= 50", "> 50", 1))
	writeFile(t, filepath.Join(dir, "below.c"), strings.Replace(gradeSource, ">= 50", ">= 49", 1))
	for name, text := range map[string]string{"a": "49", "b": "50", "c": "51"} {
		writeFile(t, filepath.Join(dir, "tests", name+".in"), text)
	}
	return dir
}
