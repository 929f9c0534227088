package train_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/train"
)

func TestPermutationImportanceFindsWhatDecides(t *testing.T) {
	d, test := mixed(3000, 81), mixed(3000, 82)
	e := fit(t, train.Boosting, d, train.Options{Rounds: 40})
	var before []float64
	for _, workers := range []int{1, 3} {
		got, err := train.PermutationImportance(context.Background(), e, test, train.Logistic, 3, 1, workers)
		if err != nil {
			t.Fatal(err)
		}
		if before == nil {
			before = got
		}
		for i := range got {
			if got[i] != before[i] {
				t.Errorf("three workers say %v, one %v", got, before)
			}
		}
		number, count, holes, constant, category := got[0], got[1], got[2], got[3], got[4]
		if constant != 0 || number < 0.1 || category < 0.1 || count < 0.01 || holes > 0.01 {
			t.Errorf("importance %v of %v", got, d.Names)
		}
	}
	test.Names = []string{"a", "b", "c", "d", "e"}
	if _, err := train.PermutationImportance(context.Background(), e, test, train.Logistic, 1, 1, 1); err == nil {
		t.Error("other columns are accepted")
	}
}

func TestAColumnWithTheLabelInItIsSuspected(t *testing.T) {
	d := mixed(1000, 83)
	honest, err := train.Suspects(d, train.LeakAUC, 2)
	if err != nil || len(honest) != 0 {
		t.Fatalf("honest columns: %v, %v", honest, err)
	}
	rng := rand.New(rand.NewPCG(84, 1))
	leak := make([]float64, d.Rows())
	for r, y := range d.Labels {
		leak[r] = 3 - y + 0.2*rng.Float64() // pointing down, with some noise
		if rng.IntN(20) == 0 {
			leak[r] = nan
		}
	}
	d.Columns, d.Names, d.Categorical = append(d.Columns, train.Dense(leak)), append(d.Names, "kills"), append(d.Categorical, false)
	got, err := train.Suspects(d, train.LeakAUC, 2)
	if err != nil || len(got) != 1 || got[0].Column != "kills" {
		t.Errorf("suspects %v, %v", got, err)
	}
}

// With no relation between features and labels the AUC on new rows is one half.
func TestPermutedLabelsTeachNothing(t *testing.T) {
	test := mixed(8000, 86)
	sum := 0.0
	const tries = 4
	for try := range tries {
		d := mixed(4000, 85)
		rng := rand.New(rand.NewPCG(87, uint64(try)))
		rng.Shuffle(len(d.Labels), func(i, j int) { d.Labels[i], d.Labels[j] = d.Labels[j], d.Labels[i] })
		sum += auc(predict(t, fit(t, train.Boosting, d, small), test), test.Labels)
	}
	if mean := sum / tries; mean < 0.48 || mean > 0.52 {
		t.Errorf("AUC %.3f in the mean of %d trainings", mean, tries)
	}
}
