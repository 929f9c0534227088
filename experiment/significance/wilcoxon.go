package significance

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Alternative is the hypothesis that a test weighs against "no difference".
type Alternative uint8

// The alternatives: x differs from y, tends to be greater, tends to be less.
const (
	TwoSided Alternative = iota
	Greater
	Less
)

// Method is the way a p-value is computed.
type Method uint8

const (
	// Auto is Exact for samples of fewer than 50 (differences or, in RankSum,
	// observations on each side) and Normal above.
	Auto Method = iota
	// Exact counts all assignments of the observed ranks: the permutation
	// distribution given the ties. Its time grows with the cube of the sample.
	Exact
	// Normal approximates that distribution by a normal one, with corrections
	// for ties and for continuity.
	Normal
)

// exactBelow is the sample size from which Auto approximates, R's choice too.
// exactAtMost is where Exact refuses: the counts would pass the largest float.
const (
	exactBelow  = 50
	exactAtMost = 500
)

// Options chooses among the forms of a Wilcoxon test. The zero value is the
// two-sided test, exact for small samples.
type Options struct {
	Alternative Alternative
	Method      Method
}

// Test is the outcome of a Wilcoxon test.
type Test struct {
	// Statistic is W of RankSum or V of SignedRank, as R names them.
	Statistic float64
	// P is the probability of a statistic at least as extreme when there is no
	// difference; the two-sided one is twice the smaller side, at most 1.
	P float64
	// Exact says how P was computed.
	Exact bool
	// N is the number of observations that took part: zero differences do not.
	N int
}

// ErrSample is wrapped by the errors about samples that a test cannot use.
var ErrSample = errors.New("unusable sample")

// RankSum is Wilcoxon's rank-sum test (Mann and Whitney's U test) for two
// independent samples. W is the number of pairs in which x is larger, ties
// counting half.
//
// Sources: Mann and Whitney, Annals of Mathematical Statistics 18 (1947). The
// variance with ties is n*m/12 * (N+1 - sum(t^3-t)/(N(N-1))), N = n+m, over the
// groups of t equal values (Lehmann, "Nonparametrics" (1975), chapter 1).
func RankSum(x, y []float64, opts Options) (Test, error) {
	if len(x) == 0 || len(y) == 0 {
		return Test{}, fmt.Errorf("rank-sum test: %w: a sample is empty", ErrSample)
	}
	if slices.ContainsFunc(x, math.IsNaN) || slices.ContainsFunc(y, math.IsNaN) {
		return Test{}, fmt.Errorf("rank-sum test: %w: NaN among the observations", ErrSample)
	}
	doubled, ties := doubledRanks(slices.Concat(x, y))
	n, m := float64(len(x)), float64(len(y))
	sum := 0
	for _, r := range doubled[:len(x)] {
		sum += r
	}
	test := Test{Statistic: float64(sum)/2 - n*(n+1)/2, N: len(x) + len(y)}
	test.Exact = opts.Method == Exact || opts.Method == Auto && max(len(x), len(y)) < exactBelow
	if test.Exact {
		if test.N > exactAtMost {
			return Test{}, errTooLarge("rank-sum", test.N)
		}
		test.P = exactP(subsetSums(doubled, len(x)), sum, opts.Alternative)
		return test, nil
	}
	total := n + m
	variance := n * m / 12 * (total + 1 - ties/(total*(total-1)))
	test.P = normalP(test.Statistic-n*m/2, math.Sqrt(variance), opts.Alternative)
	return test, nil
}

// SignedRank is Wilcoxon's signed-rank test for pairs. V is the sum of the
// ranks of |x-y| where x is larger. Pairs without difference are dropped, as
// Wilcoxon did; when none is left there is no evidence, and P is 1.
//
// Differences that agree to a trillionth of the largest are ties, and zero is
// meant likewise: 0.6-0.4 and 0.2 are equal to everybody but a computer.
//
// Sources: Wilcoxon, Biometrics Bulletin 1 (1945). The variance with ties is
// n(n+1)(2n+1)/24 - sum(t^3-t)/48 over the groups of t equal |x-y| (Lehmann,
// "Nonparametrics" (1975), chapter 3).
func SignedRank(x, y []float64, opts Options) (Test, error) {
	if len(x) != len(y) {
		return Test{}, fmt.Errorf("signed-rank test: %w: %d values cannot be paired with %d", ErrSample, len(x), len(y))
	}
	differences, err := nonZeroDifferences(x, y)
	if err != nil {
		return Test{}, err
	}
	sizes := make([]float64, len(differences))
	for i, d := range differences {
		sizes[i] = math.Abs(d)
	}
	doubled, ties := doubledRanks(sizes)
	sum := 0
	for i, d := range differences {
		if d > 0 {
			sum += doubled[i]
		}
	}
	test := Test{Statistic: float64(sum) / 2, N: len(differences)}
	test.Exact = opts.Method == Exact || opts.Method == Auto && len(differences) < exactBelow
	if test.Exact {
		if test.N > exactAtMost {
			return Test{}, errTooLarge("signed-rank", test.N)
		}
		test.P = exactP(subsetSums(doubled, anySize), sum, opts.Alternative)
		return test, nil
	}
	n := float64(len(differences))
	variance := n*(n+1)*(2*n+1)/24 - ties/48
	test.P = normalP(test.Statistic-n*(n+1)/4, math.Sqrt(variance), opts.Alternative)
	return test, nil
}

