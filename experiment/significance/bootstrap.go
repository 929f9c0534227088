package significance

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/stream"
)

// Bootstrap computes confidence intervals by resampling whole clusters with
// replacement: mutants of one program, or faults of one problem, resemble each
// other, and resampling them one by one would claim more certainty than there
// is.
//
// Source: Davison and Hinkley, "Bootstrap methods and their application"
// (1997): resampling of clusters, percentile intervals.
type Bootstrap struct {
	// Replicates is the number of resamples; 0 is 2,000.
	Replicates int
	// Level is the confidence, between 0 and 1; 0 is 0.95.
	Level float64
	Seed  uint64
	// Workers is the number of goroutines; 0 is one per CPU. It does not
	// change the result.
	Workers int
}

// together is how many resamples a worker takes at a time: to hand out one by one costs
// more than the statistic of a few clusters.
const together = 25

// Interval is a confidence interval.
type Interval struct {
	Low, High float64
	// Undefined is the number of resamples on which the statistic was NaN, for
	// example the AUC of a resample without positives. They are left out.
	Undefined int
}

// Interval returns the percentile interval of a statistic of items.
//
// clusters[i] names the cluster of item i. statistic receives how many times
// each item occurs in the resample (its weight) and returns NaN where it is
// undefined; it is called from several goroutines and must not keep count.
func (b Bootstrap) Interval(ctx context.Context, clusters []string, statistic func(count []int) float64) (Interval, error) {
	cluster, n := Number(clusters)
	return b.IntervalOf(ctx, n, func(times []int) float64 {
		count := make([]int, len(clusters))
		for i, c := range cluster {
			count[i] = times[c]
		}
		return statistic(count)
	})
}

// IntervalOf is Interval for a statistic that is computed from how many times each
// of n clusters, by its Number, occurs: one that need not look at all items again. What it
// is given is used again for the next resample.
func (b Bootstrap) IntervalOf(ctx context.Context, n int, statistic func(times []int) float64) (Interval, error) {
	if b.Replicates == 0 {
		b.Replicates = 2000
	}
	if b.Level == 0 {
		b.Level = 0.95
	}
	if b.Replicates < 1 || !(b.Level > 0 && b.Level < 1) {
		return Interval{}, fmt.Errorf("bootstrap: want a positive number of replicates and a level between 0 and 1, got %d and %v", b.Replicates, b.Level)
	}
	if n == 0 {
		return Interval{Low: math.NaN(), High: math.NaN()}, nil
	}
	values := make([]float64, b.Replicates)
	err := parallel.Each(ctx, b.Workers, slices.Chunk(values, together), func(_ context.Context, chunk int, values []float64) error {
		times := make([]int, n)
		for i := range values {
			rng := stream.New(b.Seed, "evaluate/bootstrap", chunk*together+i)
			clear(times)
			for range n {
				times[rng.IntN(n)]++
			}
			values[i] = statistic(times)
		}
		return nil
	})
	if err != nil {
		return Interval{}, fmt.Errorf("bootstrap: %w", err)
	}
	defined := slices.DeleteFunc(values, math.IsNaN)
	slices.Sort(defined)
	tail := (1 - b.Level) / 2
	return Interval{
		Low:       sortedQuantile(defined, tail),
		High:      sortedQuantile(defined, 1-tail),
		Undefined: b.Replicates - len(defined),
	}, nil
}

// Number gives each distinct name a number, from 0 in the order of the names, so
// that the resamples do not depend on the order of the items.
func Number(names []string) (numbers []int, n int) {
	distinct := slices.Compact(slices.Sorted(slices.Values(names)))
	at := make(map[string]int, len(distinct))
	for i, name := range distinct {
		at[name] = i
	}
	numbers = make([]int, len(names))
	for i, name := range names {
		numbers[i] = at[name]
	}
	return numbers, len(distinct)
}

// MeanOf is the mean of x as a statistic for Bootstrap.
func MeanOf(x []float64) func(count []int) float64 {
	return func(count []int) float64 {
		sum, n := 0.0, 0
		for i, c := range count {
			sum += x[i] * float64(c)
			n += c
		}
		return sum / float64(n)
	}
}
