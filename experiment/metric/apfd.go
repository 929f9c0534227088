package metric

import "math"

// APFD is the average percentage of faults detected, as a share, by an order
// of n artefacts (tests or mutants): the mean over faults of 1 - k/n + 1/(2n),
// where k is the rank, from 1, of the first artefact that reveals the fault.
// A rank of 0 stands for a fault that nothing reveals, which counts as 0.
// NaN when there are no faults or no artefacts, or a rank outside 0..n.
//
// Sources: Elbaum, Malishevsky and Rothermel, "Prioritizing test cases for
// regression testing", ISSTA 2000: 1 - sum(k)/(n m) + 1/(2n) for m faults, here
// one term per fault. Its extension to unrevealed faults is the area under the
// curve of section 2.5.1 of the dissertation, which such a fault leaves at zero.
func APFD(ranks []int, n int) float64 {
	if n <= 0 || len(ranks) == 0 {
		return math.NaN()
	}
	sum := 0.0
	for _, k := range ranks {
		if k < 0 || k > n {
			return math.NaN()
		}
		if k > 0 {
			sum += 1 - (float64(k)-0.5)/float64(n)
		}
	}
	return sum / float64(len(ranks))
}
