package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/spf13/pflag"
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

// TestWhatBuildSystemsIncludeUsesFlagsThatExist reads the CMake package and the makefile's
// fragment.
func TestWhatBuildSystemsIncludeUsesFlagsThatExist(t *testing.T) {
	known := map[string]bool{}
	for _, cmd := range verbs() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known[f.Name] = true })
	}
	for _, file := range []string{"cmake/winnow-config.cmake", "cmake/winnow-run.cmake", "winnow.mk"} {
		text, err := os.ReadFile(filepath.Join(repository, "packaging", file))
		if err != nil {
			t.Fatal(err)
		}
		flags := regexp.MustCompile(`[ ;]--([a-z][a-z-]+)`).FindAllSubmatch(text, -1)
		if len(flags) == 0 {
			t.Errorf("%s has no flags", file)
		}
		for _, m := range flags {
			if !known[string(m[1])] {
				t.Errorf("%s: no command has the flag --%s", file, m[1])
			}
		}
	}
}
