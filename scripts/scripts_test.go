// Package scripts tests the shell scripts of this folder.
package scripts

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/winnow-mutants/winnow/internal/golden"
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
			for _, name := range []string{"sh", "cat", "chmod", "cp", "dirname", "env", "find", "ln", "mkdir", "mv", "rm", "sed", "sort", "tr"} {
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
