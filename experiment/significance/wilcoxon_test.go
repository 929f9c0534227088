package significance

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// near says whether got and want agree to a tolerance of the last digit given.
func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

// The examples of R's help page of wilcox.test, with the values it prints, and
// of the pages of scipy.stats.mannwhitneyu and scipy.stats.wilcoxon.
var (
	// Hollander and Wolfe (1973), 29f: depression scores before and after.
	depressionX = []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	depressionY = []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	// Hollander and Wolfe (1973), 69f: permeability of placentas.
	permeabilityX = []float64{0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46}
	permeabilityY = []float64{1.15, 0.88, 0.90, 0.74, 1.21}

	males, females = []float64{19, 22, 16, 29, 24}, []float64{20, 11, 17, 12}
	// Darwin's plants, self- against cross-fertilised.
	plants = []float64{6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75}
)

func TestRankSumGivesThePublishedValues(t *testing.T) {
	for _, c := range []struct {
		name         string
		x, y         []float64
		opts         Options
		statistic, p float64
		tolerance    float64
	}{
		{"R, permeability", permeabilityX, permeabilityY, Options{Alternative: Greater}, 35, 0.1272, 5e-5},
		{"scipy, exact", males, females, Options{}, 17, 1.0 / 9, 1e-12},
		{"scipy, asymptotic", males, females, Options{Method: Normal}, 17, 0.11134688653314041, 1e-12},
		{"one each", []float64{1}, []float64{2}, Options{}, 0, 1, 0},
		{"complete separation of 3 and 3", []float64{4, 5, 6}, []float64{1, 2, 3}, Options{}, 9, 0.1, 1e-12},
		{"complete separation, greater", []float64{4, 5, 6}, []float64{1, 2, 3}, Options{Alternative: Greater}, 9, 0.05, 1e-12},
		{"complete separation, less", []float64{4, 5, 6}, []float64{1, 2, 3}, Options{Alternative: Less}, 9, 1, 1e-12},
	} {
		got, err := RankSum(c.x, c.y, c.opts)
		if err != nil {
			t.Fatal(err)
		}
		if got.Statistic != c.statistic || !near(got.P, c.p, c.tolerance) || got.Exact != (c.opts.Method != Normal) {
			t.Errorf("%s: got %+v, want W = %v, p = %v", c.name, got, c.statistic, c.p)
		}
	}
}

func TestSignedRankGivesThePublishedValues(t *testing.T) {
	zeros := make([]float64, len(plants))
	for _, c := range []struct {
		name         string
		x, y         []float64
		opts         Options
		statistic, p float64
		tolerance    float64
	}{
		{"R, depression", depressionX, depressionY, Options{Alternative: Greater}, 40, 0.01953, 5e-6},
		// scipy reports the smaller of both sums, 24; 120-24 = 96.
		{"scipy, Darwin's plants", plants, zeros, Options{}, 96, 0.041259765625, 1e-15},
		{"no difference", []float64{1, 2}, []float64{1, 2}, Options{}, 0, 1, 0},
		{"five of five", []float64{1, 2, 3, 4, 5}, zeros[:5], Options{}, 15, 2.0 / 32, 1e-15},
	} {
		got, err := SignedRank(c.x, c.y, c.opts)
		if err != nil {
			t.Fatal(err)
		}
		if got.Statistic != c.statistic || !near(got.P, c.p, c.tolerance) {
			t.Errorf("%s: got %+v, want V = %v, p = %v", c.name, got, c.statistic, c.p)
		}
	}
}

// tied draws values with many ties.
func tied(rng *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(rng.IntN(6)) / 4
	}
	return out
}

