package ci

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/report/findings"
	"github.com/winnow-mutants/winnow/report/findings/findingstest"
)

func TestEachLineHasOneMutantBeforeAnyHasASecond(t *testing.T) {
	var ids []string
	for _, m := range InTurns([]report.Ranked{{ID: "a", Line: 1}, {ID: "b", Line: 1}, {ID: "c", Line: 2}, {ID: "d", Line: 1}, {ID: "e", Line: 2}, {ID: "f", File: "other.c", Line: 1}}) {
		ids = append(ids, m.ID)
	}
	if !slices.Equal(ids, []string{"a", "c", "f", "b", "e", "d"}) {
		t.Error(ids)
	}
}

func verdicts(t *testing.T, ids []string, tests ...string) *kill.Matrix {
	t.Helper()
	m, err := kill.New(ids, tests)
	if err != nil {
		t.Fatal(err)
	}
	for i := range ids {
		for k := range tests {
			cell := []kill.Cell{{Verdict: matrix.Killed, Cause: matrix.Signal}, {Verdict: matrix.Survived}, {Verdict: matrix.Survived, Cause: matrix.NotInfected}, {Verdict: matrix.Survived, Cause: matrix.NotReached}}[(i+k)%4]
			if err := m.Set(i, k, cell); err != nil {
				t.Fatal(err)
			}
		}
	}
	return m
}

// Whoever opens the store has it until the end, and its verdicts are there for the next.
func TestAStoreIsOneJobsAtATime(t *testing.T) {
	folder := t.TempDir()
	first, err := openStore(folder)
	if err != nil {
		t.Fatal(err)
	}
	first.Tests = []string{"one"}
	if _, err := openStore(folder); !errors.Is(err, output.ErrBusy) {
		t.Errorf("a second job: %v", err)
	}
	if err := first.save(); err != nil {
		t.Fatal(err)
	}
	first.close()
	second, err := openStore(folder)
	if err != nil || !slices.Equal(second.Tests, first.Tests) {
		t.Fatalf("the next job has %+v, %v", second, err)
	}
	second.close()
}

// The tests are run on the original when there is a mutant of which it is not kept what they do.
func TestTheOriginalIsRunOnlyForMutantsThatAreNew(t *testing.T) {
	folder := t.TempDir()
	asked := 0
	ask := func() (map[string]int, error) { asked++; return map[string]int{"a": 3, "b": 1}, nil }
	want := []struct {
		keys  map[string]string
		ids   []string
		asked int
	}{
		{map[string]string{"a": "1", "b": "1", "c": "1"}, []string{"a", "b", "c"}, 1},
		{map[string]string{"a": "1", "b": "1", "c": "1"}, []string{"a", "c"}, 1},
		{map[string]string{"a": "2", "b": "1", "c": "1"}, []string{"b", "c"}, 1},
		{map[string]string{"a": "2", "b": "1", "c": "1"}, []string{"a"}, 2},
	}
	for k, w := range want {
		s, err := openStore(folder)
		if err != nil {
			t.Fatal(err)
		}
		var mutants []mutant.Mutant
		for _, id := range w.ids {
			mutants = append(mutants, mutant.Mutant{ID: id})
		}
		c := &check{store: s}
		got, err := c.infecting(mutants, w.keys, ask)
		if err != nil || asked != w.asked {
			t.Fatal(k, asked, err)
		}
		for _, id := range w.ids {
			if got[id] != map[string]int{"a": 3, "b": 1}[id] {
				t.Errorf("%d: %s: %d", k, id, got[id])
			}
		}
		if err := s.save(); err != nil {
			t.Fatal(err)
		}
		s.close()
	}
}

