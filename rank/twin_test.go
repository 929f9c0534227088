package rank

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/export"
	"github.com/winnow-mutants/winnow/report"
)

// loadedAndWritten is a program of two files, and the folder with its tables.
func loadedAndWritten(t *testing.T) (*program.Program, string) {
	t.Helper()
	dir := t.TempDir()
	clamp, sum := filepath.Join(dir, "clamp.c"), filepath.Join(dir, "sum.c")
	testfile.Write(t, clamp, "int clamp(int x, int low, int high) {\n  if (x < low) return low;\n  return x > high ? high : x;\n}\n")
	testfile.Write(t, sum, "int sum(const int *a, int n) {\n  int s = 0;\n  for (int i = 0; i < n; i++) s += a[i] * 1;\n  return s;\n}\n")
	tools, inputs, folder := clangtest.Tools(t), []program.Input{{Path: clamp}, {Path: sum}}, filepath.Join(dir, "written")
	if _, err := export.Write(t.Context(), tools, inputs, folder, export.Options{NoBuild: true}); err != nil {
		t.Fatal(err)
	}
	p, err := program.Load(t.Context(), tools, inputs, program.LoadOptions{Name: "written"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := program.WriteFeatures(p, filepath.Join(folder, dataset.FeaturesFile), features.Schema().Names()[1:]); err != nil {
		t.Fatal(err)
	}
	if marks, err := table.Read(filepath.Join(folder, dataset.ProofsFile)); err != nil || marks.Rows() != len(p.Undefined) || marks.Rows() == 0 {
		t.Fatalf("marks of %d mutants are not written: %v, %v", len(p.Undefined), marks, err)
	}
	return p, folder
}

func released(t *testing.T) *models.Bundle {
	t.Helper()
	model, err := models.Load("../models/released/codeflaws")
	if err != nil {
		t.Fatal(err)
	}
	return model
}

// asJSON is a ranking of a source, or the error.
func asJSON(t *testing.T, from Source, opts Options) (string, error) {
	t.Helper()
	ranking, err := Order(t.Context(), from, opts)
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	if err := ranking.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	return text.String(), nil
}

// A program that is ranked, and the tables that were written of it, are the slow twins of
// each other: by every strategy they have the same order, probabilities and reasons, or
// lack the same.
func TestAProgramAndItsTablesHaveOneRanking(t *testing.T) {
	p, folder := loadedAndWritten(t)
	model := released(t)
	four, err := predict.ParseTop("4")
	if err != nil {
		t.Fatal(err)
	}
	ranked := 0
	for _, strategy := range predict.All() {
		for _, opts := range []Options{
			{Model: model, Strategy: strategy, Seed: 7, Reasons: 3},
			{Model: model, Strategy: strategy, Seed: 7, Reasons: 2, Top: four, Workers: 2},
			{Strategy: strategy, Seed: 7},
		} {
			tables, err := OpenTables(folder)
			if err != nil {
				t.Fatal(err)
			}
			a, errA := asJSON(t, OfProgram(p, nil), opts)
			b, errB := asJSON(t, tables, opts)
			if a != b || (errA == nil) != (errB == nil) || errA != nil && errA.Error() != errB.Error() {
				t.Errorf("strategy %s: the program gives %v\n%s\nits tables %v\n%s", strategy.Name, errA, a, errB, b)
			}
			if errA == nil {
				ranked++
			}
		}
	}
	if ranked < 2*len(predict.All()) {
		t.Errorf("only %d rankings were compared", ranked)
	}
}

// Of several models the one is asked whose programs are most like this one, by strategies to
// which it has something to say; what it does not know is NaN.
func TestTheModelIsAskedWhoseProgramsAreMostLikeThisOne(t *testing.T) {
	p, _ := loadedAndWritten(t)
	limited := func(name string, limit float64) *models.Bundle {
		b := *released(t)
		familiar := *b.Card.Familiar
		familiar.Limit = limit
		b.Card.Familiar, b.Card.Name = &familiar, name
		return &b
	}
	for _, c := range []struct {
		limit    float64 // of the model of kills; that of the other is .5
		strategy predict.Strategy
		want     string
	}{
		{.4, predict.Winnow, "both"}, {.6, predict.Winnow, "kills"}, {.6, predict.PredKillable, "kills"},
		{.6, predict.FaRM, "both"}, // which reads what the model of kills has not
	} {
		kills := limited("kills", c.limit)
		kills.Fault, kills.Reveal = nil, nil
		first := limited("both", .5)
		first.Otherwise = kills
		got, err := Order(t.Context(), OfProgram(p, nil), Options{Model: first, Strategy: c.strategy, Seed: 7, Reasons: 2})
		if err != nil {
			t.Fatal(err)
		}
		m := got.Mutants[0]
		name, _, _ := strings.Cut(got.Model, " ")
		if name != c.want || math.IsNaN(float64(m.PFault)) != (c.want == "kills") || math.IsNaN(float64(m.PKill)) || len(m.Reasons) != 2 {
			t.Errorf("limit %v, %s: model %s, p(fault) %v, p(kill) %v, %d reasons; want model %s", c.limit, c.strategy.Name, got.Model, m.PFault, m.PKill, len(m.Reasons), c.want)
		}
	}
}

func TestTablesWithoutFeaturesAreRankedByStrategiesThatNeedNone(t *testing.T) {
	p, folder := loadedAndWritten(t)
	if err := os.Remove(filepath.Join(folder, dataset.FeaturesFile)); err != nil {
		t.Fatal(err)
	}
	ids := func(r *report.Ranking) (out []string) {
		for _, m := range r.Mutants {
			out = append(out, m.ID)
		}
		return out
	}
	opts := Options{Model: released(t), Strategy: predict.Random, Seed: 3, Reasons: 1}
	whole, err := Order(t.Context(), OfProgram(p, nil), opts)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := OpenTables(folder)
	if err != nil {
		t.Fatal(err)
	}
	bare, err := Order(t.Context(), tables, opts)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(ids(whole), ids(bare)) || bare.Model != "" || len(bare.Notes) != 1 || whole.Model == "" || len(whole.Notes) != 0 {
		t.Errorf("model %q, notes %q; with features model %q, notes %q", bare.Model, bare.Notes, whole.Model, whole.Notes)
	}
	opts.Strategy = predict.FaRMStar
	var missing *TableError
	if _, err := Order(t.Context(), tables, opts); !errors.As(err, &missing) || missing.Problem != NoFeatures {
		t.Errorf("a strategy that needs them: %v", err)
	}
}
