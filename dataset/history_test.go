package dataset

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

var featureSchema = table.Schema{
	{Name: "id", Type: table.String, Doc: "id of the mutant"},
	{Name: "depth", Type: table.Int64, Doc: "depth in the control flow"},
	{Name: "distance", Type: table.Float64},
	{Name: "constant", Type: table.Bool},
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// newSubject makes a subject of four mutants: killed by the revealing test, by
// the other, by none, and one of which nothing is known.
func newSubject(t *testing.T, program, problem string) *Subject {
	t.Helper()
	ids := []string{"aa", "bb", "cc", "dd"}
	mutants := must[*table.Table](t)(table.New(MutantsSchema()))
	features := must[*table.Table](t)(table.New(featureSchema))
	for i, id := range ids {
		err := mutants.Append(id, i+1, i/2, i/2, "arithmetic", "ADD", "SUB", "ADD!SUB", "main", program+".c", 3+i, 7, "a + b", "a - b", false, false, "")
		if err != nil {
			t.Fatal(err)
		}
		distance := float64(i) / 4
		if i == 1 {
			distance = math.NaN()
		}
		if err := features.Append(id, 10*(i+1), distance, i%2 == 0); err != nil {
			t.Fatal(err)
		}
	}
	kills := must[*kill.Matrix](t)(kill.New(ids, []string{"t1", "t2"}))
	for i, row := range [][2]matrix.Verdict{{matrix.Killed, matrix.Survived}, {matrix.Survived, matrix.Killed}, {matrix.Survived, matrix.Survived}, {}} {
		for test, v := range row {
			c := kill.Cell{Verdict: v}
			if v == matrix.Killed {
				c.Cause = matrix.Output
			}
			if err := kills.Set(i, test, c); err != nil {
				t.Fatal(err)
			}
		}
	}
	covered := must[*cover.Matrix](t)(cover.New(cover.Sites, []string{"t1", "t2"}, 2))
	return &Subject{
		Manifest: Manifest{Tool: "test", Program: program, Problem: problem, Fault: "f", Seed: 1,
			Options: map[string]string{"b": "2", "a": "1"}, Counts: map[string]int64{"mutants": 4}, Stages: []Stage{{"kill", 1.5}}},
		Mutants: mutants, Features: features, Kills: kills, Cover: covered,
		Faults: fault.Table{{Test: "t1", Verdict: matrix.Killed, Cause: matrix.Output}, {Test: "t2", Verdict: matrix.Survived}},
	}
}

// newHistory writes subjects p1 and p2 of problem q, and p3 without one.
func newHistory(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, s := range []struct{ path, program, problem string }{{"late/x", "p1", "q"}, {"early", "p2", "q"}, {"late/a/b", "p3", ""}} {
		if err := WriteSubject(filepath.Join(dir, s.path), newSubject(t, s.program, s.problem)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func pathsOf(h *History) string {
	var out []string
	for _, r := range h.Runs {
		out = append(out, r.Path+"="+r.Manifest.Name())
	}
	return strings.Join(out, " ")
}

func TestAHistoryFindsFinishedRunFoldersAtAnyDepth(t *testing.T) {
	dir := newHistory(t)
	half := filepath.Join(dir, "late", "half")
	if err := WriteSubject(half, newSubject(t, "p4", "")); err != nil {
		t.Fatal(err)
	}
	if err := Unseal(half); err != nil {
		t.Fatal(err)
	}
	h, err := OpenHistory(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := pathsOf(h); got != "early=p2/f late/a/b=p3/f late/x=p1/f" {
		t.Errorf("runs %s", got)
	}
	if !slices.Equal(h.Unfinished, []string{"late/half"}) {
		t.Errorf("unfinished %v", h.Unfinished)
	}
	if _, err := ReadManifest(half); !errors.Is(err, ErrUnfinished) {
		t.Errorf("reading an unfinished folder: %v", err)
	}
}

func TestASubjectSurvivesTheWayToItsFolderAndBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	want := newSubject(t, "p", "q")
	for range 2 { // the second time over a finished folder
		if err := WriteSubject(dir, want); err != nil {
			t.Fatal(err)
		}
	}
	h := must[*History](t)(OpenHistory(dir))
	got := must[*Subject](t)(h.Runs[0].Load())
	if !got.Mutants.Equal(want.Mutants) || !got.Features.Equal(want.Features) || !slices.Equal(got.Faults, want.Faults) {
		t.Error("a table differs from the one written")
	}
	if got.Cover.Sites() != 2 || !got.Kills.Killed(1).Equal(want.Kills.Killed(1)) {
		t.Error("a matrix differs from the one written")
	}
	m := got.Manifest
	if m.Name() != "p/f" || m.Group() != "q" || m.Stages[0].Seconds != 1.5 || m.Files[KillsFile].Rows != 8 || m.Files[FeaturesFile].Schema != featureSchema.Hash() {
		t.Errorf("manifest %+v", m)
	}
	if _, err := h.Runs[0].Load("model.txt"); err == nil {
		t.Error("a file that is not a table: no error")
	}
}

func TestTheHashOfAHistoryIsOfItsDataAlone(t *testing.T) {
	first := must[*History](t)(OpenHistory(newHistory(t)))
	dir := newHistory(t)
	if err := os.Rename(filepath.Join(dir, "early"), filepath.Join(dir, "zz")); err != nil {
		t.Fatal(err)
	}
	moved := must[*History](t)(OpenHistory(dir))
	if first.Hash() != moved.Hash() {
		t.Error("a folder's name changed the hash")
	}
	s := newSubject(t, "p2", "q")
	s.Faults[0].Verdict = matrix.Survived
	if err := WriteSubject(filepath.Join(dir, "zz"), s); err != nil {
		t.Fatal(err)
	}
	if must[*History](t)(OpenHistory(dir)).Hash() == first.Hash() {
		t.Error("other data have the same hash")
	}
}

func TestHistoriesThatDoNotFitTogetherAreRefused(t *testing.T) {
	other := func(path, program string, change func(*Subject)) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			s := newSubject(t, program, "")
			change(s)
			if err := WriteSubject(filepath.Join(dir, path), s); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, c := range map[string]struct {
		spoil func(t *testing.T, dir string)
		words []string
	}{
		"the same subject twice": {other("again", "p3", func(*Subject) {}), []string{"again", "late/a/b", "p3/f"}},
		"other features": {other("new", "p9", func(s *Subject) {
			s.Features, _ = s.Features.Select("id", "depth", "constant")
		}), []string{"early", "new", `"distance" is missing`}},
		"a manifest of another format": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, "early", ManifestFile)
			if err := os.WriteFile(path, []byte(`{"format": 99, "tool": "v9"}`), 0o600); err != nil {
				t.Fatal(err)
			}
		}, []string{"early", "format 99", "v9"}},
		"a manifest cut off": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, "early", ManifestFile)
			if err := os.WriteFile(path, []byte(`{"format": 1,`), 0o600); err != nil {
				t.Fatal(err)
			}
		}, []string{"early", "run again"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newHistory(t)
			c.spoil(t, dir)
			_, err := OpenHistory(dir)
			for _, word := range c.words {
				if err == nil || !strings.Contains(err.Error(), word) {
					t.Errorf("error %v, want one that says %q", err, word)
				}
			}
		})
	}
	if _, err := OpenHistory(t.TempDir()); err == nil || !strings.Contains(err.Error(), ManifestFile) {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestATableChangedAfterTheManifestIsRefused(t *testing.T) {
	dir := newHistory(t)
	if err := table.Write(filepath.Join(dir, "early", FeaturesFile), newSubject(t, "p2", "").Mutants); err != nil {
		t.Fatal(err)
	}
	h := must[*History](t)(OpenHistory(dir))
	if _, err := h.Runs[0].Load(FeaturesFile); err == nil || !strings.Contains(err.Error(), ManifestFile) {
		t.Errorf("error %v", err)
	}
}

func TestSubjectsWhosePartsDoNotFitTogetherAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(s *Subject){
		"a mutant twice":            func(s *Subject) { s.Mutants, _ = s.Mutants.Pick([]int{0, 0}) },
		"features twice":            func(s *Subject) { s.Features, _ = s.Features.Pick([]int{1, 1}) },
		"features of no mutant":     func(s *Subject) { s.Mutants, _ = s.Mutants.Pick([]int{0, 1}) },
		"features without an id":    func(s *Subject) { s.Features, _ = s.Features.Select("depth") },
		"kills of no mutant":        func(s *Subject) { s.Kills, _ = kill.New([]string{"ee"}, nil) },
		"no program":                func(s *Subject) { s.Manifest.Program = "" },
		"mutants of another schema": func(s *Subject) { s.Mutants = s.Features },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSubject(t, "p", "")
			spoil(s)
			dir := filepath.Join(t.TempDir(), "run")
			if err := WriteSubject(dir, s); err == nil {
				t.Error("no error")
			}
			if _, err := ReadManifest(dir); !errors.Is(err, ErrUnfinished) {
				t.Errorf("the folder counts as finished: %v", err)
			}
		})
	}
}
