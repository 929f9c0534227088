package models

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Distribution says how the values of one column were spread over the training
// data, so that data unlike them can be told.
type Distribution struct {
	Name string `json:"name"`
	// Edges are the inclusive upper ends of the bins but the last, ascending; a
	// value above all of them is in the last bin.
	Edges []float64 `json:"edges"`
	// Shares are those of the bins and, last, of missing values. They add up to 1.
	Shares []float64 `json:"shares"`
	// Importance is the column's share of the model's gain.
	Importance float64 `json:"importance"`
}

// distributionBins is the number of bins a Distribution aims at: deciles, as the
// population stability index is usually computed.
const distributionBins = 10

// Describe returns the Distribution of values, which may hold NaN. Each of few
// different values has a bin of its own.
func Describe(name string, values []float64, importance float64) Distribution {
	d := Distribution{Name: name, Importance: importance, Edges: []float64{}}
	present := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
	slices.Sort(present)
	distinct := slices.Compact(slices.Clone(present))
	if len(distinct) <= distributionBins {
		if len(distinct) > 0 {
			d.Edges = append(d.Edges, distinct[:len(distinct)-1]...)
		}
	} else {
		for i := 1; i < distributionBins; i++ {
			edge := present[i*len(present)/distributionBins-1]
			if n := len(d.Edges); (n == 0 || edge > d.Edges[n-1]) && edge < present[len(present)-1] {
				d.Edges = append(d.Edges, edge)
			}
		}
	}
	d.Shares = d.spread(values)
	return d
}

// spread returns the shares of values in the bins of d.
func (d *Distribution) spread(values []float64) []float64 { return shares(d.count(values)) }

// count returns how many of values are in each bin of d and, last, missing.
func (d *Distribution) count(values []float64) []float64 {
	counts := make([]float64, len(d.Edges)+2)
	for _, x := range values {
		at := len(d.Edges) + 1
		if x == x {
			at, _ = slices.BinarySearch(d.Edges, x)
		}
		counts[at]++
	}
	return counts
}

// shares divides counts by their sum; all are 0 when that is.
func shares(counts []float64) []float64 {
	sum := 0.0
	for _, n := range counts {
		sum += n
	}
	out := make([]float64, len(counts))
	for i, n := range counts {
		out[i] = n / max(sum, 1)
	}
	return out
}

// Drift says how far new data are from the training data in one column.
type Drift struct {
	Name string `json:"feature"`
	// PSI is the population stability index: the sum over bins of (new - old)
	// log(new/old). Practice calls less than 0.1 stable and more than 0.25
	// another population.
	PSI float64 `json:"psi"`
	// KS is the largest distance between the two cumulated shares, in [0, 1].
	KS float64 `json:"ks"`
	// Importance is the column's share of the model's gain.
	Importance float64 `json:"importance"`
}

// MuchDrift is the PSI from which a column counts as drifted.
const MuchDrift = 0.25

// emptyShare stands for a bin nobody is in, so that the index is finite.
const emptyShare = 1e-4

// Compare returns the drift of values from d.
func (d *Distribution) Compare(values []float64) Drift {
	return d.drift(d.Shares, d.spread(values))
}

// drift compares two lists of shares of d's bins.
func (d *Distribution) drift(before, now []float64) Drift {
	out := Drift{Name: d.Name, Importance: d.Importance}
	distance := 0.0
	for i := range now {
		a, b := max(now[i], emptyShare), max(before[i], emptyShare)
		out.PSI += (a - b) * math.Log(a/b)
		distance += now[i] - before[i]
		out.KS = max(out.KS, math.Abs(distance))
	}
	return out
}

func (d *Distribution) validate() error {
	if d.Name == "" || len(d.Shares) != len(d.Edges)+2 {
		return fmt.Errorf("distribution of %q: %d shares for %d edges", d.Name, len(d.Shares), len(d.Edges))
	}
	sum := 0.0
	for i, s := range d.Shares {
		if !(s >= 0) {
			return fmt.Errorf("distribution of %q: share %d is %v", d.Name, i, s)
		}
		sum += s
	}
	if math.Abs(sum-1) > 1e-6 || !slices.IsSorted(d.Edges) {
		return fmt.Errorf("distribution of %q: the shares add up to %v, or the edges are out of order", d.Name, sum)
	}
	return nil
}

// Describe puts the distributions of the columns that matter most for b on its
// card: those with the largest gains over all ensembles that read features, count at most. column
// returns the training values of a column by name.
func (b *Bundle) Describe(count int, column func(name string) []float64) {
	importance := map[string]float64{}
	parts := 0.0
	for _, p := range b.parts() {
		if *p.ensemble == nil || p.own {
			continue
		}
		parts++
		for i, share := range (*p.ensemble).Importance() {
			importance[(*p.ensemble).Features[i].Name] += share
		}
	}
	var names []string
	for name, share := range importance {
		if share > 0 {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(importance[b], importance[a]), cmp.Compare(a, b))
	})
	b.Card.Distributions = nil
	for _, name := range names[:min(count, len(names))] {
		b.Card.Distributions = append(b.Card.Distributions, Describe(name, column(name), importance[name]/parts))
	}
}

// Drifts compares new data with those the model learned from, in the columns of
// its card, largest PSI first. column returns the new values of a column by name,
// nil when there are none.
func (b *Bundle) Drifts(column func(name string) []float64) []Drift {
	var out []Drift
	for i := range b.Card.Distributions {
		d := &b.Card.Distributions[i]
		if values := column(d.Name); len(values) > 0 {
			out = append(out, d.Compare(values))
		}
	}
	slices.SortStableFunc(out, func(a, b Drift) int { return cmp.Compare(b.PSI, a.PSI) })
	return out
}
