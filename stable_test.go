package architecture

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

var (
	stableRow = regexp.MustCompile("(?ms)^\\| stable package \\|.*?\\n\\n")
	firstCell = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")
	example   = regexp.MustCompile(`(?m)^func Example`)
)

// What others build on has an example each, which says how it is meant, runs in the package's
// tests, and so breaks before their code does.
func TestEveryStablePackageHasAnExample(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := firstCell.FindAllStringSubmatch(stableRow.FindString(string(text)), -1)
	if len(rows) == 0 {
		t.Fatal("ARCHITECTURE.md names no stable packages")
	}
	for _, row := range rows {
		files, err := filepath.Glob(filepath.Join(row[1], "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found = found || example.Match(source)
		}
		if !found {
			t.Errorf("%s is stable and has no example", row[1])
		}
	}
}
