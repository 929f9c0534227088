package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/ir/clang"
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

func newBuilder(t *testing.T) *Builder {
	t.Helper()
	b, err := NewBuilder(t.Context(), toolchain(t), t.TempDir())
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

// gradePair is a folder with a pair of which one test tells the faulty version, "above".
func gradePair(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	writeFile(t, filepath.Join(folder, "above", "faulty", "grade.c"), strings.Replace(gradeSource, ">= 50", "> 50", 1))
	writeFile(t, filepath.Join(folder, "above", "fixed", "grade.c"), gradeSource)
	for test, text := range map[string]string{"a": "49", "b": "50"} {
		writeFile(t, filepath.Join(folder, "above", "tests", test+".in"), text)
	}
	return folder
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
