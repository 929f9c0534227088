package train

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestColumnsThatWereBinnedBeforeGiveTheSameModel(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	const rows = 400
	whole := &Data{}
	for k := range 6 {
		values := make([]float64, rows)
		for r := range values {
			if values[r] = rng.NormFloat64(); k > 3 && rng.IntN(8) > 0 {
				values[r] = 0
			}
		}
		whole.Columns, whole.Names = append(whole.Columns, Compress(values)), append(whole.Names, string(rune('a'+k)))
	}
	for r := range rows {
		y := 0.0
		if whole.Columns[1].Values[r]+whole.Columns[2].Values[r] > 0 {
			y = 1
		}
		whole.Labels = append(whole.Labels, y)
	}
	options := Options{Rounds: 6, Seed: 3, ColumnFraction: 0.7, MinLeafSamples: 5}
	binned, err := Bin(whole, options)
	if err != nil {
		t.Fatal(err)
	}
	for _, places := range [][]int{{0, 1, 2, 3, 4, 5}, {2, 4}, {5, 1, 0}} {
		part := &Data{Labels: whole.Labels}
		for _, at := range places {
			part.Columns, part.Names = append(part.Columns, whole.Columns[at]), append(part.Names, whole.Names[at])
		}
		want, err := Fit(t.Context(), part, options)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Fit(t.Context(), binned.Choose(places), options)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("columns %v: another model", places)
		}
	}
	options.Bins = 16
	if _, err := Fit(t.Context(), binned.Choose([]int{1}), options); err == nil {
		t.Error("other bins than those there are were taken for them")
	}
}
