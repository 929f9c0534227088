package metric

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Predictions.AUC, which sorts for each question, is the slow twin.
func TestTheAUCOfMidranksIsThatOfPredictions(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 1))
	for range 300 {
		values := make([]float64, 1+rng.IntN(60))
		for i := range values {
			values[i] = float64(rng.IntN(8))
			if rng.IntN(9) == 0 {
				values[i] = math.Inf(-1)
			}
		}
		ranks := NewMidranks(values)
		for range 4 {
			positive := make([]bool, len(values))
			var places []int32
			for i := range positive {
				if positive[i] = rng.IntN(3) == 0; positive[i] {
					places = append(places, int32(i))
				}
			}
			p, err := NewPredictions(values, positive)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := ranks.AUC(places), p.AUC(); math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("%v of %v: %v, want %v", places, values, got, want)
			}
		}
	}
	if got := NewMidranks([]float64{math.Inf(-1), 1, 1, 2}).AUC([]int32{1, 3}); got != 0.875 {
		t.Errorf("a value below all: %v", got)
	}
}
