package criterion

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix"
)

// Size is the number of tests that are the given share (permille) of a pool of
// n, rounded to the nearest and at least one: small pools have no 2.5 %.
func Size(n, permille int) int { return max(1, (n*permille+500)/1000) }

// Sample draws suites of the given size from a pool of n tests, uniformly
// without replacement within a suite. The suites depend on seed, name, n and
// size alone, so that all criteria and both versions of a subject get the same
// ones.
func Sample(seed uint64, name string, n, size, suites int) []matrix.Bits {
	rng := stream.New(seed, "evaluate/criterion/"+name, size)
	out := make([]matrix.Bits, suites)
	tests := make([]int, n)
	for i := range out {
		for t := range tests {
			tests[t] = t
		}
		out[i] = matrix.NewBits(n)
		// The first places of a Fisher-Yates shuffle.
		for k := range min(size, n) {
			j := k + rng.IntN(n-k)
			tests[k], tests[j] = tests[j], tests[k]
			out[i].Set(tests[k])
		}
	}
	return out
}

// Scores returns, for each suite, the share of the feasible elements that it
// covers; NaN without feasible elements: no score, never 100 %.
func Scores(elements, suites []matrix.Bits) []float64 {
	// Elements covered by the same tests are counted together.
	number, weights := map[string]int{}, []float64(nil)
	var distinct []matrix.Bits
	total := 0.0
	for _, e := range Feasible(elements) {
		key := e.Key()
		n, known := number[key]
		if !known {
			n = len(distinct)
			number[key] = n
			distinct, weights = append(distinct, e), append(weights, 0)
		}
		weights[n]++
		total++
	}
	out := make([]float64, len(suites))
	for i, suite := range suites {
		covered := 0.0
		for n, e := range distinct {
			if e.Intersects(suite) {
				covered += weights[n]
			}
		}
		out[i] = covered / total // 0/0 is NaN
	}
	return out
}

// Revealing returns, for each suite, whether it reveals the fault.
func Revealing(reveals matrix.Bits, suites []matrix.Bits) []bool {
	out := make([]bool, len(suites))
	for i, suite := range suites {
		out[i] = suite.Intersects(reveals)
	}
	return out
}

// Top is the share of the suites that reveal among the given share (percent) of
// the suites with the highest scores; among suites with equal scores chance
// decides, by rng, so that a score shared by many suites does not favour the
// first ones drawn. NaN without suites or scores. At 100 it is the share among
// all suites.
func Top(scores []float64, reveals []bool, percent int, rng *rand.Rand) float64 {
	if slices.ContainsFunc(scores, math.IsNaN) {
		return math.NaN()
	}
	order := rng.Perm(len(scores))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	kept := order[:(len(order)*percent+99)/100]
	revealing := 0
	for _, i := range kept {
		if reveals[i] {
			revealing++
		}
	}
	return float64(revealing) / float64(len(kept))
}
