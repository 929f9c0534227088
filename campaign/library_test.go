package campaign

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/project"
)

// libraryProject is a library that its own test program judges, which keeps
// notes in a file.
func libraryProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, project.File), `program = "clamp"
sources = ["src/clamp.c"]
harness = ["test/check.c"]
flags = ["-Iinclude"]
[tests]
writable = true
compare = "exit"
[[tests.command]]
name = "below"
args = ["-7", "0"]
[[tests.command]]
name = "within"
args = ["5", "5"]
files = ["test/limits.txt"]
`)
	testfile.Write(t, filepath.Join(dir, "include", "clamp.h"), "int clamp(int x, int most);\n")
	testfile.Write(t, filepath.Join(dir, "src", "clamp.c"), `#include "clamp.h"
int clamp(int x, int most) {
  if (x < 0) return 0;
  return x > most ? most : x;
}
`)
	testfile.Write(t, filepath.Join(dir, "test", "limits.txt"), "9\n")
	testfile.Write(t, filepath.Join(dir, "test", "check.c"), `#include "clamp.h"
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int most = 9, wrong;
  FILE *limits = fopen("test/limits.txt", "r"), *notes = fopen("notes", "w");
  if (limits && fscanf(limits, "%d", &most) != 1) return 2;
  if (!notes || argc != 3) return 3;
  wrong = clamp(atoi(argv[1]), most) != atoi(argv[2]);
  fprintf(notes, "%d\n", wrong);
  printf("%d\n", clamp(atoi(argv[1]), most)); /* not compared */
  return wrong ? 1 + rand() % 2 : 0;
}
`)
	return dir
}

func TestALibraryIsMutatedAndItsTestProgramIsNot(t *testing.T) {
	run, out := runOne(t, libraryProject(t), RunOptions{})
	if run.Tests != 2 || run.Killed == 0 || run.Survived == 0 || run.Unknown != 0 {
		t.Errorf("%+v", run)
	}
	s := datasettest.First(t, out)
	files, err := s.Mutants.Strings("file")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if file != "src/clamp.c" {
			t.Fatalf("a mutant of %s", file)
		}
	}
	replacements, _ := s.Mutants.Strings("replacement")
	for replacement, want := range map[string]string{"x > 0": "below within", "x >= most": ""} {
		i := slices.Index(replacements, replacement)
		if i < 0 {
			t.Errorf("no mutant %q among %q", replacement, replacements)
			continue
		}
		var killers []string
		for k, test := range s.Kills.Tests() {
			if s.Kills.Killed(i).Get(k) {
				killers = append(killers, test)
			}
		}
		if got := strings.Join(killers, " "); got != want {
			t.Errorf("%s is killed by %q, want %q", replacement, got, want)
		}
	}
	if s.Manifest.Options["writable"] != "true" {
		t.Errorf("the manifest's options are %v", s.Manifest.Options)
	}
}

func TestAFileThatAProgramWritesIsBehaviour(t *testing.T) {
	dir := t.TempDir()
	testfile.Write(t, filepath.Join(dir, "double.c"), `#include <stdio.h>
int main(void) {
  int n = 0;
  FILE *out = fopen("out.txt", "w");
  if (out && scanf("%d", &n) == 1) fprintf(out, "%d\n", n + n);
  return 0;
}
`)
	testfile.Write(t, filepath.Join(dir, "three"), "3")
	killed := map[string]int{}
	for name, outputs := range map[string]string{"compared": `outputs = ["out.txt"]`, "not compared": ""} {
		testfile.Write(t, filepath.Join(dir, project.File), `program = "double"
sources = ["double.c"]
[tests]
writable = true
[[tests.command]]
name = "three"
input = "three"
status = 0
`+outputs)
		run, out := runOne(t, dir, RunOptions{})
		killed[name] = run.Killed
		s := datasettest.First(t, out)
		replacements, _ := s.Mutants.Strings("replacement")
		square := slices.Index(replacements, "n * n")
		if square < 0 {
			t.Fatalf("no n * n among %q", replacements)
		}
		if got, want := !s.Kills.Killed(square).Empty(), name == "compared"; got != want {
			t.Errorf("n * n, output %s: killed %v", name, got)
		}
	}
	if killed["compared"] <= killed["not compared"] {
		t.Errorf("killed: %v", killed)
	}
}

func TestAnOriginalThatMissesWhatIsExpectedOfItEndsTheRun(t *testing.T) {
	dir := libraryProject(t)
	text := testfile.Read(t, filepath.Join(dir, project.File))
	testfile.Write(t, filepath.Join(dir, project.File), strings.Replace(text, `["5", "5"]`, `["5", "6"]`, 1))
	_, err := Run(t.Context(), clangtest.Tools(t), []string{dir}, filepath.Join(t.TempDir(), "out"), RunOptions{})
	if exit.Of(err) != exit.Baseline || !strings.Contains(err.Error(), "within") {
		t.Errorf("%v", err)
	}
}
