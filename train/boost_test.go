package train

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/models/tree"
)

// While it trains, boosting scores rows by their bins; afterwards the model
// scores them by their values. Rows that a tree did not see are routed apart.
func TestScoresByBinsAreThoseTheModelGives(t *testing.T) {
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(17, seed))
		d := randomData(rng)
		b, err := newBooster(d, Options{Rounds: 5, MinLeafSamples: 1, RowFraction: 0.6, Seed: seed, Bins: 6})
		if err != nil {
			t.Fatal(err)
		}
		b.grower = newHistogramGrower(b.table, &b.options)
		for round := range 5 {
			if err := b.round(round); err != nil {
				t.Fatal(err)
			}
		}
		for r, score := range b.scores {
			raw := b.start
			for i := range b.model.Trees {
				raw += leafValue(&b.model.Trees[i], d, r)
			}
			if math.Abs(raw-score) > 1e-12 {
				t.Fatalf("seed %d, row %d: %v by bins, %v by the model", seed, r, score, raw)
			}
		}
	}
}

func leafValue(t *tree.Tree, d *Data, row int) float64 {
	values := make([]float64, len(d.Columns))
	for i, c := range d.Columns {
		if !c.sparse() {
			values[i] = c.Values[row]
			continue
		}
		for at, r := range c.Rows {
			if int(r) == row {
				values[i] = c.Values[at]
			}
		}
	}
	return t.Leaves[t.Leaf(values)].Value
}