func TestAVerdictIsKeptUnderItsKeyAndComesBackAsItWas(t *testing.T) {
	folder := t.TempDir()
	s, err := openStore(folder)
	if err != nil {
		t.Fatal(err)
	}
	c := &chosen{all: []string{"a", "b", "c"}, keys: map[string]string{"a": "1", "b": "2", "c": "3"}}
	if got := s.unknown(c); len(got) != 3 {
		t.Errorf("an empty store knows all but %v", got)
	}
	ran := verdicts(t, []string{"a", "b"}, "one", "two", "three")
	s.add(c, ran, nil)
	if err := s.save(); err != nil {
		t.Fatal(err)
	}
	s.close()
	if s, err = openStore(folder); err != nil {
		t.Fatal(err)
	}
	if got := s.unknown(c); !slices.Equal(got, []string{"c"}) {
		t.Errorf("unknown: %v", got)
	}
	all, err := s.matrix(c, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		for k := range 3 {
			if got, want := all.Cell(i, k), ran.Cell(i, k); got.Verdict != want.Verdict || got.Cause != want.Cause {
				t.Errorf("mutant %d, test %d: %+v, want %+v", i, k, got, want)
			}
		}
	}
	if all.Verdict(2) != matrix.Unknown {
		t.Error("what was never run has a verdict")
	}
	c.keys["a"] = "another function"
	if got := s.unknown(c); !slices.Equal(got, []string{"a", "c"}) {
		t.Errorf("after a's function changed: %v", got)
	}
}

func TestASurvivorIsConfirmedOnceUnderItsKey(t *testing.T) {
	s, _ := openStore("")
	c := &chosen{all: []string{"a", "b"}, keys: map[string]string{"a": "1", "b": "2"}}
	s.add(c, verdicts(t, c.all, "one"), nil)
	s.confirm("a", matrix.Survived)
	s.confirm("b", matrix.Unknown)
	if got := s.unconfirmed(c.all); !slices.Equal(got, []string{"b"}) {
		t.Errorf("unconfirmed: %v", got)
	}
	s.add(c, verdicts(t, []string{"a"}, "one"), nil) // it was run anew, for its function changed
	if got := s.unconfirmed(c.all); !slices.Equal(got, c.all) {
		t.Errorf("unconfirmed after another run: %v", got)
	}
}

func TestAProofIsKeptUnderTheKeyOfItsVerdict(t *testing.T) {
	s, _ := openStore("")
	c := &chosen{all: []string{"a", "b"}, keys: map[string]string{"a": "1", "b": "2"}}
	s.add(c, verdicts(t, c.all, "one"), []dataset.Proof{{ID: "b", Verdict: dataset.Undefined, Reason: "runs over"}, {ID: "b", Verdict: dataset.Equivalent, Reason: "same"}})
	kept, err := s.proofs(c)
	if err != nil || kept == nil {
		t.Fatalf("%v, %v", kept, err)
	}
	if rows := (&dataset.Subject{Proofs: kept}).ProofRows(); len(rows) != 2 || rows[0].ID != "b" || rows[0].Reason != "runs over" || rows[1].Reason != "same" {
		t.Errorf("kept %+v", rows)
	}
	c.keys["b"] = "its function changed"
	if kept, err := s.proofs(c); err != nil || kept != nil {
		t.Errorf("under another key: %v, %v", kept, err)
	}
}

func TestVerdictsOfOtherTestsAreForgotten(t *testing.T) {
	s, _ := openStore("")
	c := &chosen{all: []string{"a", "b"}, keys: map[string]string{"a": "1", "b": "2"}}
	s.add(c, verdicts(t, []string{"a"}, "one"), nil)
	s.add(c, verdicts(t, []string{"b"}, "one", "two"), nil)
	if got := s.unknown(c); !slices.Equal(got, []string{"a"}) {
		t.Errorf("unknown: %v", got)
	}
}

func TestADamagedStoreCostsTimeAndNoTruth(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, storeFile), []byte(`{"format":1,"tests":["one"],"rows":{"a":{"key":"1","cells":"2`), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := openStore(folder)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.unknown(&chosen{all: []string{"a"}, keys: map[string]string{"a": "1"}}); len(got) != 1 {
		t.Error("a damaged store has verdicts")
	}
}

func TestABaselineIsReadAsItWasWritten(t *testing.T) {
	r, err := findings.Of(findingstest.Subject(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "baseline.json")
	if err := WriteBaseline(path, r); err != nil {
		t.Fatal(err)
	}
	known, err := ReadBaseline(path)
	if err != nil || len(known) != 3 || !known["m1"] || !known["m4"] || known["m3"] {
		t.Errorf("%v %v", known, err)
	}
	if err := os.WriteFile(path, []byte(`{"format":9}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadBaseline(path); err == nil {
		t.Error("a baseline of another format is read")
	}
}
