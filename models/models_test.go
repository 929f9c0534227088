package models_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
)

func bundle() *models.Bundle {
	rng := rand.New(rand.NewPCG(4, 1))
	size := treetest.Size{Features: 6, Trees: 4, Leaves: 10}
	fault, kill := treetest.Ensemble(rng, size), treetest.Ensemble(rng, size)
	fault.Objective, kill.Objective = tree.Binary, tree.Binary
	return &models.Bundle{Fault: fault, Kill: kill, Card: models.Card{
		Name: "codeflaws", Version: "1.2.0", CreatedBy: "winnow train --study codeflaws", Data: "Small C programs.",
		Faults: 99, Programs: 78, Mutants: 45219, Folds: 5, Figures: map[string]float64{"kill.auc": 0.873, "fault.auc": 0.54},
		Seed: 7, HyperParameters: map[string]string{"rounds": "200"}, Schema: "5c4e", Limits: []string{"Programs of up to 322 lines."},
		TrainedOn: []string{"0123456789abcdef", "fedcba9876543210"},
	}}
}

func saved(t *testing.T) (string, *models.Bundle) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "models", "codeflaws")
	b := bundle()
	if err := models.Save(dir, b); err != nil {
		t.Fatal(err)
	}
	return dir, b
}

func TestALoadedModelIsTheOneThatWasSaved(t *testing.T) {
	dir, want := saved(t)
	got, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	want.Card.Format, want.Card.Features, want.Card.SHA256 = got.Card.Format, want.Fault.Names(), got.Card.SHA256
	if diff := cmp.Diff(want, got, treetest.AsSaved()); diff != "" {
		t.Error(diff)
	}
	if len(got.Card.SHA256) != 3 {
		t.Errorf("hashes %v", got.Card.SHA256)
	}
}

func TestSavingTwiceGivesTheSameFilesAndLeavesNothingElseBehind(t *testing.T) {
	dir, b := saved(t)
	before := contents(t, dir)
	if err := models.Save(dir, b); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, contents(t, dir)); diff != "" {
		t.Error(diff)
	}
	entries, err := os.ReadDir(filepath.Dir(dir))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the model: %v, %v", entries, err)
	}
}

func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, name := range []string{"fault.txt", "kill.txt", "card.json", "README.md"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(text)
	}
	return out
}

func TestAFolderWithOtherThingsIsNotReplaced(t *testing.T) {
	dir := t.TempDir()
	precious := filepath.Join(dir, "thesis.tex")
	if err := os.WriteFile(precious, []byte("chapter 1"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := models.Save(dir, bundle()); err == nil || !strings.Contains(err.Error(), "choose another") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(precious); err != nil {
		t.Error(err)
	}
}

func TestDamageIsFoundAndTheCureNamed(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, dir string){
		"a truncated ensemble": func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, "fault.txt"), 700); err != nil {
				t.Fatal(err)
			}
		},
		"one digit changed": func(t *testing.T, dir string) {
			path := filepath.Join(dir, "kill.txt")
			text := contents(t, dir)["kill.txt"]
			if err := os.WriteFile(path, []byte(strings.Replace(text, "shrinkage=0.", "shrinkage=0.1", 1)), 0o644); err != nil {
				t.Fatal(err)
			}
		},
		"a missing ensemble": func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "kill.txt")); err != nil {
				t.Fatal(err)
			}
		},
		"a truncated card": func(t *testing.T, dir string) {
			if err := os.Truncate(filepath.Join(dir, "card.json"), 100); err != nil {
				t.Fatal(err)
			}
		},
		"an unknown field in the card": func(t *testing.T, dir string) {
			text := strings.Replace(contents(t, dir)["card.json"], `"seed"`, `"sede"`, 1)
			if err := os.WriteFile(filepath.Join(dir, "card.json"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		},
	} {
		dir, _ := saved(t)
		damage(t, dir)
		_, err := models.Load(dir)
		if !errors.Is(err, models.ErrDamaged) || !strings.Contains(err.Error(), dir) {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(name, "ensemble") && !strings.Contains(err.Error(), "again") {
			t.Errorf("%s: no advice in %v", name, err)
		}
	}
}

func TestAModelWhoseFilesAreCompressedIsTheSame(t *testing.T) {
	dir, want := saved(t)
	compress(t, filepath.Join(dir, "kill.txt"))
	compress(t, filepath.Join(dir, "sources.bin"))
	got, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want.Kill, got.Kill, treetest.AsSaved()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(want.Card.TrainedOn, got.Card.TrainedOn); diff != "" {
		t.Error(diff)
	}
	packed := filepath.Join(dir, "kill.txt.zst")
	if err := os.Truncate(packed, 50); err != nil {
		t.Fatal(err)
	}
	if _, err := models.Load(dir); !errors.Is(err, models.ErrDamaged) || !strings.Contains(err.Error(), "kill.txt.zst") {
		t.Errorf("truncated: %v", err)
	}
	if err := os.Remove(packed); err != nil {
		t.Fatal(err)
	}
	if _, err := models.Load(dir); !errors.Is(err, models.ErrDamaged) || !strings.Contains(err.Error(), "kill.txt:") {
		t.Errorf("neither file: %v", err)
	}
}

// compress puts file.zst into the place of file.
func compress(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := os.WriteFile(file+".zst", e.EncodeAll(text, nil), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
}

func TestWhatAModelLearnedFromIsKeptBesideTheCard(t *testing.T) {
	dir, b := saved(t)
	if text := contents(t, dir)["card.json"]; strings.Contains(text, b.Card.TrainedOn[0]) {
		t.Error("the card has the sources, too")
	}
	file := filepath.Join(dir, "sources.bin")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text[3]++
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := models.Load(dir); !errors.Is(err, models.ErrDamaged) || !strings.Contains(err.Error(), "sources.bin") {
		t.Errorf("another source: %v", err)
	}
	b.Card.TrainedOn = []string{"0123"}
	if err := models.Save(dir, b); err == nil || !strings.Contains(err.Error(), "want 16 hexadecimal digits") {
		t.Errorf("a short hash: %v", err)
	}
}

func TestACardThatHasTheSourcesItselfIsRead(t *testing.T) {
	dir, b := saved(t)
	want := b.Card.TrainedOn
	b.Card.TrainedOn = nil
	if err := models.Save(dir, b); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "sources.bin")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file of no sources: %v", err)
	}
	text := strings.Replace(contents(t, dir)["card.json"], `"seed"`, fmt.Sprintf(`"trained_on": ["%s"], "seed"`, strings.Join(want, `", "`)), 1)
	if err := os.WriteFile(filepath.Join(dir, "card.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got.Card.TrainedOn); diff != "" {
		t.Error(diff)
	}
}

func TestAFolderWithoutACardIsNotAModel(t *testing.T) {
	_, err := models.Load(t.TempDir())
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "card.json") {
		t.Errorf("got %v", err)
	}
}

