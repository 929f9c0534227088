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
		d, validation := randomData(rng), randomData(rng)
		for len(validation.Columns) != len(d.Columns) {
			validation = randomData(rng)
		}
		validation.Categorical = d.Categorical
		for i := range d.Columns { // categories must be whole in both
			for _, c := range []*Column{&d.Columns[i], &validation.Columns[i]} {
				for at, x := range c.Values {
					if d.categorical(i) {
						c.Values[at] = math.Trunc(math.Abs(x) * 5)
					}
				}
			}
		}
		b, err := newBooster(d, Options{Rounds: 5, MinLeafSamples: 1, RowFraction: 0.6, Validation: validation, Seed: seed, Bins: 6})
		if err != nil {
			t.Fatal(err)
		}
		b.grower = newHistogramGrower(b.table, d.Names, &b.options)
		for round := range 5 {
			if err := b.round(round); err != nil {
				t.Fatal(err)
			}
		}
		for name, c := range map[string]struct {
			data   *Data
			scores []float64
		}{"training": {d, b.scores}, "validation": {validation, b.watch.scores}} {
			for r, score := range c.scores {
				raw := b.start
				for i := range b.model.Trees {
					raw += leafValue(&b.model.Trees[i], c.data, r)
				}
				if math.Abs(raw-score) > 1e-12 {
					t.Fatalf("seed %d, %s row %d: %v by bins, %v by the model", seed, name, r, score, raw)
				}
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
