package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestTheJobsToCopyUseFlagsThatExist reads the commands of docs/ci and of its files.
func TestTheJobsToCopyUseFlagsThatExist(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(repository, "docs", "ci", "*"))
	if err != nil || len(files) < 4 {
		t.Fatal(files, err)
	}
	flag := regexp.MustCompile(`--([a-z-]+)`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		commands := regexp.MustCompile(`winnow ci (--(?:[^`+"`"+`\n]|\\\n)*)`).FindAllSubmatch(text, -1)
		if len(commands) == 0 {
			t.Errorf("%s runs no winnow ci", file)
		}
		for _, command := range commands {
			for _, m := range flag.FindAllSubmatch(command[1], -1) {
				if newCI().Flags().Lookup(string(m[1])) == nil {
					t.Errorf("%s: winnow ci has no flag --%s", filepath.Base(file), m[1])
				}
			}
		}
	}
}
