// Package testfile writes and reads the files of tests. What goes wrong ends the test.
package testfile

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Write makes a file and the folders above it.
func Write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Read returns the text of a file.
func Read(t testing.TB, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Below returns the text of every file below a folder, by its path within.
func Below(t testing.TB, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	below := os.DirFS(folder)
	err := fs.WalkDir(below, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(below, path)
		out[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Extract writes the files of a txtar archive below a folder. Those that the archive's
// comment names in a line "executable: NAME..." may be run.
func Extract(t testing.TB, archive, folder string) {
	t.Helper()
	a := txtar.Parse([]byte(archive))
	if len(a.Files) == 0 {
		t.Fatal("an archive without files")
	}
	run := map[string]bool{}
	for line := range strings.Lines(string(a.Comment)) {
		if names, ok := strings.CutPrefix(line, "executable:"); ok {
			for name := range strings.FieldsSeq(names) {
				run[name] = true
			}
		}
	}
	for _, f := range a.Files {
		path := filepath.Join(folder, filepath.FromSlash(f.Name))
		Write(t, path, string(f.Data))
		if run[f.Name] {
			if err := os.Chmod(path, 0o755); err != nil {
				t.Fatal(err)
			}
			delete(run, f.Name)
		}
	}
	if len(run) > 0 {
		t.Fatalf("the archive has no files %v to make executable", slices.Sorted(maps.Keys(run)))
	}
}
