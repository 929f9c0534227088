package metric

import (
	"cmp"
	"math"
	"slices"
)

// Midranks are the ranks of values from 1, those of equal values being their mean
// (Mann and Whitney 1947). They give the AUC of one column for many ways to part
// its items, after one sort.
type Midranks []float64

// NewMidranks ranks values, none of which may be NaN.
func NewMidranks(values []float64) Midranks {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks := make(Midranks, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return ranks
}

// AUC is the area under the ROC curve of the values for the positives at these
// places, each named once; NaN when a class has no item. It is Predictions.AUC to
// the bit.
func (r Midranks) AUC(positives []int32) float64 {
	p := float64(len(positives))
	n := float64(len(r)) - p
	if p == 0 || n == 0 {
		return math.NaN()
	}
	sum := 0.0 // of halves: exact
	for _, i := range positives {
		sum += r[i]
	}
	return (sum - p*(p+1)/2) / (p * n)
}
