package significance

import (
	"math"
	"slices"
)

// Median is the middle value of x, or the mean of the two middle ones; NaN for
// an empty x. x is left as it is.
func Median(x []float64) float64 { return Quantile(x, 0.5) }

// Mean is the arithmetic mean of x; NaN for an empty x.
func Mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// Quantile is the value below which the share p (0 to 1) of x lies, linear
// between the observations: type 7 of Hyndman and Fan, "Sample quantiles in
// statistical packages", The American Statistician 50 (1996), the default of R
// and NumPy. NaN for an empty x or a p outside 0..1. x is left as it is.
func Quantile(x []float64, p float64) float64 {
	return sortedQuantile(slices.Sorted(slices.Values(x)), p)
}

func sortedQuantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	h := p * float64(len(sorted)-1)
	below := int(h)
	if below == len(sorted)-1 {
		return sorted[below]
	}
	low, high := sorted[below], sorted[below+1]
	if low == high {
		return low // also keeps two equal infinities from becoming NaN
	}
	return low + (h-float64(below))*(high-low)
}
