package learn

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/train"
)

// Of two columns one tells which mutants are killed: alone it is worth all, and
// without it nothing is left.
func TestAblationTellsWhatOnlyOneFamilyTells(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	var subjects []evaluate.Subject
	for i := range 8 {
		s := evaluate.Subject{Program: fmt.Sprint("p", i), Problem: fmt.Sprint("q", i), Fault: "f", Columns: []string{"idle", "telling"}, Reveals: matrix.BitsOf(4, 0)}
		var rows [][]float64
		for m := range 100 {
			kill, x := matrix.NewBits(4), rng.Float64()
			if x+0.2*rng.Float64() > 0.6 {
				kill.Set(1)
			}
			s.Mutants, s.Kills = append(s.Mutants, predict.Score{ID: fmt.Sprintf("%03d", m)}), append(s.Kills, kill)
			rows = append(rows, []float64{rng.Float64(), x})
		}
		s.Features = packed(rows)
		subjects = append(subjects, s)
	}
	opts := Options{Seed: 1, Folds: 4, Train: train.Options{Rounds: 10}}
	part := opts.parts()[1]
	auc := func(places []int) float64 {
		got, err := part.ablate(t.Context(), subjects, places, opts)
		if err != nil {
			t.Fatal(err)
		}
		return float64(got.Pooled)
	}
	if all, alone, without := auc(nil), auc([]int{1}), auc(others([]int{1}, 2)); all < 0.9 || alone < 0.9 || without > 0.6 {
		t.Errorf("AUC of all %.3f, of the telling one alone %.3f, without it %.3f", all, alone, without)
	}
	if got := others([]int{0, 2}, 5); !slices.Equal(got, []int{1, 3, 4}) {
		t.Errorf("others %v", got)
	}
}

func TestAblationIsATableALabel(t *testing.T) {
	var text bytes.Buffer
	auc := report.AUC{Pooled: 0.8, Low: 0.7, High: 0.9, Within: 0.85}
	err := report.WriteAblation(&text, []*report.Ablation{{Label: "killable", Columns: 9, All: auc, Families: []report.AblatedFamily{{Name: "syntax", Columns: 9, Alone: auc}}}})
	if err != nil || !strings.Contains(text.String(), "0.700 to 0.900") || strings.Count(text.String(), "0.850") != 2 {
		t.Errorf("%v: %s", err, text.String())
	}
}
