package dataset

import (
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/matrix/cover"
)

func TestRunsOfFixedVersionsStandApart(t *testing.T) {
	dir := newHistory(t)
	before := must[*History](t)(OpenHistory(dir))
	fixed := newSubject(t, "p1", "q")
	fixed.Manifest.Fault += FixedSuffix
	fixed.Features = nil
	if err := WriteSubject(filepath.Join(dir, "late", "x"+FixedSuffix), fixed); err != nil {
		t.Fatal(err)
	}
	after := must[*History](t)(OpenHistory(dir))
	if pathsOf(after) != pathsOf(before) || after.Hash() != before.Hash() {
		t.Errorf("runs %s, hash %s; before %s, %s", pathsOf(after), after.Hash(), pathsOf(before), before.Hash())
	}
	if len(after.Fixed) != 1 || after.Fixed[0].Manifest.Name() != "p1/f.fixed" {
		t.Errorf("fixed versions: %+v", after.Fixed)
	}
	if err := WriteSubject(filepath.Join(dir, "again"), fixed); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenHistory(dir); err == nil {
		t.Error("two runs of one fixed version are accepted")
	}
}

func TestBranchesAreAddedToWhatIsRecorded(t *testing.T) {
	dir := t.TempDir()
	if err := WriteSubject(dir, newSubject(t, "p", "")); err != nil {
		t.Fatal(err)
	}
	h := must[*History](t)(OpenHistory(dir))
	hash := h.Hash()
	branches := must[*cover.Matrix](t)(cover.New(cover.Branches, []string{"t1", "t2"}, 2))
	if err := branches.Name([]string{"p.c:3:7 in main: true", "p.c:3:7 in main: false"}); err != nil {
		t.Fatal(err)
	}
	if err := branches.Set(1, 0); err != nil {
		t.Fatal(err)
	}
	if err := h.Runs[0].AddBranches(branches); err != nil {
		t.Fatal(err)
	}
	h = must[*History](t)(OpenHistory(dir))
	if h.Hash() != hash {
		t.Error("the history is another to learn from")
	}
	s := must[*Subject](t)(h.Runs[0].Load())
	if s.Branches.Kind() != cover.Branches || s.Branches.Names()[1] != "p.c:3:7 in main: false" || !s.Branches.Reaching(0).Get(1) || !s.Branches.Reaching(1).Empty() {
		t.Errorf("%+v", s.Branches)
	}
	if s.Features == nil || s.Kills == nil || s.Faults == nil || s.Manifest.FeaturesTool != "" {
		t.Errorf("the rest is gone: %+v", s)
	}
	s.Branches = s.Cover
	if err := s.Validate(); err == nil {
		t.Error("coverage of sites is taken for branches")
	}
}
