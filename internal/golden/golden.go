// Package golden compares what a test got with a file of the repository, and
// owns the one flag, -update, that rewrites such files: "make golden".
//
// Only test files import it. The flag is defined here once because two
// definitions in one test binary would not start.
package golden

import (
	"bytes"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the expected files of the tests")

// Update reports whether the user asked to rewrite the expected files.
func Update() bool { return *update }

// Check fails the test when got is not the content of file. With -update it
// writes file instead.
func Check(t testing.TB, file string, got []byte) {
	t.Helper()
	if Update() {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (write it with: make golden)", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from what the test got (-file +got); if the change is meant: make golden\n%s",
			file, cmp.Diff(string(want), string(got)))
	}
}
