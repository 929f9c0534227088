package significance

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"
)

func TestA12OfTheWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{2, 3}, []float64{1, 2}, 0.875},
		{[]float64{1, 2, 3}, []float64{1, 2, 3}, 0.5},
		{[]float64{5, 6}, []float64{1, 2}, 1},
		{[]float64{1, 2}, []float64{5, 6}, 0},
	} {
		if got := A12(c.x, c.y); got != c.want {
			t.Errorf("A12(%v, %v) = %v, want %v", c.x, c.y, got, c.want)
		}
	}
	if !math.IsNaN(A12(nil, []float64{1})) || !math.IsNaN(A12([]float64{1}, nil)) {
		t.Error("A12 of an empty sample is defined")
	}
}

func TestA12EqualsItsDefinitionAndTheRankSumStatistic(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range 100 {
		x, y := tied(rng, 1+rng.IntN(12)), tied(rng, 1+rng.IntN(12))
		wins := 0.0
		for _, a := range x {
			for _, b := range y {
				if a > b {
					wins++
				} else if a == b {
					wins += 0.5
				}
			}
		}
		pairs := float64(len(x) * len(y))
		w, err := RankSum(x, y, Options{Method: Normal})
		if got := A12(x, y); !near(got, wins/pairs, 1e-12) || err != nil || !near(got, w.Statistic/pairs, 1e-12) {
			t.Fatalf("A12(%v, %v) = %v, by definition %v, by ranks %v (%v)", x, y, got, wins/pairs, w.Statistic/pairs, err)
		}
		if !near(A12(x, y)+A12(y, x), 1, 1e-12) {
			t.Fatalf("A12(%v, %v) and its mirror do not add up to 1", x, y)
		}
	}
}

func TestQuantilesAreThoseOfR(t *testing.T) {
	x := []float64{10, 1, 4, 2}
	// quantile(c(1,2,4,10), c(0,.1,.25,.5,.9,1)) in R.
	for p, want := range map[float64]float64{0: 1, .1: 1.3, .25: 1.75, .5: 3, .9: 8.2, 1: 10} {
		if got := Quantile(x, p); !near(got, want, 1e-12) {
			t.Errorf("quantile %v = %v, want %v", p, got, want)
		}
	}
	if !slices.Equal(x, []float64{10, 1, 4, 2}) {
		t.Error("Quantile reordered its input")
	}
	for _, v := range []float64{Median(nil), Mean(nil), Quantile(x, -1), Quantile(x, 2), Quantile(x, math.NaN())} {
		if !math.IsNaN(v) {
			t.Errorf("an undefined quantile or mean is %v", v)
		}
	}
	if Median([]float64{3, 1, 2}) != 2 || Median([]float64{7}) != 7 || Mean(x) != stat.Mean(x, nil) {
		t.Error("median or mean is wrong")
	}
}

