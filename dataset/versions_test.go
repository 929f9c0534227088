package dataset

import (
	"errors"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// recorded writes a subject to a folder of its own, after a change.
func recorded(t *testing.T, program string, change func(*Subject)) *Run {
	t.Helper()
	s := newSubject(t, program, "")
	change(s)
	dir := t.TempDir()
	if err := WriteSubject(filepath.Join(dir, "run"), s); err != nil {
		t.Fatal(err)
	}
	return &must[*History](t)(OpenHistory(dir)).Runs[0]
}

func asItIs(*Subject) {}

// aTestMore kills the mutant that lives, and lets the others be.
func aTestMore(t *testing.T) func(*Subject) {
	return func(s *Subject) {
		if err := s.Kills.Set(2, 1, kill.Cell{Verdict: matrix.Killed, Cause: matrix.Output}); err != nil {
			t.Fatal(err)
		}
	}
}

// A history that grows has the versions of a program beside each other; the last one is learnt
// from, and what became of the mutants is said.
func TestAHistoryGrowsByVersions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "history")
	first := recorded(t, "p", asItIs)
	got, err := Add(t.Context(), dir, first)
	if err != nil || got.Version != 1 || got.Path != "p-f/v1" || got.Since != nil {
		t.Fatalf("%+v %v", got, err)
	}
	if got, err = Add(t.Context(), dir, first); err != nil || !got.Known || got.Version != 1 {
		t.Errorf("the same again: %+v %v", got, err)
	}
	got, err = Add(t.Context(), dir, recorded(t, "p", aTestMore(t)))
	if err != nil || got.Version != 2 || got.Since == nil || *got.Since != (Since{Killed: 1}) {
		t.Fatalf("%+v %+v %v", got, got.Since, err)
	}
	if _, err := Add(t.Context(), dir, recorded(t, "q", asItIs)); err != nil {
		t.Fatal(err)
	}
	// What the first version let live, and the second kills, is latent; of the others it is not known.
	s, err := must[*History](t)(OpenHistory(dir)).Runs[0].Load(KillsFile)
	if err != nil {
		t.Fatal(err)
	}
	if e := must[*Evidence](t)(NewEvidence(s)); targets(latent.Run(e)) != "NaN NaN 1 NaN" {
		t.Errorf("latent: %s", targets(latent.Run(e)))
	}
	// Another subject whose name makes the same folder gets one of its own.
	if got, err := Add(t.Context(), dir, recorded(t, "p-f", func(s *Subject) { s.Manifest.Fault = "" })); err != nil || got.Path != "p-f.2/v1" {
		t.Errorf("%+v %v", got, err)
	}
	h := must[*History](t)(OpenHistory(dir))
	if pathsOf(h) != "p-f.2/v1=p-f p-f/v2=p/f q-f/v1=q/f" || len(h.Older) != 1 || h.Older[0].Path != "p-f/v1" {
		t.Errorf("%s, older %+v", pathsOf(h), h.Older)
	}
	// The last version alone gives the same data.
	alone := t.TempDir()
	for k, r := range h.Runs {
		if err := os.CopyFS(filepath.Join(alone, string(rune('a'+k))), os.DirFS(r.Dir)); err != nil {
			t.Fatal(err)
		}
	}
	if other := must[*History](t)(OpenHistory(alone)); other.Hash() != h.Hash() {
		t.Errorf("hash %s, of the last versions alone %s", h.Hash(), other.Hash())
	}
}

