package command

import (
	"os"
	"path/filepath"
	"testing"
)

// A file with holes takes no room, and hours to read.
func TestFilesThatATestLeavesAreReadUpToABound(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, 400); err != nil {
			t.Fatal(err)
		}
	}
	for most, want := range map[int64]int64{10: 10, 500: 500, 1200: 1200, 1 << 20: 1200} {
		if got, err := measureFiles(dir, []string{"*"}, most); err != nil || got.Length != want {
			t.Errorf("of 1200 bytes, at most %d: %d, %v", most, got.Length, err)
		}
	}
}
