package campaign

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/report"
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

func newBuilder(t *testing.T) *build.Builder {
	t.Helper()
	b, err := build.New(t.Context(), toolchain(t), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return b
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

// hashOf identifies what a history holds for those who read it.
func hashOf(t *testing.T, history string) string {
	t.Helper()
	h, err := dataset.OpenHistory(history)
	if err != nil {
		t.Fatal(err)
	}
	return h.Hash()
}

// relations is a rule set whose mutants of gradeSource are known.
func relations(t *testing.T) program.Mutation {
	t.Helper()
	rules, err := rule.Lookup("ROR")
	if err != nil {
		t.Fatal(err)
	}
	return program.Mutation{Rules: rules}
}

func runOne(t *testing.T, project string, opts RunOptions) (*report.Run, string) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "out")
	runs, err := Run(t.Context(), toolchain(t), []string{project}, out, opts)
	if err != nil {
		t.Fatal(err)
	}
	return runs[0], out
}

// recordedCMake puts a cmake and a ctest into the path that answer, for the
// ../project/testdata/cmake/ring, what CMake 3.25 did.
func recordedCMake(t *testing.T) (project string) {
	t.Helper()
	replies, err := filepath.Abs(filepath.Join("..", "project", "testdata", "cmake", "replies"))
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	for name, script := range map[string]string{
		// cmake -S SOURCE -B BUILD ...
		"cmake": `reply=$4/.cmake/api/v1/reply
mkdir -p $4/limits "$reply" && cp "$2/limits.h.in" "$4/limits/ring_limits.h"
for f in ` + replies + `/target-*.json; do
  sed "s|@SOURCE@|$2|g; s|@BUILD@|$4|g" "$f" >"$reply/$(basename "$f")"
done
`,
		"ctest": `sed "s|@SOURCE@|$(dirname "$PWD")/source|g; s|@BUILD@|$PWD|g" ` + replies + "/ctest.json\n",
	} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh -e\n"+script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	project = filepath.Join(t.TempDir(), "ring")
	if err := os.CopyFS(project, os.DirFS(filepath.Join("..", "project", "testdata", "cmake", "ring"))); err != nil {
		t.Fatal(err)
	}
	return project
}

// comparisons are the mutants of these tests, which are about what is done with
// mutants and not about which there are.
var comparisons = func() program.Mutation {
	rules, err := rule.Lookup("ROR,CRCR,sdl")
	if err != nil {
		panic(err) // the presets exist
	}
	return program.Mutation{Rules: rules}
}()

// filesOf are the files below a folder by their path within.
func filesOf(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		out[strings.TrimPrefix(path, folder+"/")] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// load reads the first run folder below a folder.
func load(t *testing.T, out string) *dataset.Subject {
	t.Helper()
	h, err := dataset.OpenHistory(out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := h.Runs[0].Load()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func runsOf(t *testing.T, history string) []string {
	t.Helper()
	h, err := dataset.OpenHistory(history)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range h.Runs {
		out = append(out, r.Path)
	}
	return out
}
