package built

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/winnow-mutants/winnow/execute"
)

func TestADecisionInWhichABitChangedIsMadeAgainAndTheOthersAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), keptFile)
	want := map[string][]execute.Cell{"a": {{Mutant: 1, Test: 2}}, "b": nil, "c": {{Mutant: 3, Test: 4}}}
	k := &kept{of: want}
	if err := k.begin(path, "this run"); err != nil {
		t.Fatal(err)
	}
	k.file.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	read := func(text []byte) map[string][]execute.Cell {
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		again := &kept{of: map[string][]execute.Cell{}}
		if err := again.read(path, "this run"); err != nil {
			t.Fatal(err)
		}
		return again.of
	}
	if diff := cmp.Diff(want, read(text)); diff != "" {
		t.Fatalf("undamaged:\n%s", diff)
	}
	for at := range text {
		damaged := append([]byte(nil), text...)
		damaged[at] ^= 1
		got := read(damaged)
		if len(got) == len(want) {
			t.Errorf("byte %d is not missed", at)
		}
		for id, cells := range got {
			if diff := cmp.Diff(want[id], cells); diff != "" {
				t.Errorf("byte %d: %s is another decision:\n%s", at, id, diff)
			}
		}
	}
	if got := read(text[:len(text)-3]); len(got) != 2 {
		t.Errorf("with the last line cut %d decisions are left", len(got))
	}
}