func errTooLarge(test string, n int) error {
	return fmt.Errorf("%s test: %w: %d observations are too many for the exact form (%d at most); use Auto or Normal", test, ErrSample, n, exactAtMost)
}

// nonZeroDifferences returns the differences of pairs in units of a trillionth
// of the largest, rounded, without the zeros.
func nonZeroDifferences(x, y []float64) ([]float64, error) {
	largest := 0.0
	for i := range x {
		d := math.Abs(x[i] - y[i])
		if math.IsNaN(d) || math.IsInf(d, 0) {
			return nil, fmt.Errorf("signed-rank test: %w: pair %d (%v and %v) has no finite difference", ErrSample, i, x[i], y[i])
		}
		largest = max(largest, d)
	}
	var out []float64
	for i := range x {
		// Divide first: largest*1e-12 may underflow.
		if d := math.Round((x[i] - y[i]) / largest * 1e12); largest > 0 && d != 0 {
			out = append(out, d)
		}
	}
	return out, nil
}

// doubledRanks returns twice the rank of each value (from 1; equal values
// share their mean rank, hence the doubling) and the tie term of the
// variances: the sum of t^3-t over the groups of t equal values.
func doubledRanks(values []float64) (doubled []int, ties float64) {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	doubled = make([]int, len(values))
	for start := 0; start < len(order); {
		end := start
		for end < len(order) && values[order[end]] == values[order[start]] {
			end++
		}
		for _, i := range order[start:end] {
			doubled[i] = start + 1 + end
		}
		t := float64(end - start)
		ties += t*t*t - t
		start = end
	}
	return doubled, ties
}

// anySize makes subsetSums count subsets of every size.
const anySize = -1

// subsetSums returns, at each s, how many subsets of weights, of the given
// size, have the sum s. The counts are floats: they pass 2^64 but stay far
// below the largest float, and sums of positive numbers lose no precision that
// matters.
func subsetSums(weights []int, size int) []float64 {
	total := 0
	for _, w := range weights {
		total += w
	}
	rows := 1
	if size != anySize {
		rows = size + 1
	}
	counts := make([][]float64, rows)
	for k := range counts {
		counts[k] = make([]float64, total+1)
	}
	counts[0][0] = 1
	reached := 0
	for i, w := range weights {
		for k := min(i+1, rows-1); k >= 0; k-- {
			from := k - 1
			if size == anySize {
				from = k
			}
			if from < 0 {
				continue
			}
			// Downwards, so that a weight is not added to a sum that has it.
			source, target := counts[from][:reached+1], counts[k][w:]
			for s := len(source) - 1; s >= 0; s-- {
				target[s] += source[s]
			}
		}
		reached += w
	}
	return counts[rows-1]
}

// exactP returns the p-value of the observed sum among the counted ones.
func exactP(counts []float64, observed int, alternative Alternative) float64 {
	total, atMost, atLeast := 0.0, 0.0, 0.0
	for s, c := range counts {
		total += c
		if s <= observed {
			atMost += c
		}
		if s >= observed {
			atLeast += c
		}
	}
	return pick(atMost/total, atLeast/total, alternative)
}

// normalP returns the p-value of a statistic that is distance away from its
// mean, moved half a step towards it for continuity.
func normalP(distance, sd float64, alternative Alternative) float64 {
	if sd == 0 {
		return 1 // all observations are equal: no evidence
	}
	step := 0.5
	switch alternative {
	case Less:
		step = -0.5
	case TwoSided:
		if distance == 0 {
			return 1
		}
		step = math.Copysign(0.5, distance)
	}
	z := (distance - step) / sd
	return pick(distuv.UnitNormal.CDF(z), distuv.UnitNormal.Survival(z), alternative)
}

func pick(atMost, atLeast float64, alternative Alternative) float64 {
	switch alternative {
	case Greater:
		return atLeast
	case Less:
		return atMost
	}
	return min(1, 2*min(atMost, atLeast))
}