// A command that was killed leaves a draft: of the subject, or of its next version. The draft
// may be whole, and is no part of the history; the next command takes its place.
func TestWhatAKilledCommandLeftIsNoPartOfAHistory(t *testing.T) {
	whole, dir := filepath.Join(t.TempDir(), "whole"), filepath.Join(t.TempDir(), "history")
	first, second := recorded(t, "p", asItIs), recorded(t, "p", aTestMore(t))
	for k, run := range []*Run{first, second} {
		for _, to := range []string{whole, dir} {
			if _, err := Add(t.Context(), to, run); err != nil {
				t.Fatal(err)
			}
			if to == whole || k > 0 {
				continue
			}
			for _, left := range []string{".q-f.new-12/v1", "p-f/.v2.new-12"} {
				if err := os.CopyFS(filepath.Join(dir, left), os.DirFS(second.Dir)); err != nil {
					t.Fatal(err)
				}
			}
			if h := must[*History](t)(OpenHistory(dir)); pathsOf(h) != "p-f/v1=p/f" || len(h.Unfinished) > 0 {
				t.Errorf("the history has %s, unfinished %v", pathsOf(h), h.Unfinished)
			}
		}
	}
	for _, to := range []string{whole, dir} {
		if _, err := Add(t.Context(), to, recorded(t, "q", asItIs)); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := testfile.Below(t, dir), testfile.Below(t, whole); !maps.Equal(got, want) {
		t.Errorf("there is %v, want %v", slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
	}
}

func TestWhatTestersSaidComesAlong(t *testing.T) {
	run := recorded(t, "p", asItIs)
	if err := AppendFeedback(run.Dir, Feedback{Mutant: "cc", Told: ToldEquivalent}); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "history")
	if _, err := Add(t.Context(), dir, run); err != nil {
		t.Fatal(err)
	}
	s := must[*Subject](t)(must[*History](t)(OpenHistory(dir)).Runs[0].Load())
	if len(s.Feedback) != 1 || s.Feedback[0].Mutant != "cc" {
		t.Errorf("%+v", s.Feedback)
	}
}

// What cannot be learnt from beside the others is refused, and the history stays as it was.
func TestWhatDoesNotFitIsNotAdded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "history")
	if _, err := Add(t.Context(), dir, recorded(t, "p", asItIs)); err != nil {
		t.Fatal(err)
	}
	before := must[*History](t)(OpenHistory(dir)).Hash()
	other := recorded(t, "q", func(s *Subject) {
		s.Features = must[*table.Table](t)(s.Features.Select("id", "depth"))
	})
	if _, err := Add(t.Context(), dir, other); !errors.Is(err, ErrOtherColumns) {
		t.Errorf("other features: %v", err)
	}
	damaged := recorded(t, "r", asItIs)
	if err := os.WriteFile(filepath.Join(damaged.Dir, KillsFile), []byte("PAR1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Add(t.Context(), dir, damaged); err == nil {
		t.Error("a damaged run is added")
	}
	plain := t.TempDir()
	if err := WriteSubject(filepath.Join(plain, "p"), newSubject(t, "p", "")); err != nil {
		t.Fatal(err)
	}
	if _, err := Add(t.Context(), plain, recorded(t, "p", aTestMore(t))); err == nil || !strings.Contains(err.Error(), "p/v1") {
		t.Errorf("a history without versions: %v", err)
	}
	if h := must[*History](t)(OpenHistory(dir)); h.Hash() != before || len(h.Unfinished) != 0 {
		t.Errorf("%+v", h)
	}
}

func TestAnExportHasARowAMutant(t *testing.T) {
	h := must[*History](t)(OpenHistory(newHistory(t)))
	all := must[*table.Table](t)(h.Export(t.Context(), []string{"depth", "constant"}))
	if all.Rows() != 12 {
		t.Fatalf("%d rows", all.Rows())
	}
	if _, err := h.Export(t.Context(), []string{"height"}); !errors.As(err, new(*NoFeature)) {
		t.Errorf("%v", err)
	}
	row := func(at int) map[string]any {
		out := map[string]any{}
		for c, name := range all.Schema().Names() {
			out[name] = all.Value(at, c)
		}
		return out
	}
	for at, want := range []map[string]any{
		{"id": "aa", "verdict": "killed", "killing": int64(1), "label_killable": 1.0, "label_fault-revealing": 1.0, "depth": 10.0, "constant": 1.0},
		{"id": "bb", "verdict": "killed", "label_fault-revealing": 0.0, "depth": 20.0, "constant": 0.0},
		{"id": "cc", "verdict": "survived", "killing": int64(0), "tests": int64(2), "label_killable": 0.0},
		{"id": "dd", "verdict": "unknown", "line": int64(6)},
	} {
		got := row(at)
		for name, v := range want {
			if got[name] != v {
				t.Errorf("row %d: %s is %v, want %v", at, name, got[name], v)
			}
		}
	}
	if v := row(3)["label_killable"].(float64); !math.IsNaN(v) {
		t.Errorf("what is not known is %v", v)
	}
	stats := must[*Stats](t)(h.Stats(t.Context()))
	if stats.Runs != 3 || stats.Programs != 3 || stats.Mutants != 12 || stats.Features != 3 || stats.Labels[0].Known != 9 || math.Abs(stats.Labels[0].Mean-2.0/3) > 1e-12 {
		t.Errorf("%+v", stats)
	}
}
