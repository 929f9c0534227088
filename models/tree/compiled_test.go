package tree_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/models/tree"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
)

// edges are the values around which the rules for zero and missing differ.
var edges = []float64{0, math.Copysign(0, -1), 1e-36, -1e-36, 1e-35, -1e-35, 1, -1, 3, 31, 32, 64, -0.5, 2.7, 1e300, -1e300, math.NaN()}

// edgy is a random ensemble of which many thresholds are edges.
func edgy(rng *rand.Rand, size treetest.Size) *tree.Ensemble {
	e := treetest.Ensemble(rng, size)
	for i := range e.Trees {
		for j := range e.Trees[i].Nodes {
			n := &e.Trees[i].Nodes[j]
			if n.Decision == tree.Numeric && rng.IntN(2) == 0 {
				n.Threshold = edges[rng.IntN(len(edges)-1)]
			}
		}
	}
	return e
}

func randomRow(rng *rand.Rand, features int) []float64 {
	row := make([]float64, features)
	for i := range row {
		row[i] = edges[rng.IntN(len(edges))]
		if rng.IntN(4) == 0 {
			row[i] = rng.NormFloat64()
		}
	}
	return row
}

func TestACompiledEnsembleGivesTheSameBits(t *testing.T) {
	for seed := range uint64(300) {
		rng := rand.New(rand.NewPCG(31, seed))
		features := 1 + rng.IntN(6)
		e := edgy(rng, treetest.Size{Features: features, Trees: 12, Leaves: 40})
		if seed%10 == 0 { // codes of leaves that are longer than a byte
			e = edgy(rng, treetest.Size{Features: features, Trees: 4, Leaves: 700})
		}
		c, err := tree.Compile(e)
		if err != nil {
			t.Fatal(err)
		}
		rows := make([][]float64, rng.IntN(200))
		for i := range rows {
			rows[i] = randomRow(rng, features)
			if i > 0 && seed%3 == 0 { // many values are those of the row before
				for f := range rows[i] {
					if f > 0 || rng.IntN(50) > 0 {
						rows[i][f] = rows[i-1][f]
					}
				}
			}
		}
		predicted, err := c.PredictAll(rows)
		if err != nil {
			t.Fatal(err)
		}
		columns := make([][]float64, features)
		for _, f := range c.Reads() {
			for _, row := range rows {
				columns[f] = append(columns[f], row[f])
			}
		}
		raw, err := c.RawColumns(columns, len(rows))
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rows {
			if math.Float64bits(raw[i]) != math.Float64bits(e.Raw(row)) || predicted[0][i] != e.Predict(row) {
				t.Fatalf("seed %d, row %v: %v compiled, %v as a tree", seed, row, raw[i], e.Raw(row))
			}
		}
	}
}

func TestEnsemblesThatAreCompiledTogetherScoreAsEachAlone(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(32, seed))
		size := treetest.Size{Features: 1 + rng.IntN(5), Trees: 1 + rng.IntN(6), Leaves: 30}
		ensembles := []*tree.Ensemble{edgy(rng, size), edgy(rng, size), edgy(rng, size)}
		for _, e := range ensembles[1:] {
			copy(e.Features, ensembles[0].Features)
		}
		c, err := tree.CompileAll(ensembles...)
		if err != nil {
			t.Fatal(err)
		}
		rows, columns := make([][]float64, rng.IntN(130)), make([][]float64, size.Features)
		for i := range rows {
			rows[i] = randomRow(rng, size.Features)
			for f := range columns {
				columns[f] = append(columns[f], rows[i][f])
			}
		}
		byRow, err := c.PredictAll(rows)
		if err != nil {
			t.Fatal(err)
		}
		byColumn, err := c.PredictAllColumns(columns, len(rows))
		if err != nil {
			t.Fatal(err)
		}
		for k, e := range ensembles {
			for i, row := range rows {
				if want := e.Predict(row); byRow[k][i] != want || byColumn[k][i] != want {
					t.Fatalf("ensemble %d, row %v: %v by rows, %v by columns, %v alone", k, row, byRow[k][i], byColumn[k][i], want)
				}
			}
		}
	}
	other := edgy(rand.New(rand.NewPCG(32, 1)), treetest.Size{Features: 2, Trees: 1, Leaves: 3})
	other.Features[0].Name = "another"
	if _, err := tree.CompileAll(edgy(rand.New(rand.NewPCG(32, 1)), treetest.Size{Features: 2, Trees: 1, Leaves: 3}), other); err == nil {
		t.Error("ensembles over different features are compiled together")
	}
}

func TestACompiledEnsembleRefusesRowsOfAnotherWidth(t *testing.T) {
	c, err := tree.Compile(treetest.Ensemble(rand.New(rand.NewPCG(31, 1)), treetest.Size{Features: 3, Trees: 4, Leaves: 9}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.PredictAll([][]float64{{1, 2, 3}, {1, 2}}); err == nil {
		t.Error("a short row is scored")
	}
	if _, err := c.RawColumns([][]float64{{1}, {1, 2}, {1, 2}}, 2); err == nil && slices.Contains(c.Reads(), 0) {
		t.Error("a short column is scored")
	}
	if _, err := c.RawColumns([][]float64{{1}, {1}}, 1); err == nil {
		t.Error("a table without a column is scored")
	}
	if _, err := tree.Compile(&tree.Ensemble{}); err == nil {
		t.Error("an empty ensemble is compiled")
	}
}
