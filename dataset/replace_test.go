package dataset

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/matrix/table"
)

// otherFeatures has a row for each of some mutants.
func otherFeatures(t *testing.T, ids ...string) *table.Table {
	t.Helper()
	features, err := table.FromColumns(table.Schema{{Name: "id", Type: table.String}, {Name: "new", Type: table.Float64}}, ids, make([]float64, len(ids)))
	if err != nil {
		t.Fatal(err)
	}
	return features
}

// TestAReplacementSurvivesItsEnd stops a replacement at each of its steps.
func TestAReplacementSurvivesItsEnd(t *testing.T) {
	dir := t.TempDir()
	if err := WriteSubject(dir, newSubject(t, "p", "")); err != nil {
		t.Fatal(err)
	}
	open := func() *Run {
		h, err := OpenHistory(dir)
		if err != nil {
			t.Fatal(err)
		}
		return &h.Runs[0]
	}
	run := open()
	s, err := run.Load()
	if err != nil {
		t.Fatal(err)
	}
	ids, _ := s.Mutants.Strings("id")
	for _, wrong := range [][]string{nil, ids[1:], append([]string{"other"}, ids[1:]...)} {
		if err := run.ReplaceFeatures(otherFeatures(t, wrong...), nil, "2"); err == nil || !strings.Contains(err.Error(), "not those of") {
			t.Errorf("features of %v: %v", wrong, err)
		}
	}
	former, next := filepath.Join(dir, FeaturesFile), filepath.Join(dir, FeaturesFile+next)
	old, err := os.ReadFile(former)
	if err != nil {
		t.Fatal(err)
	}
	// Ended before the manifest was written: the features are the old ones.
	if err := table.Write(next, otherFeatures(t, ids...)); err != nil {
		t.Fatal(err)
	}
	if err := open().FinishReplacing(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(next); !os.IsNotExist(err) {
		t.Errorf("what was left behind: %v", err)
	}
	if _, err := open().Load(FeaturesFile); err != nil {
		t.Error(err)
	}
	// Ended before the last step: they are the new ones, once that is done.
	if err := run.ReplaceFeatures(otherFeatures(t, ids...), nil, "2"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(former, next); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(former, old, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := open().Load(FeaturesFile); err == nil {
		t.Error("old features are taken for new ones")
	}
	if err := open().FinishReplacing(); err != nil {
		t.Fatal(err)
	}
	s, err = open().Load()
	if err != nil || s.Features.Schema().Index("new") != 1 || s.Manifest.FeaturesTool != "2" {
		t.Errorf("%+v, %v", s, err)
	}
}
