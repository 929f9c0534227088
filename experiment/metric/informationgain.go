package metric

import (
	"cmp"
	"math"
	"slices"
)

// gainBins is the number of equally full intervals that InformationGain cuts a
// feature into.
const gainBins = 10

// InformationGain is what knowing a feature tells about the class, in bits:
// H(class) - H(class | feature). The feature is cut into at most ten intervals
// with about equally many items; equal values stay together, and missing ones
// (NaN) are an interval of their own. 0 for a feature that is constant or no
// items; NaN never.
//
// Source: Quinlan, "Induction of decision trees", Machine Learning 1 (1986);
// the measure by which the dissertation ranks features (section 6.6.2). It does
// not say how it cut numbers into intervals.
func InformationGain(values []float64, positive []bool) float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) }) // NaN first
	var whole, bin step
	conditional := 0.0
	for at, i := range order {
		if positive[i] {
			bin.positives++
			whole.positives++
		} else {
			bin.negatives++
			whole.negatives++
		}
		last := at+1 == len(order)
		full := bin.size()*gainBins >= float64(len(order))
		if last || differs(values[i], values[order[at+1]]) && (full || math.IsNaN(values[i])) {
			conditional += bin.size() * bin.entropy()
			bin = step{}
		}
	}
	if whole.size() == 0 {
		return 0
	}
	return max(0, whole.entropy()-conditional/whole.size())
}

func differs(a, b float64) bool { return a != b && !(math.IsNaN(a) && math.IsNaN(b)) }

// entropy is the class's, in bits.
func (s step) entropy() float64 {
	h := 0.0
	for _, n := range []float64{s.positives, s.negatives} {
		if n > 0 {
			share := n / s.size()
			h -= share * math.Log2(share)
		}
	}
	return h
}
