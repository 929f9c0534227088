package predict

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Sorting by bytes gives what comparing ids gives, whatever their lengths and what
// they have in common.
func TestSortingByIDEqualsComparing(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	draw := []func() string{
		func() string { return fmt.Sprintf("%016x", rng.Uint64()) },
		func() string { return fmt.Sprintf("the-same-beginning-%d", rng.IntN(500)) },
		func() string { return strings.Repeat("a", rng.IntN(40)) },
		func() string { return strings.Repeat("\x00", rng.IntN(20)) },
		func() string { return string(rune(rng.IntN(300))) + fmt.Sprint(rng.IntN(9)) },
	}
	for round := range 40 {
		scores := make([]Score, rng.IntN(1500))
		for i := range scores {
			scores[i] = Score{ID: draw[round%len(draw)](), Selector: int32(rng.IntN(3))}
		}
		want := make([]int, len(scores))
		for i := range want {
			want[i] = i
		}
		slices.SortFunc(want, func(a, b int) int { return compareID(scores, a, b) })
		if got := byID(scores); !slices.Equal(got, want) {
			t.Fatalf("round %d: %d ids in another order", round, len(scores))
		}
	}
}

func TestDescendingEqualsComparing(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 2))
	values := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), -1, 1, .5, .25, 1e-300, -1e300}
	for range 40 {
		scores := make([]Score, rng.IntN(1000))
		for i := range scores {
			scores[i] = Score{ID: fmt.Sprint(rng.Uint32()), Kill: rng.NormFloat64()}
			if rng.IntN(2) == 0 {
				scores[i].Kill = values[rng.IntN(len(values))]
			}
		}
		want := byID(scores)
		// cmp.Compare puts NaN before every number, hence last when reversed.
		slices.SortStableFunc(want, func(a, b int) int { return cmp.Compare(scores[b].Kill, scores[a].Kill) })
		if got := descending(scores, func(s *Score) float64 { return s.Kill }); !slices.Equal(got, want) {
			t.Fatalf("%d scores in another order", len(scores))
		}
	}
}
