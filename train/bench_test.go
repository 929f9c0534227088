package train_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/train"
)

// sparseData resembles the feature table of mutants: 20 numeric columns, 480
// counts that are 0 in 95 % of the rows, and labels that depend on a few of
// both.
func sparseData(rows int) *train.Data {
	rng := rand.New(rand.NewPCG(9, 1))
	d := &train.Data{Labels: make([]float64, rows)}
	score := make([]float64, rows)
	for c := range 500 {
		values := make([]float64, rows)
		effect := rng.NormFloat64() * 0.3
		for r := range values {
			if c < 20 {
				values[r] = rng.NormFloat64()
			} else if rng.IntN(20) == 0 {
				values[r] = float64(1 + rng.IntN(1+c%4))
			}
			score[r] += effect * values[r]
		}
		d.Columns = append(d.Columns, train.Compress(values))
		d.Names = append(d.Names, fmt.Sprint("f", c))
	}
	label(rng, d, score)
	return d
}

func denseData(rows, columns int) *train.Data {
	rng := rand.New(rand.NewPCG(9, 2))
	d := &train.Data{Labels: make([]float64, rows)}
	score := make([]float64, rows)
	for c := range columns {
		values := make([]float64, rows)
		effect := rng.NormFloat64() * 0.3
		for r := range values {
			values[r] = rng.NormFloat64()
			score[r] += effect * values[r]
		}
		d.Columns = append(d.Columns, train.Dense(values))
		d.Names = append(d.Names, fmt.Sprint("f", c))
	}
	label(rng, d, score)
	return d
}

func label(rng *rand.Rand, d *train.Data, score []float64) {
	for r, s := range score {
		if s+rng.NormFloat64() > 1 {
			d.Labels[r] = 1
		}
	}
}

func benchmark(b *testing.B, d *train.Data, o train.Options) {
	o.Workers = 1
	for b.Loop() {
		if _, err := train.Fit(context.Background(), d, o); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFitSparse is the size of a study: 100,000 mutants, 500 columns, 200
// trees of depth 5.
func BenchmarkFitSparse(b *testing.B) { benchmark(b, sparseData(100_000), train.Options{}) }

// BenchmarkFitSparseAllRows is the same without bagging.
func BenchmarkFitSparseAllRows(b *testing.B) {
	benchmark(b, sparseData(100_000), train.Options{RowFraction: 1})
}

// BenchmarkFitDense is the task that LightGBM 4.6 does in 7.1 and XGBoost 1.7 in
// 7.6 CPU seconds on one core, reading the text file included.
func BenchmarkFitDense(b *testing.B) {
	benchmark(b, denseData(100_000, 50), train.Options{Rounds: 100, Leaves: 63, MaxDepth: -1, RowFraction: 1})
}

// BenchmarkFitDenseMillion is a million rows of 100 numeric columns, 100 trees.
func BenchmarkFitDenseMillion(b *testing.B) {
	benchmark(b, denseData(1_000_000, 100), train.Options{Rounds: 100, RowFraction: 1})
}
