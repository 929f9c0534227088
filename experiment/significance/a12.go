package significance

import (
	"math"
	"slices"
)

// A12 is the probability that a random member of x is larger than a random
// member of y, ties counting half: 1 when all of x are larger, 0.5 when there
// is no difference. NaN when a sample is empty.
//
// It is P(X > Y) + P(X = Y)/2, the measure A of Vargha and Delaney, "A critique
// and improvement of the CL common language effect size statistics of McGraw
// and Wong", Journal of Educational and Behavioral Statistics 25 (2000);
// dissertation, section 2.5.3.
func A12(x, y []float64) float64 {
	if len(x) == 0 || len(y) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(y))
	twice := 0 // two for each pair that x wins, one for a tie
	for _, v := range x {
		less, _ := slices.BinarySearch(sorted, v)
		atMost, _ := slices.BinarySearchFunc(sorted, v, func(e, v float64) int {
			if e <= v {
				return -1
			}
			return 1
		})
		twice += less + atMost
	}
	return float64(twice) / 2 / float64(len(x)) / float64(len(y))
}
