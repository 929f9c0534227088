package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

// What commands keep in a project's folder is nothing of the project's: a job that writes its
// verdicts there had the next one build everything again.
func TestWhatCommandsKeepInAProjectDoesNotChangeIt(t *testing.T) {
	project := t.TempDir()
	source := filepath.Join(project, "one.c")
	testfile.Write(t, source, "int one;\n")
	print := func() string {
		t.Helper()
		of, err := filesOf(project, "")
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(of)
	}
	before := print()
	testfile.Write(t, filepath.Join(project, output.State, "verdicts.json"), "{}")
	if print() != before {
		t.Error("verdicts that were kept count as a change of the project")
	}
	if err := os.WriteFile(source, []byte("int one, two;\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if print() == before {
		t.Error("a change of a source does not count")
	}
}