// slowRankSum splits the observations in all possible ways.
func slowRankSum(x, y []float64) (atMost, atLeast float64) {
	wins := func(x, y []float64) (w float64) {
		for _, a := range x {
			for _, b := range y {
				switch {
				case a > b:
					w++
				case a == b:
					w += 0.5
				}
			}
		}
		return w
	}
	all := append(append([]float64{}, x...), y...)
	observed, splits := wins(x, y), 0.0
	for mask := range uint(1) << len(all) {
		if bits.OnesCount(mask) != len(x) {
			continue
		}
		var one, other []float64
		for i, v := range all {
			if mask>>i&1 == 1 {
				one = append(one, v)
			} else {
				other = append(other, v)
			}
		}
		splits++
		w := wins(one, other)
		if w <= observed {
			atMost++
		}
		if w >= observed {
			atLeast++
		}
	}
	return atMost / splits, atLeast / splits
}

func TestExactRankSumEqualsTheEnumerationOfAllSplits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 60 {
		x, y := tied(rng, 1+rng.IntN(5)), tied(rng, 1+rng.IntN(5))
		atMost, atLeast := slowRankSum(x, y)
		for alternative, want := range map[Alternative]float64{
			Less: atMost, Greater: atLeast, TwoSided: min(1, 2*min(atMost, atLeast)),
		} {
			got, err := RankSum(x, y, Options{Alternative: alternative, Method: Exact})
			if err != nil || !near(got.P, want, 1e-12) {
				t.Fatalf("RankSum(%v, %v, %d) = %+v, %v; want p = %v", x, y, alternative, got, err, want)
			}
		}
	}
}

// slowSignedRank gives the differences all possible signs.
func slowSignedRank(d []float64) (atMost, atLeast float64) {
	var ranks []float64
	observed := 0.0
	for _, a := range d {
		if a == 0 {
			continue
		}
		rank := 0.5
		for _, b := range d {
			switch {
			case b != 0 && math.Abs(b) < math.Abs(a):
				rank++
			case math.Abs(b) == math.Abs(a):
				rank += 0.5
			}
		}
		ranks = append(ranks, rank)
		if a > 0 {
			observed += rank
		}
	}
	total := math.Pow(2, float64(len(ranks)))
	for mask := range uint(1) << len(ranks) {
		sum := 0.0
		for i, r := range ranks {
			if mask>>i&1 == 1 {
				sum += r
			}
		}
		if sum <= observed {
			atMost++
		}
		if sum >= observed {
			atLeast++
		}
	}
	return atMost / total, atLeast / total
}

func TestExactSignedRankEqualsTheEnumerationOfAllSigns(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 60 {
		n := rng.IntN(11)
		x, y := tied(rng, n), tied(rng, n)
		d := make([]float64, n)
		for i := range d {
			d[i] = x[i] - y[i]
		}
		atMost, atLeast := slowSignedRank(d)
		for alternative, want := range map[Alternative]float64{
			Less: atMost, Greater: atLeast, TwoSided: min(1, 2*min(atMost, atLeast)),
		} {
			got, err := SignedRank(x, y, Options{Alternative: alternative, Method: Exact})
			if err != nil || !near(got.P, want, 1e-12) {
				t.Fatalf("SignedRank(%v, %v, %d) = %+v, %v; want p = %v", x, y, alternative, got, err, want)
			}
		}
	}
}

func TestTheNormalApproximationIsCloseToTheExactTest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 20 {
		x, y := tied(rng, 40), tied(rng, 40)
		for i := range x {
			x[i] += 0.1 * float64(rng.IntN(5))
		}
		for alternative := range Alternative(3) {
			exact, _ := RankSum(x, y, Options{Alternative: alternative, Method: Exact})
			normal, _ := RankSum(x, y, Options{Alternative: alternative, Method: Normal})
			if !near(exact.P, normal.P, 0.01) {
				t.Errorf("rank-sum p-values %v and %v are too far apart", exact.P, normal.P)
			}
			exact, _ = SignedRank(x, y, Options{Alternative: alternative, Method: Exact})
			normal, _ = SignedRank(x, y, Options{Alternative: alternative, Method: Normal})
			if !near(exact.P, normal.P, 0.01) {
				t.Errorf("signed-rank p-values %v and %v are too far apart", exact.P, normal.P)
			}
		}
	}
}

