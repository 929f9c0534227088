package scratch

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

// makerOf, in the environment, has this test's executable make a folder and wait to be
// killed.
const makerOf = "WINNOW_TEST_SCRATCH"

func TestMain(m *testing.M) {
	if os.Getenv(makerOf) != "" {
		f, err := New("test")
		if err != nil {
			panic(err)
		}
		os.Stdout.WriteString(f.Path + "\n")
		time.Sleep(time.Minute)
		f.Remove()
	}
	os.Exit(m.Run())
}

func TestAFolderOfAProcessThatWasKilledIsCollected(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	maker := exec.Command(os.Args[0])
	maker.Env = append(os.Environ(), makerOf+"=1")
	told, err := maker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := maker.Start(); err != nil {
		t.Fatal(err)
	}
	path, err := bufio.NewReader(told).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	path = strings.TrimSpace(path)
	testfile.Write(t, filepath.Join(path, "below", "object.o"), "")
	if err := os.Chmod(path, 0o555); err != nil {
		t.Fatal(err)
	}
	others := []string{"winnow-src/main.c", "winnow-test-1/main.c", "mine.scratch/main.c"}
	for _, other := range others {
		testfile.Write(t, filepath.Join(temporary, other), "")
	}
	if collect(temporary); !paths.Exist(path) {
		t.Error("the folder of a process that lives was collected")
	}
	if err := maker.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = maker.Wait() // it was killed
	if collect(temporary); paths.Exist(path) {
		t.Error("the folder of a process that was killed is left")
	}
	for _, other := range others {
		if !paths.Exist(filepath.Join(temporary, other)) {
			t.Errorf("%s was collected, which New has not made", other)
		}
	}
}

func TestAFolderGoesWithAllThatIsInIt(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	f, err := New("test")
	if err != nil {
		t.Fatal(err)
	}
	testfile.Write(t, filepath.Join(f.Path, "below", "object.o"), "")
	if collect(temporary); !paths.Exist(f.Path) {
		t.Error("a folder in use was collected by its own process")
	}
	if err := f.Remove(); err != nil || paths.Exist(f.Path) {
		t.Errorf("after Remove: %v", err)
	}
}
