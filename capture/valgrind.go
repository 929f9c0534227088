package capture

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Valgrind. Some tests start what they test by valgrind, where that is installed, which takes ten to fifty times as
// long. A mutant is run many times, so that such tests are given a valgrind that starts the program as it is. What valgrind
// alone notices, as a leak, fails no test then. A test that does not pass so has the real one.

// bareDir is where the valgrind lies that starts programs as they are, below the folder of the kit.
const bareDir = "bare"

//go:embed valgrind.sh
var bareValgrind string

// layOutBare writes the valgrind that starts programs as they are. It is "" where there is no valgrind.
func layOutBare(kit string) (path string, err error) {
	real, err := exec.LookPath("valgrind")
	if err != nil || strings.Contains(real, "'") {
		return "", nil
	}
	folder := filepath.Join(kit, bareDir)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", fmt.Errorf("making room for a stand-in of valgrind: %w", err)
	}
	path = filepath.Join(folder, "valgrind")
	if err := os.WriteFile(path, []byte(strings.Replace(bareValgrind, "VALGRIND", real, 1)), 0o755); err != nil {
		return "", fmt.Errorf("writing a stand-in of valgrind: %w", err)
	}
	return path, nil
}

// Environment are the variables of a test beyond those of the user, whose PATH is given for tests that have none of their own.
func (c *Capture) Environment(t *Test, path string) []string {
	env := c.Expand(t.Env...)
	if !t.Bare {
		return env
	}
	folder := "PATH=" + filepath.Join(c.Work, kitDir, bareDir) + string(filepath.ListSeparator)
	for i, variable := range env {
		if own, is := strings.CutPrefix(variable, "PATH="); is {
			env[i] = folder + own
			return env
		}
	}
	return append(env, folder+path)
}

// noteBare says which tests run without valgrind.
func (c *Capture) noteBare() {
	count := 0
	for i := range c.Tests {
		if c.Tests[i].Bare {
			count++
		}
	}
	if count > 0 {
		c.note("Tests that start programs by valgrind: %d. They start them without it, which is many times as fast; what only valgrind notices fails no test. valgrind = true in winnow.toml has it run.", count)
	}
}
