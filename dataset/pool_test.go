package dataset

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// augmentedSubject has an original test that kills m1 and reveals nothing, and a
// made one, between two others, that kills both mutants and reveals the fault.
func augmentedSubject(t *testing.T, made bool) *Subject {
	t.Helper()
	tests := []string{"first", "last"}
	if made {
		tests = []string{"first", "made", "last"}
	}
	kills, err := kill.New([]string{"m1", "m2"}, tests)
	if err != nil {
		t.Fatal(err)
	}
	probe, err := table.New(ProbeSchema())
	if err != nil {
		t.Fatal(err)
	}
	s := &Subject{Manifest: Manifest{Program: "p", Fault: "f", Counts: map[string]int64{}}, Kills: kills, Probe: probe}
	for i, test := range tests {
		verdict, reveals := matrix.Survived, matrix.Survived
		if test != "last" {
			verdict = matrix.Killed
		}
		if test == "made" {
			reveals = matrix.Killed
			s.Manifest.Counts[AugmentedCount] = 1
		}
		cause := map[matrix.Verdict]matrix.Cause{matrix.Killed: matrix.Output}
		set := func(mutant int, v matrix.Verdict) {
			if err := kills.Set(mutant, i, kill.Cell{Verdict: v, Cause: cause[v], Work: int64(i + 1)}); err != nil {
				t.Fatal(err)
			}
		}
		set(0, verdict)
		set(1, reveals)
		if err := probe.Append("m1", test, int64(2), int64(1), int64(5), int64(0), int64(0)); err != nil {
			t.Fatal(err)
		}
		s.Faults = append(s.Faults, fault.Result{Test: test, Verdict: reveals, Cause: cause[reveals], Augmented: test == "made"})
	}
	return s
}

// A history whose made tests are left out is the history without them.
func TestTheOriginalPoolIsTheHistoryWithoutTheTestsThatWereMade(t *testing.T) {
	open := func(s *Subject, pool Pool) (*History, *Subject, *Evidence) {
		dir := t.TempDir()
		if err := WriteSubject(filepath.Join(dir, "run"), s); err != nil {
			t.Fatal(err)
		}
		h, err := OpenHistory(dir)
		if err != nil {
			t.Fatal(err)
		}
		h.UsePool(pool)
		loaded, err := h.Runs[0].Load()
		if err != nil {
			t.Fatal(err)
		}
		e, err := NewEvidence(loaded)
		if err != nil {
			t.Fatal(err)
		}
		return h, loaded, e
	}
	hAll, _, all := open(augmentedSubject(t, true), AllTests)
	hOriginal, original, restricted := open(augmentedSubject(t, true), OriginalTests)
	hPlain, plain, want := open(augmentedSubject(t, false), AllTests)
	if len(all.Tests) != 3 || all.Reveals.String() != "010" {
		t.Errorf("all tests: %v, revealing %v", all.Tests, all.Reveals)
	}
	if got := strings.Join(restricted.Tests, " "); got != "first last" {
		t.Errorf("original tests: %s", got)
	}
	for m := range want.Mutants {
		if restricted.Killed[m].String() != want.Killed[m].String() || restricted.Unknown[m].String() != want.Unknown[m].String() {
			t.Errorf("mutant %d: killed by %v, want %v", m, restricted.Killed[m], want.Killed[m])
		}
	}
	if !original.Probe.Equal(plain.Probe) {
		t.Errorf("the probe has other rows: %d, want %d", original.Probe.Rows(), plain.Probe.Rows())
	}
	if hAll.Hash() == hOriginal.Hash() {
		t.Error("the two pools have one hash")
	}
	before := hPlain.Hash()
	if hPlain.UsePool(OriginalTests); hPlain.Hash() != before {
		t.Error("a history without such tests has another hash on the original pool")
	}
	// Kills alone know as well which tests to leave out.
	alone, err := hOriginal.Runs[0].Load(KillsFile)
	if err != nil || len(alone.Kills.Tests()) != 2 || alone.Faults != nil {
		t.Errorf("kills alone: %v, %v", alone.Kills.Tests(), err)
	}
}

func TestPoolsHaveNames(t *testing.T) {
	for _, p := range []Pool{AllTests, OriginalTests} {
		if got, err := ParsePool(string(p)); err != nil || got != p {
			t.Errorf("%s: %v, %v", p, got, err)
		}
	}
	if _, err := ParsePool("some"); err == nil || !strings.Contains(err.Error(), "original") {
		t.Errorf("an unknown pool should name those there are: %v", err)
	}
}