func TestACardOfAnotherFormatAsksForAnotherVersion(t *testing.T) {
	dir, _ := saved(t)
	text := strings.Replace(contents(t, dir)["card.json"], `"format": 2`, `"format": 3`, 1)
	if err := os.WriteFile(filepath.Join(dir, "card.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := models.Load(dir); err == nil || !strings.Contains(err.Error(), "update winnow") {
		t.Errorf("got %v", err)
	}
}

func TestAnIncompleteBundleIsNotSaved(t *testing.T) {
	for want, spoil := range map[string]func(*models.Bundle){
		"no name":                  func(b *models.Bundle) { b.Card.Name = "" },
		"no version":               func(b *models.Bundle) { b.Card.Version = "" },
		"what command":             func(b *models.Bundle) { b.Card.CreatedBy = "" },
		"not described":            func(b *models.Bundle) { b.Card.Data = "" },
		"no schema":                func(b *models.Bundle) { b.Card.Schema = "" },
		"there is no kill.txt":     func(b *models.Bundle) { b.Kill = nil },
		"not predict a probabilit": func(b *models.Bundle) { b.Kill.Objective = tree.Regression },
		"reads other features":     func(b *models.Bundle) { b.Card.Features = []string{"x"} },
		"figure fault.auc is NaN":  func(b *models.Bundle) { b.Card.Figures["fault.auc"] = math.NaN() },
	} {
		b := bundle()
		spoil(b)
		dir := filepath.Join(t.TempDir(), "m")
		if err := models.Save(dir, b); err == nil {
			t.Errorf("%s: saved", want)
		} else if _, statErr := os.Stat(dir); statErr == nil {
			t.Errorf("%s: the folder exists", want)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("want %q in %v", want, err)
		}
	}
}

func TestTheReadmeTellsPeopleWhatTheCardTellsPrograms(t *testing.T) {
	dir, _ := saved(t)
	readme := contents(t, dir)["README.md"]
	for _, want := range []string{
		"# Model codeflaws 1.2.0", "Small C programs.", "| faults | 99 |", "| mutants | 45219 |", "| fault.auc | 0.54 |",
		"| rounds | 200 |", "winnow train --study codeflaws", "- Programs of up to 322 lines.", "5 folds", "`5c4e`", "`fault.txt`",
	} {
		if !strings.Contains(readme, want) {
			t.Errorf("%q is missing from\n%s", want, readme)
		}
	}
}

func TestABundleMayHoldMoreThanTwoEnsemblesAndCalibrations(t *testing.T) {
	b := bundle()
	rng := rand.New(rand.NewPCG(4, 2))
	size := treetest.Size{Features: 6, Trees: 3, Leaves: 8}
	b.Reveal, b.Rank = treetest.Ensemble(rng, size), treetest.Ensemble(rng, size)
	b.Reveal.Objective, b.Rank.Objective = tree.Binary, tree.Regression
	b.Reveal.Features, b.Rank.Features = b.Fault.Features, b.Fault.Features
	// What is asked of survivors reads columns of its own.
	b.Survivor = treetest.Ensemble(rng, treetest.Size{Features: 3, Trees: 3, Leaves: 8})
	b.Survivor.Objective, b.Survivor.Features = tree.Binary, []tree.Feature{{Name: "reaching"}, {Name: "infecting"}, {Name: "tests"}}
	b.Card.Calibrations = map[string]models.Calibration{
		models.FaultFile:  {Method: models.PlattCalibration, Slope: 0.7, Intercept: -1},
		models.RevealFile: {Method: models.IsotonicCalibration, From: []float64{0.1, 0.9}, To: []float64{0, 0.5}},
	}
	b.Card.Distributions = []models.Distribution{models.Describe("depth", []float64{1, 2, 2, 3}, 0.4)}
	dir := filepath.Join(t.TempDir(), "m")
	if err := models.Save(dir, b); err != nil {
		t.Fatal(err)
	}
	got, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	for what, pair := range map[string][2]any{
		"reveal": {b.Reveal, got.Reveal}, "rank": {b.Rank, got.Rank}, "survivor": {b.Survivor, got.Survivor}, "calibrations": {b.Card.Calibrations, got.Card.Calibrations},
		"distributions": {b.Card.Distributions, got.Card.Distributions},
	} {
		if diff := cmp.Diff(pair[0], pair[1], treetest.AsSaved()); diff != "" {
			t.Errorf("%s: %s", what, diff)
		}
	}
	if readme := contents(t, dir)["README.md"]; !strings.Contains(readme, "Platt: log-odds times 0.7 plus -1") || !strings.Contains(readme, "rank.txt") || !strings.Contains(readme, "`survivor.txt`") {
		t.Errorf("the card for people lacks the calibration or a file:\n%s", readme)
	}
	b.Reveal.Objective = tree.Regression
	if err := models.Save(dir, b); err == nil {
		t.Error("reveal.txt need not predict a probability")
	}
}

// A model of revelation that ranks makes probabilities by the card alone, so that a
// bundle whose card does not say how, or would make some equal, is neither saved nor
// loaded.
func TestARevelationThatRanksComesWithARisingCurve(t *testing.T) {
	b := bundle()
	b.Reveal = treetest.Ensemble(rand.New(rand.NewPCG(4, 3)), treetest.Size{Features: 6, Trees: 3, Leaves: 8})
	b.Reveal.Objective, b.Reveal.Features = tree.Ranking, b.Fault.Features
	dir := filepath.Join(t.TempDir(), "m")
	for name, c := range map[string]models.Calibration{
		"none":     {},
		"steps":    {Method: models.IsotonicCalibration, From: []float64{0.1, 0.9}, To: []float64{0, 0.5}},
		"constant": {Method: models.PlattCalibration, Intercept: -3},
	} {
		b.Card.Calibrations = map[string]models.Calibration{models.RevealFile: c}
		if err := models.Save(dir, b); err == nil || !strings.Contains(err.Error(), "reveal.txt ranks") {
			t.Errorf("%s: %v", name, err)
		}
	}
	curve := models.Calibration{Method: models.PlattCalibration, Slope: 1.0 / 3, Intercept: -math.Pi}
	b.Card.Calibrations = map[string]models.Calibration{models.RevealFile: curve}
	if err := models.Save(dir, b); err != nil {
		t.Fatal(err)
	}
	got, err := models.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(b.Reveal, got.Reveal, treetest.AsSaved()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(curve, got.Calibration(models.RevealFile)); diff != "" {
		t.Error(diff)
	}
	if readme := contents(t, dir)["README.md"]; !strings.Contains(readme, "lambdarank") {
		t.Errorf("the card for people does not say what the curve starts from:\n%s", readme)
	}
	b.Kill.Objective = tree.Ranking
	b.Card.Calibrations[models.KillFile] = curve
	if err := models.Save(dir, b); err == nil || !strings.Contains(err.Error(), "kill.txt does not predict a probability") {
		t.Errorf("a model of killability that ranks: %v", err)
	}
}
