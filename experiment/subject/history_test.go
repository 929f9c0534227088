package subject

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// run is a run folder's content: three mutants, of which m1 was not run, and
// three tests, of which t2 is flaky and t3 reveals the fault.
func run(t *testing.T, program string) *dataset.Subject {
	t.Helper()
	mutants, err := table.New(dataset.MutantsSchema())
	if err != nil {
		t.Fatal(err)
	}
	for i, id := range []string{"m1", "m2", "m3"} {
		if err := mutants.Append(id, int64(i+1), int64(0), int64(i), "arithmetic", "ADD", "SUB", "ADD!SUB", "f", "a.c", int64(10+i), int64(1), "a+b", "a-b", false, false, ""); err != nil {
			t.Fatal(err)
		}
	}
	features, err := table.FromColumns(table.Schema{
		{Name: "id", Type: table.String, Doc: "id"}, {Name: "depth", Type: table.Int64, Doc: "depth"}, {Name: "reached", Type: table.Bool, Doc: "reached"},
		{Name: "size", Type: table.Float64, Doc: "size"},
	}, []string{"m3", "m1", "m2"}, []int64{3, 1, 2}, []bool{true, false, false}, []float64{math.NaN(), .1, .2})
	if err != nil {
		t.Fatal(err)
	}
	kills, err := kill.New([]string{"m2", "m3"}, []string{"t1", "t2", "t3"})
	if err != nil {
		t.Fatal(err)
	}
	survived, killed := kill.Cell{Verdict: matrix.Survived}, kill.Cell{Verdict: matrix.Killed, Cause: matrix.Output}
	for _, c := range []struct {
		mutant, test int
		cell         kill.Cell
	}{{0, 0, survived}, {0, 1, killed}, {0, 2, killed}, {1, 0, killed}, {1, 1, survived}} {
		if err := kills.Set(c.mutant, c.test, c.cell); err != nil {
			t.Fatal(err)
		}
	}
	ended := func(output string) []fault.Outcome { return []fault.Outcome{{Class: fault.Ended, Output: output}} }
	return &dataset.Subject{
		Manifest: dataset.Manifest{Program: program, Problem: "sum", Fault: "v1"},
		Mutants:  mutants, Features: features, Kills: kills,
		Faults: fault.Table{
			fault.Judge("t1", ended("1"), ended("1")),
			fault.Judge("t2", append(ended("1"), ended("2")...), ended("1")),
			fault.Judge("t3", ended("1"), ended("2")),
		},
	}
}

// Of a program as it is the tests say which mutants they kill; what they would do with one
// that they do not come to is not known, and nothing reveals anything.
func TestAProgramWithoutAKnownFaultSaysWhatItsTestsKill(t *testing.T) {
	r := run(t, "adder")
	r.Faults = nil
	kills, err := kill.New([]string{"m1", "m2", "m3"}, []string{"t1", "t2"})
	if err != nil {
		t.Fatal(err)
	}
	for m, cells := range [][2]kill.Cell{
		{{Verdict: matrix.Killed, Cause: matrix.Output}, {Verdict: matrix.Survived, Cause: matrix.NotReached}},
		{{Verdict: matrix.Survived}, {Verdict: matrix.Survived, Cause: matrix.NotReached}},
		{{Verdict: matrix.Survived, Cause: matrix.NotReached}, {Verdict: matrix.Survived, Cause: matrix.NotReached}},
	} {
		for test, c := range cells {
			if err := kills.Set(m, test, c); err != nil {
				t.Fatal(err)
			}
		}
	}
	r.Kills = kills
	s, err := fromRunNamed(r, []string{"depth"})
	if err != nil || !s.Faultless || s.Tests() != 2 || !s.Reveals.Empty() {
		t.Fatalf("%+v, %v", s, err)
	}
	want := map[string][]float64{"killable": {1, 0, math.NaN()}, "late-killable": {1, 0, math.NaN()}, "fault-revealing": {math.NaN(), math.NaN(), math.NaN()}, "revelation": {math.NaN(), math.NaN(), math.NaN()}}
	for name, targets := range want {
		label, err := dataset.LookupLabel(name)
		if err != nil {
			t.Fatal(err)
		}
		for m, v := range Values(&s, label) {
			if v.Target != targets[m] && !(math.IsNaN(v.Target) && math.IsNaN(targets[m])) {
				t.Errorf("%s of %s is %v, want %v", name, s.Mutants[m].ID, v.Target, targets[m])
			}
		}
	}
	if left := Faulty([]Subject{s, {Program: "other"}}); len(left) != 1 || left[0].Program != "other" {
		t.Errorf("faulty are %v", left)
	}
}