func TestHolmGivesTheValuesOfR(t *testing.T) {
	// p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") in R.
	got := Holm([]float64{0.01, 0.04, 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, 0.06, 0.02} {
		if !near(got[i], want, 1e-12) {
			t.Errorf("adjusted p-values %v, want .03 .06 .06 .02", got)
		}
	}
}

func TestHolmLeavesUntestedOutAndNeverLowersAPValue(t *testing.T) {
	got := Holm([]float64{0.02, math.NaN(), 0.5, 0.9})
	if !near(got[0], 0.06, 1e-12) || !math.IsNaN(got[1]) || got[2] != 1 || got[3] != 1 {
		t.Errorf("adjusted p-values %v, want .06 NaN 1 1", got)
	}
	rng := rand.New(rand.NewPCG(6, 1))
	for range 100 {
		p := make([]float64, rng.IntN(9))
		for i := range p {
			p[i] = rng.Float64() * rng.Float64()
		}
		adjusted := Holm(p)
		for i := range p {
			if adjusted[i] < p[i] || adjusted[i] > min(1, p[i]*float64(len(p))) {
				t.Fatalf("Holm(%v) = %v: outside p and Bonferroni's bound", p, adjusted)
			}
			for j := range p {
				if p[i] < p[j] && adjusted[i] > adjusted[j] {
					t.Fatalf("Holm(%v) = %v changes the order", p, adjusted)
				}
			}
		}
	}
}

func TestTheBootstrapResamplesWholeClusters(t *testing.T) {
	clusters := []string{"a", "b", "a", "c", "b", "a"}
	b := Bootstrap{Replicates: 200, Seed: 9, Workers: 1}
	_, err := b.Interval(t.Context(), clusters, func(count []int) float64 {
		if count[0] != count[2] || count[0] != count[5] || count[1] != count[4] {
			t.Errorf("a cluster is resampled in parts: %v", count)
		}
		if total := count[0] + count[1] + count[3]; total != 3 {
			t.Errorf("%d clusters are drawn, want 3", total)
		}
		return 0
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheBootstrapDependsOnTheSeedButNotOnWorkersOrTheOrderOfItems(t *testing.T) {
	x := []float64{1, 5, 2, 8, 3, 9, 4}
	clusters := []string{"d", "a", "b", "c", "a", "e", "f"}
	interval := func(seed uint64, workers int, x []float64, clusters []string) Interval {
		t.Helper()
		got, err := Bootstrap{Seed: seed, Workers: workers}.Interval(t.Context(), clusters, MeanOf(x))
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	one := interval(1, 1, x, clusters)
	if many := interval(1, 7, x, clusters); many != one {
		t.Errorf("1 worker gives %v, 7 give %v", one, many)
	}
	if other := interval(2, 1, x, clusters); other == one {
		t.Errorf("two seeds give the same interval %v", one)
	}
	slices.Reverse(x)
	slices.Reverse(clusters)
	if reversed := interval(1, 1, x, clusters); !near(reversed.Low, one.Low, 1e-12) || !near(reversed.High, one.High, 1e-12) {
		t.Errorf("the reversed list gives %v, want %v", reversed, one)
	}
}

func TestTheBootstrapIntervalOfAMeanIsAboutItsNormalInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	x, clusters := make([]float64, 200), make([]string, 200)
	for i := range x {
		x[i] = rng.NormFloat64()
		clusters[i] = string(rune(i))
	}
	got, err := Bootstrap{Seed: 1}.Interval(t.Context(), clusters, MeanOf(x))
	if err != nil {
		t.Fatal(err)
	}
	mean, sd := stat.MeanStdDev(x, nil)
	half := 1.96 * sd / math.Sqrt(200)
	if !near(got.Low, mean-half, 0.03) || !near(got.High, mean+half, 0.03) {
		t.Errorf("the interval is %v, want about %v to %v", got, mean-half, mean+half)
	}

	// When clusters hold equal items, there is less evidence than items.
	for i := range clusters {
		clusters[i] = string(rune(i / 10))
		x[i] = x[i/10*10]
	}
	wide, err := Bootstrap{Seed: 1}.Interval(t.Context(), clusters, MeanOf(x))
	if err != nil || wide.High-wide.Low < 2*(got.High-got.Low) {
		t.Errorf("20 clusters of equal items give %v (%v), hardly wider than 200 items' %v", wide, err, got)
	}
}

func TestTheBootstrapLeavesUndefinedReplicatesOut(t *testing.T) {
	got, err := Bootstrap{Replicates: 100, Seed: 1}.Interval(t.Context(), []string{"a", "b"}, func(count []int) float64 {
		if count[0] == 0 {
			return math.NaN()
		}
		return 5
	})
	if err != nil || got.Low != 5 || got.High != 5 || got.Undefined < 10 || got.Undefined > 45 {
		t.Errorf("got %+v, %v; want 5 to 5 and about 25 undefined", got, err)
	}
	none, err := Bootstrap{}.Interval(t.Context(), nil, MeanOf(nil))
	if err != nil || !math.IsNaN(none.Low) || !math.IsNaN(none.High) {
		t.Errorf("no items: %+v, %v", none, err)
	}
}

func TestTheBootstrapRefusesWrongOptionsAndStopsWhenCancelled(t *testing.T) {
	for _, b := range []Bootstrap{{Replicates: -1}, {Level: 1}, {Level: -0.5}, {Level: math.NaN()}} {
		if _, err := b.Interval(t.Context(), []string{"a"}, MeanOf([]float64{1})); err == nil {
			t.Errorf("%+v was accepted", b)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (Bootstrap{}).Interval(ctx, []string{"a"}, MeanOf([]float64{1})); err == nil {
		t.Error("a cancelled bootstrap gave an interval")
	}
}
