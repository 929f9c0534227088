//go:build linux && (amd64 || arm64)

package diskfault

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
)

func TestMain(m *testing.M) {
	Main()
	os.Exit(m.Run())
}

// copying copies 600 bytes under a plan and returns what came of it.
func copying(t *testing.T, plan Plan) (outcome Outcome, copied, stderr string, err error) {
	t.Helper()
	folder := t.TempDir()
	testfile.Write(t, filepath.Join(folder, "from"), strings.Repeat("a line\n", 85)+"last\n")
	// The shell starts the program that writes, so that the filter is shown to be inherited.
	cmd := exec.Command("/bin/sh", "-c", "echo to a pipe; dd if=from of=to bs=600 conv=fsync status=none; exit $?")
	cmd.Dir, cmd.Stdout = folder, &bytes.Buffer{}
	var said bytes.Buffer
	cmd.Stderr = &said
	outcome, err = Run(t.Context(), cmd, plan)
	text, _ := os.ReadFile(filepath.Join(folder, "to")) // it need not be there
	return outcome, string(text), said.String(), err
}

func TestEveryCallThatChangesFilesCanFail(t *testing.T) {
	seen, copied, said, err := copying(t, Plan{Kind: None})
	if err != nil || seen.Calls != 3 || seen.Hit != "" || len(copied) != 600 {
		t.Fatalf("undisturbed: %+v, %d bytes, %v\n%s", seen, len(copied), err, said)
	}
	for call, name := range []string{"open", "write", "sync"} {
		for kind, words := range map[Kind]string{Full: "No space left on device", Error: "Input/output error"} {
			hit, _, said, err := copying(t, Plan{Kind: kind, Call: call})
			if err == nil || !strings.HasPrefix(hit.Hit, name+" ") || !strings.Contains(said, words) {
				t.Errorf("%s of call %d: %+v, %v\n%s", kind, call, hit, err, said)
			}
		}
	}
}

func TestAWriteIsCutInHalfBeforeTheDiskIsFull(t *testing.T) {
	hit, copied, said, err := copying(t, Plan{Kind: Short, Call: 1})
	if err == nil || len(copied) != 300 || !strings.Contains(said, "No space left on device") {
		t.Errorf("%+v, %d bytes, %v\n%s", hit, len(copied), err, said)
	}
}

func TestACommandIsKilledInPlaceOfACall(t *testing.T) {
	_, copied, _, err := copying(t, Plan{Kind: Kill, Call: 1})
	if err == nil || !strings.Contains(err.Error(), "killed") || copied != "" {
		t.Errorf("%d bytes, %v", len(copied), err)
	}
}