func TestARunFolderBecomesASubject(t *testing.T) {
	s, err := FromRun(run(t, "adder"), []string{"size", "depth", "reached"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Name() != "adder/v1" || ByProblem(&s) != "problem sum" || s.Tests() != 2 || !s.Reveals.Equal(matrix.BitsOf(2, 1)) {
		t.Errorf("subject %s of %s, reveals %v; the flaky test must be gone", s.Name(), ByProblem(&s), s.Reveals)
	}
	if len(s.Mutants) != 2 || s.Mutants[0].ID != "m2" || s.Mutants[0].Line != 11 || s.Mutants[0].Statement != 1 || s.Mutants[1].Selector != 3 ||
		s.Mutants[0].Matcher != "ADD" || s.Mutants[0].Replacer != "SUB" || s.Mutants[0].File != "a.c" || !math.IsNaN(s.Mutants[0].Fault) {
		t.Errorf("mutants %+v, want m2 and m3, those that were run", s.Mutants)
	}
	if !s.Kills[0].Equal(matrix.BitsOf(2, 1)) || !s.Kills[1].Equal(matrix.BitsOf(2, 0)) || !s.Unknown[1].Equal(matrix.BitsOf(2, 1)) {
		t.Errorf("kills %v, unknown %v", s.Kills, s.Unknown)
	}
	rows := s.Features.Dense()
	if !slices.Equal(rows[0], []float64{.2, 2, 0}) || !math.IsNaN(rows[1][0]) || !slices.Equal(rows[1][1:], []float64{3, 1}) {
		t.Errorf("features %v", rows)
	}
}

func TestAHistoryIsReadRunByRunAndIncompleteOnesAreNamed(t *testing.T) {
	dir := t.TempDir()
	half := run(t, "half")
	half.Faults = nil
	for name, r := range map[string]*dataset.Subject{"one": run(t, "one"), "two": run(t, "two"), "half": half} {
		if err := dataset.WriteSubject(filepath.Join(dir, name), r); err != nil {
			t.Fatal(err)
		}
	}
	h, err := dataset.OpenHistory(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, columns := range [][]string{nil, {"depth"}} {
		subjects, skipped, err := FromHistory(t.Context(), h, columns, Loading{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		if len(subjects) != 2 || subjects[0].Program != "one" || subjects[1].Program != "two" || !slices.Equal(skipped, []string{"half"}) {
			t.Errorf("%d subjects, skipped %v", len(subjects), skipped)
		}
		if len(subjects[0].Columns) != len(columns) {
			t.Errorf("columns %v, want %v", subjects[0].Columns, columns)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := FromHistory(ctx, h, nil, Loading{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a reading that was cancelled ends with %v", err)
	}
	if _, _, err := FromHistory(t.Context(), h, []string{"colour"}, Loading{}); err == nil {
		t.Error("a feature that no run has was found")
	}
}

func TestARunThatCannotBeStudiedIsRefused(t *testing.T) {
	for name, spoil := range map[string]func(*dataset.Subject){
		"no mutants":      func(r *dataset.Subject) { r.Mutants = nil },
		"no faults":       func(r *dataset.Subject) { r.Faults = nil },
		"no features":     func(r *dataset.Subject) { r.Features = nil },
		"unknown mutant":  func(r *dataset.Subject) { r.Mutants, _ = r.Mutants.Pick([]int{0, 1}) },
		"features of one": func(r *dataset.Subject) { r.Features, _ = r.Features.Pick([]int{0}) },
	} {
		r := run(t, "p")
		spoil(r)
		if _, err := FromRun(r, []string{"depth"}); !errors.Is(err, ErrSubject) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	r := run(t, "p")
	r.Kills = nil
	if _, err := FromRun(r, nil); err == nil {
		t.Error("a run without kills became a subject")
	}
}
