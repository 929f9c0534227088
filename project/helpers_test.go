package project

import (
	"os"
	"path/filepath"
	"testing"

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

func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
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
