package experiment

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/train"
)

// A rival learns from its own features alone: a column of ours that knows the answer
// helps our models, and not it.
func TestARivalStandsBesideOurModelsAndSeesItsOwnFeatures(t *testing.T) {
	columns, err := features.Columns("farm")
	if err != nil {
		t.Fatal(err)
	}
	farm := Rival{Name: "FaRM as published", Train: train.Options{Rounds: 10, MinLeafSamples: 5}, Target: "fault-revealing-weighted", Columns: columns}
	columns = append([]string{"telling"}, columns...)
	rng := rand.New(rand.NewPCG(13, 1))
	var subjects []subject.Subject
	for i := range 4 {
		s := subject.Subject{Program: fmt.Sprint("p", i), Problem: fmt.Sprint("q", i), Fault: "f", Columns: columns, Reveals: matrix.BitsOf(4, 0)}
		var rows [][]float64
		for m := range 50 {
			kill, row := matrix.NewBits(4), make([]float64, len(columns))
			if row[0] = rng.Float64(); row[0] > 0.5 {
				kill.Set(rng.IntN(4))
			}
			row[1] = rng.Float64()
			s.Mutants, s.Kills, rows = append(s.Mutants, predict.Score{ID: fmt.Sprintf("%03d", m)}), append(s.Kills, kill), append(rows, row)
		}
		s.Features = subjecttest.Pack(rows)
		subjects = append(subjects, s)
	}
	opts := Options{Seed: 1, Folds: 2, Repetitions: 3, Rivals: []Rival{farm}, Train: train.Options{Rounds: 10, MinLeafSamples: 5}}
	got, _, err := judge(t.Context(), subjects, opts)
	if err != nil {
		t.Fatal(err)
	}
	auc := map[string]float64{}
	for _, q := range got.Qualities {
		auc[q.Learnt] = float64(q.AUC)
	}
	if ours, theirs := auc[KillLabel], auc[KillLabel+" (FaRM as published)"]; len(auc) != 4 || ours < 0.95 || theirs > 0.65 {
		t.Errorf("AUC %v", auc)
	}
	for _, want := range []string{"farm", "farm (FaRM as published)", "farm* (FaRM as published)", "predkillable (FaRM as published)", simulate.OracleName} {
		if !slices.ContainsFunc(got.Comparison.Rows, func(r simulate.ComparisonRow) bool { return r.Strategy == want }) {
			t.Errorf("no order %s", want)
		}
	}
	for i := range subjects {
		subjects[i].Columns, subjects[i].Features = columns[:3], subjects[i].Features.Choose([]int{0, 1, 2}, nil)
	}
	if _, _, err := judge(t.Context(), subjects, opts); exit.Of(err) != exit.Usage || !strings.Contains(err.Error(), columns[3]) {
		t.Errorf("without its features: %v", err)
	}
}
