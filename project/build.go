package project

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/winnow-mutants/winnow/capture"
)

// Build says how a project is built and tested by its own build system, and what of it
// is mutated (package capture). All of it may be left out.
type Build struct {
	// System is the build system where there are several.
	System string `toml:"system"`
	// Configure are arguments for its configure step.
	Configure []string `toml:"configure"`
	// Targets are the programs or libraries to mutate, Exclude the sources, or folders
	// of them, to leave alone.
	Targets []string `toml:"targets"`
	Exclude []string `toml:"exclude"`
	// Tests are command lines of a shell that test what is built, in the place of the tests
	// that the project names.
	Tests []string `toml:"tests"`
	// SkipTests are names of tests not to run.
	SkipTests []string `toml:"skip-tests"`
	// Valgrind has tests start programs by valgrind that do so; otherwise they start them as they are.
	Valgrind bool `toml:"valgrind"`
	// Compare says what counts beside how a test ends: "stdout", "stderr", and patterns of files
	// that tests write, as seen from the folder in which they run.
	Compare []string `toml:"compare"`

	// Folder is the project's.
	Folder string `toml:"-"`
}

// checkBuild holds a project with a build of its own to what such a one can say.
func (p *Project) checkBuild() error {
	switch {
	case p.Program == "" || !FolderName(p.Program):
		return fmt.Errorf("program %q: the name is also a folder's: want letters, digits, - and _", p.Program)
	case len(p.Sources)+len(p.Harness)+len(p.Flags)+len(p.Faults) > 0 || p.Tests.Dir != "" || p.Tests.File != "" || len(p.Tests.Commands) > 0:
		return errors.New("with [build] the project's own build says what the sources and tests are: leave out sources, harness, flags, faults and tests")
	}
	for _, pattern := range p.Build.Files() {
		if _, err := path.Match(pattern, ""); err != nil || !filepath.IsLocal(pattern) {
			return fmt.Errorf("build.compare %q: want stdout, stderr, or a pattern of files below the folder in which tests run", pattern)
		}
	}
	p.Build.Folder = p.Folder
	return nil
}

// Compared reports whether what tests print counts: "stdout" or "stderr".
func (b *Build) Compared(output string) bool { return slices.Contains(b.Compare, output) }

// Files are the patterns of Compare.
func (b *Build) Files() []string {
	return slices.DeleteFunc(slices.Clone(b.Compare), func(name string) bool { return name == "stdout" || name == "stderr" })
}

// Capture are the options of the build, in a folder of the user's cache that is the
// same each time.
func (b *Build) Capture() (capture.Options, error) {
	folder, err := filepath.Abs(b.Folder)
	if err != nil {
		return capture.Options{}, fmt.Errorf("resolving the project's folder: %w", err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return capture.Options{}, fmt.Errorf("looking for a folder to build in: %w", err)
	}
	sum := sha256.Sum256([]byte(folder))
	return capture.Options{Work: filepath.Join(cache, "winnow", fmt.Sprintf("%s-%x", filepath.Base(folder), sum[:4])),
		System: b.System, Configure: b.Configure, Target: b.Targets, Exclude: b.Exclude, Tests: b.Tests, Valgrind: b.Valgrind}, nil
}
