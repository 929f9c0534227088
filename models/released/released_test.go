package released

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
)

func TestEveryReleasedModelOpensAndIsDescribed(t *testing.T) {
	for _, name := range Names() {
		b, err := Open(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(b.Card.Limits) == 0 || len(b.Card.Figures) == 0 {
			t.Errorf("%s: a released model says how good it is and where its limits are", name)
		}
	}
}

func TestEveryFolderHereIsAReleasedModel(t *testing.T) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() && !slices.Contains(Names(), e.Name()) {
			t.Errorf("%s holds no model", e.Name())
		}
	}
}

func TestASavedModelIsReleasedByItsFolder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	e := treetest.Ensemble(rng, treetest.Size{Features: 3, Trees: 2, Leaves: 5})
	e.Objective = tree.Binary
	dir := t.TempDir()
	b := &models.Bundle{Fault: e, Kill: e, Card: models.Card{Name: "m", Version: "1", CreatedBy: "c", Data: "d", Schema: "s"}}
	if err := models.Save(filepath.Join(dir, "small"), b); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "README.md"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	fsys := os.DirFS(dir)
	if got := names(fsys); !slices.Equal(got, []string{"small"}) {
		t.Fatalf("names %v", got)
	}
	got, err := open(fsys, "small")
	if err != nil || got.Card.Name != "m" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := open(fsys, "large"); err == nil || !strings.Contains(err.Error(), "there are small") {
		t.Errorf("unknown name: %v", err)
	}
	if _, err := open(os.DirFS(t.TempDir()), "small"); err == nil || !strings.Contains(err.Error(), "ships no models") {
		t.Errorf("nothing released: %v", err)
	}
}
