// Package scripts tests the shell scripts of this folder.
package scripts

import (
	"crypto/sha256"
	"encoding/hex"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/winnow-mutants/winnow/internal/golden"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

// TestScripts runs testdata/*.txtar. Each session has a folder $WORK/bin that
// is all of its PATH, with the few commands that every system has, so that it
// can play a machine on which anything else is missing.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: golden.Update(),
		Setup: func(env *testscript.Env) error {
			here, err := filepath.Abs(".")
			if err != nil {
				return err
			}
			env.Setenv("SCRIPTS", here)
			for _, name := range []string{"sh", "cat", "chmod", "cp", "dirname", "env", "find", "git", "ln", "mkdir", "mv", "rm", "sed", "sort", "tail", "tr"} {
				path, err := exec.LookPath(name)
				if err != nil {
					return err
				}
				env.Setenv(name, path)
			}
			return nil
		},
	})
}

// Which projects are sealed was drawn from all that no model had learned from, and a project that
// is sealed is not learned from.
func TestTheSealedProjectsAreThoseThatWereDrawn(t *testing.T) {
	drawn := func(name string) string {
		sum := sha256.Sum256([]byte("winnow sealed 1 " + name))
		return hex.EncodeToString(sum[:])
	}
	sealed := strings.Fields(withoutComments(testfile.Read(t, "projects-sealed.txt")))
	if len(sealed) < 10 || !slices.IsSortedFunc(sealed, func(a, b string) int { return strings.Compare(drawn(a), drawn(b)) }) {
		t.Fatalf("sealed: %v", sealed)
	}
	_, others, found := strings.Cut(testfile.Read(t, "projects.txt"), "# Of the others ")
	if !found {
		t.Fatal("projects.txt does not say of which projects the sealed were drawn")
	}
	_, others, _ = strings.Cut(others, "\n")
	for _, name := range strings.Fields(withoutComments(others)) {
		if drawn(name) < drawn(sealed[len(sealed)-1]) {
			t.Errorf("%s was drawn before the last of the sealed", name)
		}
	}
}

func withoutComments(text string) string {
	return regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(text, "")
}
