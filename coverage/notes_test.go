package coverage

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

func TestNotesThatGccHasNotWrittenAllOfAreTheSystems(t *testing.T) {
	found, err := Find([]string{"gcov"})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	source, object := filepath.Join(folder, "a.c"), filepath.Join(folder, "a.o")
	testfile.Write(t, source, "int f(int x) { return x > 3 ? 1 : 2; }\nint g(int x) { while (x > 3) x--; return x; }\n")
	if err := found[0].Compile(t.Context(), Unit{Source: source, Dir: folder}, object); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "a.gcno")
	notes, err := os.ReadFile(path)
	if err != nil || !whole(notes) {
		t.Fatalf("what gcc wrote is whole: %v, %v", whole(notes), err)
	}
	ends := 0 // of records, which cannot be told from the end of all
	for n := range notes {
		if whole(notes[:n]) {
			ends++
		}
	}
	if records := len(notes) / 12; ends == 0 || ends > records {
		t.Errorf("%d of %d beginnings are taken for whole", ends, len(notes))
	}
	if err := os.Truncate(path, int64(len(notes)/2+1)); err != nil {
		t.Fatal(err)
	}
	if err := wholeNotes(path); exit.Of(err) != exit.System || exit.HintOf(err) == "" {
		t.Errorf("half of them: %v", err)
	}
	if err := errors.Join(os.Remove(path), wholeNotes(path)); exit.Of(err) != exit.System {
		t.Errorf("none: %v", err)
	}
}
