// Package discovertest answers as CMake and CTest did, for tests on machines without them.
package discovertest

import (
	_ "embed"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
)

//go:embed cmake.txtar
var recorded string

// CMake writes a project that CMake builds, and puts a cmake and a ctest into the path
// that answer of it what CMake 3.25 did.
func CMake(t testing.TB) (project string) {
	t.Helper()
	all := filepath.Join(t.TempDir(), "cmake")
	testfile.Extract(t, recorded, all)
	replies := filepath.Join(all, "replies")
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
	return filepath.Join(all, "ring")
}
