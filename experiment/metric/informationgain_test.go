package metric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestInformationGainOfTextbookCases(t *testing.T) {
	yes := []bool{true, true, false, false}
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		values []float64
		want   float64
	}{
		{"the class itself", []float64{1, 1, 0, 0}, 1},
		{"constant", []float64{3, 3, 3, 3}, 0},
		{"independent", []float64{1, 2, 1, 2}, 0},
		{"missing tells all", []float64{nan, nan, 0, 0}, 1},
		{"three to one", []float64{1, 1, 1, 0}, 1 - 0.75*(-(2.0/3)*math.Log2(2.0/3)-(1.0/3)*math.Log2(1.0/3))},
	} {
		if got := InformationGain(c.values, yes); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v bits, want %v", c.name, got, c.want)
		}
	}
	if got := InformationGain(nil, nil); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

func TestInformationGainDependsOnTheOrderOfValuesAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	for range 50 {
		values, positive := make([]float64, 300), make([]bool, 300)
		for i := range values {
			values[i], positive[i] = float64(rng.IntN(40)), rng.IntN(3) == 0
		}
		want := InformationGain(values, positive)
		stretched := make([]float64, len(values))
		for i, v := range values {
			stretched[i] = math.Exp(v / 10)
		}
		perm := rng.Perm(len(values))
		shuffled, classes := make([]float64, len(values)), make([]bool, len(values))
		for to, from := range perm {
			shuffled[to], classes[to] = values[from], positive[from]
		}
		if got := InformationGain(stretched, positive); math.Abs(got-want) > 1e-9 {
			t.Fatalf("stretched: %v, want %v", got, want)
		}
		if got := InformationGain(shuffled, classes); math.Abs(got-want) > 1e-9 {
			t.Fatalf("shuffled: %v, want %v", got, want)
		}
		if want < 0 || want > 1 || slices.IndexFunc(positive, func(b bool) bool { return b }) < 0 {
			t.Fatalf("gain %v of a binary class", want)
		}
	}
}
