package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// Sorting the rows is the slow twin of counting values.
func TestCountingValuesTalliesThemAsSortingRowsDoes(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 1))
	for range 200 {
		values, labels := make([]float64, rng.IntN(200)), make([]float64, 200)
		few := 1 + rng.IntN(40)
		for r := range values {
			values[r], labels[r] = float64(rng.IntN(few))-3, float64(rng.IntN(2))
			switch {
			case rng.IntN(9) == 0:
				values[r] = math.NaN()
			case values[r] == 0 && rng.IntN(2) == 0:
				values[r] = math.Copysign(0, -1)
			}
		}
		if got, want := tallyFew(values, labels, .5), tallyMany(values, labels, .5); !slices.Equal(got, want) {
			t.Fatalf("%v\n%v by sorting", got, want)
		}
	}
	distinct := make([]float64, mostValues+1)
	for r := range distinct {
		distinct[r] = float64(r)
	}
	if got := tallyFew(distinct[1:], distinct, 2); len(got) != mostValues {
		t.Errorf("%d tallies of %d values", len(got), mostValues)
	}
	if got := tallyFew(distinct, distinct, 2); got != nil {
		t.Errorf("%d tallies of more values than are counted", len(got))
	}
	if got := columnAUC(distinct, distinct, 2000); got != 1 {
		t.Errorf("a column that is the label has an AUC of %v", got)
	}
}
