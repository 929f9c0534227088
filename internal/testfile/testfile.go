// Package testfile writes and reads the files of tests. What goes wrong ends the test.
package testfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"
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
