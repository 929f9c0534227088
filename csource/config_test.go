package csource

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/winnow-mutants/winnow/internal/testfile"
)

// A compiler is asked once for each standard, and again where a folder of headers has come or
// gone.
func TestACompilersAnswerIsKeptAsLongAsItHolds(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	folder := t.TempDir()
	path, dumb, local, more := filepath.Join(folder, "cc"), filepath.Join(folder, "dumb"), filepath.Join(folder, "local"), filepath.Join(folder, "more")
	testfile.Write(t, path, fmt.Sprintf(`#!/bin/sh
test ! -e %[1]s || { echo it says nothing more >&2; exit 1; }
# What it prints is the macros, what it says the folders.
exec 3>&1 >&2
test -e %[2]s || echo 'ignoring nonexistent directory "%[2]s"'
echo '#include <...> search starts here:'
test ! -e %[2]s || echo ' %[2]s'
test ! -e %[3]s || echo ' %[3]s'
echo 'End of search list.'
echo "#define ASKED \"$*\"" >&3
`, dumb, more, local))
	if err := os.Chmod(path, 0o755); err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, filepath.Join(local, "l.h"), "")

	ask := func(standard string) *answer {
		t.Helper()
		said, err := askCompiler(path, standard)
		if err != nil {
			t.Fatal(err)
		}
		return said
	}
	first, other := ask("-std=c99"), ask("")
	want := &answer{Predefined: "#define ASKED \"-std=c99 -v -dM -E -x c -\"\n", System: []string{local}, Absent: []string{more}}
	if diff := cmp.Diff(want, first); diff != "" {
		t.Errorf("what it said (-want +got):\n%s", diff)
	}
	if other.Predefined == first.Predefined {
		t.Error("of two standards it said the same")
	}

	testfile.Write(t, dumb, "")
	if diff := cmp.Diff(first, ask("-std=c99")); diff != "" {
		t.Errorf("what was kept is another thing (-said +kept):\n%s", diff)
	}
	testfile.Write(t, filepath.Join(more, "m.h"), "")
	if said, err := askCompiler(path, "-std=c99"); err == nil {
		t.Errorf("a folder came, and the compiler was not asked: %v", said)
	}
	if err := os.RemoveAll(more); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(local); err != nil {
		t.Fatal(err)
	}
	if said, err := askCompiler(path, "-std=c99"); err == nil {
		t.Errorf("a folder went, and the compiler was not asked: %v", said)
	}
}
