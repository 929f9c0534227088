package metric

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Predictions.AUCOf, which walks over all items for each resample, is the slow
// twin.
func TestTheAUCOfClustersIsThatOfTheirItems(t *testing.T) {
	rng := rand.New(rand.NewPCG(43, 1))
	byPairs, bySweep := 0, 0
	for range 400 {
		items, clusters := 1+rng.IntN(80), 1+rng.IntN(30)
		scores, positive, cluster := make([]float64, items), make([]bool, items), make([]int, items)
		share := rng.Float64() // either class is the rarer one
		for i := range scores {
			scores[i], positive[i], cluster[i] = float64(rng.IntN(12)), rng.Float64() < share, rng.IntN(clusters)
			if i > 0 && rng.IntN(2) == 0 {
				cluster[i] = cluster[i-1]
			}
		}
		p := must(t, scores, positive)
		c := NewClustered(p, cluster, clusters)
		if c.pairs != nil {
			byPairs++
		} else {
			bySweep++
		}
		for range 5 {
			times := make([]int, clusters)
			for range clusters {
				times[rng.IntN(clusters)]++
			}
			count := make([]int, items)
			for i, k := range cluster {
				count[i] = times[k]
			}
			if got, want := c.AUC(times), p.AUCOf(count); math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Fatalf("%d items of %d clusters drawn %v: %v, want %v", items, clusters, times, got, want)
			}
		}
	}
	if byPairs < 50 || bySweep < 20 {
		t.Errorf("%d trials counted pairs and %d swept: want many of both", byPairs, bySweep)
	}
}

func BenchmarkClusteredAUC(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	const items, clusters = 200_000, 400
	scores, positive, cluster := make([]float64, items), make([]bool, items), make([]int, items)
	for i := range scores {
		scores[i], positive[i], cluster[i] = rng.Float64(), rng.IntN(4) == 0, i*clusters/items
	}
	p, err := NewPredictions(scores, positive)
	if err != nil {
		b.Fatal(err)
	}
	times, count := make([]int, clusters), make([]int, items)
	for range clusters {
		times[rng.IntN(clusters)]++
	}
	b.Run("prepare", func(b *testing.B) {
		for b.Loop() {
			NewClustered(p, cluster, clusters)
		}
	})
	c := NewClustered(p, cluster, clusters)
	b.Run("pairs", func(b *testing.B) {
		for b.Loop() {
			c.AUC(times)
		}
	})
	b.Run("items", func(b *testing.B) {
		for b.Loop() {
			for i, k := range cluster {
				count[i] = times[k]
			}
			p.AUCOf(count)
		}
	})
}
