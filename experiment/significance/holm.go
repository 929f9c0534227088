package significance

import (
	"cmp"
	"math"
	"slices"
)

// Holm adjusts the p-values of one family of tests so that comparing each with
// alpha keeps the chance of any false alarm at alpha or less. NaN marks a test
// that was not made: it stays NaN and does not count.
//
// Source: Holm, "A simple sequentially rejective multiple test procedure",
// Scandinavian Journal of Statistics 6 (1979).
func Holm(p []float64) []float64 {
	adjusted := slices.Clone(p)
	var order []int
	for i, v := range p {
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	largest := 0.0
	for rank, i := range order {
		largest = max(largest, p[i]*float64(len(order)-rank))
		adjusted[i] = min(1, largest)
	}
	return adjusted
}
