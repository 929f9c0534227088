package features

import "math"

// What numbers of a row are written as.

func share(part, whole int) float64 { return float64(part) / float64(whole) }

// shareOrMissing is missing where the whole is 0.
func shareOrMissing(part, whole int) float64 { return quotient(float64(part), float64(whole)) }

// quotient is part of whole, missing where whole is 0.
func quotient(part, whole float64) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return part / whole
}

// truth is 1 for what holds, and 0 for what does not.
func truth(holds bool) float64 {
	if holds {
		return 1
	}
	return 0
}

// missing writes that nothing is known.
func missing(row []float64) {
	for k := range row {
		row[k] = math.NaN()
	}
}

// orMissing is a distance, missing below 0.
func orMissing(n int) float64 {
	if n < 0 {
		return math.NaN()
	}
	return float64(n)
}

// often compresses a count.
func often(n int64) float64 { return math.Log2(1 + float64(n)) }

// magnitude compresses a number, keeping its sign; NaN stays NaN. Infinity, as in
// HUGE_VAL, counts as the largest number: learners refuse what is not finite.
func magnitude(x float64) float64 {
	x = max(-math.MaxFloat64, min(math.MaxFloat64, x))
	return math.Copysign(math.Log2(1+math.Abs(x)), x) + 0 // no negative zero
}

// binaryEntropy is that of an event with probability p, in bits.
func binaryEntropy(p float64) float64 {
	if p == 0 || p == 1 {
		return 0
	}
	return -p*math.Log2(p) - (1-p)*math.Log2(1-p)
}