func TestSwappingTheSamplesMirrorsTheTest(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for _, method := range []Method{Exact, Normal} {
		for range 20 {
			x, y := tied(rng, 8), tied(rng, 8)
			xy, _ := RankSum(x, y, Options{Greater, method})
			yx, _ := RankSum(y, x, Options{Less, method})
			if !near(xy.P, yx.P, 1e-12) || xy.Statistic+yx.Statistic != 64 {
				t.Fatalf("rank-sum: %+v and %+v are not mirrored", xy, yx)
			}
			xy, _ = SignedRank(x, y, Options{Greater, method})
			yx, _ = SignedRank(y, x, Options{Less, method})
			if !near(xy.P, yx.P, 1e-12) {
				t.Fatalf("signed-rank: %+v and %+v are not mirrored", xy, yx)
			}
		}
	}
}

func TestAutoIsExactBelowFiftyAndApproximateAbove(t *testing.T) {
	x, y := make([]float64, 60), make([]float64, 60)
	for i := range x {
		x[i], y[i] = float64(i), float64(i)-float64(i%7)-1
	}
	for n, want := range map[int]bool{49: true, 50: false} {
		if got, err := RankSum(x[:n], y[:3], Options{}); err != nil || got.Exact != want {
			t.Errorf("rank-sum of %d: exact = %v, %v", n, got.Exact, err)
		}
		if got, err := SignedRank(x[:n], y[:n], Options{}); err != nil || got.Exact != want {
			t.Errorf("signed-rank of %d: exact = %v, %v", n, got.Exact, err)
		}
	}
}

func TestDifferencesThatOnlyRoundingTellsApartAreTies(t *testing.T) {
	got, err := SignedRank([]float64{0.6, 0.2, 0.3, 0}, []float64{0.4, 0, 0.1, 0}, Options{Method: Normal})
	if err != nil {
		t.Fatal(err)
	}
	same, _ := SignedRank([]float64{2, 2, 2, 0}, []float64{0, 0, 0, 0}, Options{Method: Normal})
	if got != same {
		t.Errorf("0.6-0.4, 0.2-0 and 0.3-0.1 give %+v, equal differences %+v", got, same)
	}
	if got.N != 3 {
		t.Errorf("%d differences count, want 3: the zero must not", got.N)
	}
}

func TestEqualSamplesGiveNoEvidence(t *testing.T) {
	same := []float64{2, 2, 2, 2}
	for _, method := range []Method{Exact, Normal} {
		for alternative := range Alternative(3) {
			sum, err := RankSum(same, same, Options{alternative, method})
			if err != nil || sum.P != 1 {
				t.Errorf("rank-sum of equal samples: %+v, %v", sum, err)
			}
			signed, err := SignedRank(same, same, Options{alternative, method})
			if err != nil || signed.P != 1 || signed.N != 0 {
				t.Errorf("signed-rank of equal samples: %+v, %v", signed, err)
			}
		}
	}
}

func TestUnusableSamplesAreErrors(t *testing.T) {
	nan, long := []float64{math.NaN()}, make([]float64, exactAtMost+1)
	for i := range long {
		long[i] = float64(i + 1)
	}
	for name, call := range map[string]func() (Test, error){
		"empty x":         func() (Test, error) { return RankSum(nil, males, Options{}) },
		"empty y":         func() (Test, error) { return RankSum(males, nil, Options{}) },
		"NaN":             func() (Test, error) { return RankSum(males, nan, Options{}) },
		"unpaired":        func() (Test, error) { return SignedRank(males, females, Options{}) },
		"NaN in a pair":   func() (Test, error) { return SignedRank(nan, []float64{1}, Options{}) },
		"infinite pair":   func() (Test, error) { return SignedRank([]float64{math.Inf(1)}, []float64{1}, Options{}) },
		"exact, too many": func() (Test, error) { return RankSum(long, males, Options{Method: Exact}) },
		"exact, too many pairs": func() (Test, error) {
			return SignedRank(long, make([]float64, len(long)), Options{Method: Exact})
		},
	} {
		if _, err := call(); !errors.Is(err, ErrSample) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
