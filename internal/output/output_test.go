package output

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

// holderOf, in the environment, has this test's executable hold a folder until it is
// killed.
const holderOf = "WINNOW_TEST_HOLD"

func TestMain(m *testing.M) {
	if path := os.Getenv(holderOf); path != "" {
		held, err := Hold(path)
		if err != nil {
			panic(err)
		}
		if _, err := NewDraft(path); err != nil {
			panic(err)
		}
		os.Stdout.WriteString("held\n")
		time.Sleep(time.Minute)
		held.Release()
	}
	os.Exit(m.Run())
}

func namesIn(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

func TestAFolderIsHeldByOneAtATime(t *testing.T) {
	above := t.TempDir()
	out := filepath.Join(above, "deep", "out")
	held, err := Hold(out)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Hold(out)
	if !errors.Is(err, ErrBusy) || exit.Of(err) != exit.Output || !strings.Contains(err.Error(), strconv.Itoa(os.Getpid())) {
		t.Errorf("held twice: %v", err)
	}
	other, err := Hold(filepath.Join(above, "deep", "other"))
	if err != nil {
		t.Errorf("another folder: %v", err)
	}
	other.Release()
	held.Release()
	held.Release()
	if names := namesIn(t, above); names != "" {
		t.Errorf("after the release there is %s", names)
	}
	if held, err = Hold(out); err != nil {
		t.Fatalf("after the release: %v", err)
	}
	held.Release()
}

func TestWhatAKilledHolderLeftIsTakenOverAndClearedUp(t *testing.T) {
	above := t.TempDir()
	out := filepath.Join(above, "out")
	holder := exec.Command(os.Args[0])
	holder.Env = append(os.Environ(), holderOf+"="+out)
	told, err := holder.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := holder.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(told).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if _, err := Hold(out); !errors.Is(err, ErrBusy) {
		t.Errorf("while another process holds it: %v", err)
	}
	if err := holder.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = holder.Wait() // it was killed
	if names := strings.Fields(namesIn(t, above)); len(names) != 2 || !Beside(names[0]) || !Beside(names[1]) {
		t.Fatalf("it left %v, want a lock and a draft", names)
	}
	testfile.Write(t, filepath.Join(above, ".out.new-mine", "notes"), "not a draft's name")
	held, err := Hold(out)
	if err != nil {
		t.Fatal(err)
	}
	held.Release()
	if names := namesIn(t, above); names != ".out.new-mine" {
		t.Errorf("after the next holder there is %s", names)
	}
}

func TestAFolderThatSteppedAsideGoesBackWhereNothingTookItsPlace(t *testing.T) {
	above := t.TempDir()
	out := filepath.Join(above, "out")
	testfile.Write(t, filepath.Join(above, ".out.new-12.old", "result"), "old")
	testfile.Write(t, filepath.Join(above, ".out.new-12", "result"), "half")
	held, err := Hold(out)
	if err != nil {
		t.Fatal(err)
	}
	held.Release()
	if names := namesIn(t, above); names != "out" || testfile.Read(t, filepath.Join(out, "result")) != "old" {
		t.Errorf("there is %s", names)
	}
	testfile.Write(t, filepath.Join(above, ".out.new-12.old", "result"), "older")
	if held, err = Hold(out); err != nil {
		t.Fatal(err)
	}
	held.Release()
	if names := namesIn(t, above); names != "out" || testfile.Read(t, filepath.Join(out, "result")) != "old" {
		t.Errorf("where the new one was in its place there is %s", names)
	}
}

func TestADraftReplacesAFolderWholeOrNotAtAll(t *testing.T) {
	above := t.TempDir()
	out := filepath.Join(above, "out")
	testfile.Write(t, filepath.Join(out, "old"), "")
	for _, commit := range []bool{false, true} {
		d, err := NewDraft(out)
		if err != nil {
			t.Fatal(err)
		}
		testfile.Write(t, filepath.Join(d.Folder, "new"), "")
		want := "old"
		if commit {
			want = "new"
			if err := d.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		d.Discard()
		if names := namesIn(t, out) + " in " + namesIn(t, above); names != want+" in out" {
			t.Errorf("committed %v: there is %s", commit, names)
		}
	}
}
