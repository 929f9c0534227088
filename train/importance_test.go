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
		measured, err := train.PermutationImportance(context.Background(), e, test, train.Logistic, nil, 3, 1, workers)
		if err != nil {
			t.Fatal(err)
		}
		got := measured.Increase
		if before == nil {
			before = got
		}
		for i := range got {
			if got[i] != before[i] {
				t.Errorf("three workers say %v, one %v", got, before)
			}
		}
		number, count, holes, constant, level := got[0], got[1], got[2], got[3], got[4]
		if constant != 0 || number < 0.1 || level < 0.1 || count < 0.01 || holes > 0.01 {
			t.Errorf("importance %v of %v", got, d.Names)
		}
	}
	test.Names = []string{"a", "b", "c", "d", "e"}
	if _, err := train.PermutationImportance(context.Background(), e, test, train.Logistic, nil, 1, 1, 1); err == nil {
		t.Error("other columns are accepted")
	}
}

// Of two columns that say nearly the same each is worth little alone; together
// they are worth what they say.
func TestColumnsThatStandForOneAnotherAreWorthSomethingTogether(t *testing.T) {
	draw := func(seed uint64) *train.Data {
		rng := rand.New(rand.NewPCG(88, seed))
		d := &train.Data{Names: []string{"twin", "other", "noise"}}
		columns := make([][]float64, 3)
		for range 4000 {
			x, noise := rng.NormFloat64(), rng.NormFloat64()
			for i, v := range []float64{x + 0.1*rng.NormFloat64(), x + 0.1*rng.NormFloat64(), noise} {
				columns[i] = append(columns[i], v)
			}
			y := 0.0
			if x+0.3*rng.NormFloat64() > 0 {
				y = 1
			}
			d.Labels = append(d.Labels, y)
		}
		for _, c := range columns {
			d.Columns = append(d.Columns, train.Dense(c))
		}
		return d
	}
	e := fit(t, train.Boosting, draw(1), train.Options{Rounds: 30, ColumnFraction: 0.5})
	got, err := train.PermutationImportance(context.Background(), e, draw(2), train.Logistic, [][]int{{0}, {1}, {0, 1}, {2}}, 2, 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	alone, both := max(got.Increase[0], got.Increase[1]), got.Increase[2]
	if both < 1.5*alone || both < 0.5*got.Loss || got.Increase[3] > 0.1*both {
		t.Errorf("loss %v, increases %v", got.Loss, got.Increase)
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
	d.Columns, d.Names = append(d.Columns, train.Dense(leak)), append(d.Names, "kills")
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
