package pipeline

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/evaluate/metric"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/train"
)

// Trees that are free to memorise learn nothing from labels that were permuted,
// unless something leaks around the folds. The same trees on the labels as they
// are learn a lot, so that the test can fail.
func TestPermutedLabelsCannotBeLearnt(t *testing.T) {
	auc := func(permute bool) float64 {
		rng := rand.New(rand.NewPCG(9, 1))
		var subjects []evaluate.Subject
		for i := range 100 {
			s := evaluate.Subject{Program: fmt.Sprint("p", i), Problem: fmt.Sprint("q", i/2), Fault: "f", Columns: []string{"a", "b", "c", "d"}, Reveals: matrix.BitsOf(2, 0)}
			level := rng.Float64() // of the program: what leaks when a fold splits it
			for m := range 120 {
				row := []float64{rng.Float64(), rng.Float64(), level, float64(m % 7)}
				kill := matrix.NewBits(2)
				if row[0]+0.3*rng.Float64() > 0.6 {
					kill.Set(m % 2)
				}
				s.Mutants, s.Kills, s.Features = append(s.Mutants, predict.Score{ID: fmt.Sprintf("%03d", m)}), append(s.Kills, kill), append(s.Features, row)
			}
			if permute {
				rng.Shuffle(len(s.Kills), func(i, j int) { s.Kills[i], s.Kills[j] = s.Kills[j], s.Kills[i] })
			}
			subjects = append(subjects, s)
		}
		label, err := dataset.LookupLabel(KillLabel)
		if err != nil {
			t.Fatal(err)
		}
		scores, err := evaluate.CrossValidate(t.Context(), subjects, label, fitter(LearnOptions{Train: train.Options{Rounds: 15}, Seed: 1}), evaluate.CrossValidateOptions{Folds: 4, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		var pooled []float64
		var truth []bool
		for i := range subjects {
			values, positive, err := evaluate.Settle(&subjects[i], label, scores.Scores[i])
			if err != nil {
				t.Fatal(err)
			}
			pooled, truth = append(pooled, values...), append(truth, positive...)
		}
		p, err := metric.NewPredictions(pooled, truth)
		if err != nil {
			t.Fatal(err)
		}
		return p.AUC()
	}
	if got := auc(true); math.Abs(got-0.5) > 0.02 {
		t.Errorf("AUC %.3f of permuted labels", got)
	}
	if got := auc(false); got < 0.85 {
		t.Errorf("AUC %.3f of the labels as they are", got)
	}
}
