package predict

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDefectPredictionTakesTheMostComplexStatementFirst(t *testing.T) {
	scores := make([]Score, 30)
	for i := range scores {
		s := i % 3
		scores[i] = Score{ID: fmt.Sprintf("m%02d", i), Statement: s, Columns: []string{"complexity", "cfg_depth"},
			Features: []float64{[]float64{4, 70, 9}[s], []float64{1, 5, math.NaN()}[s]}}
	}
	order := mustOrder(t, Defect, scores, 3)
	for at, i := range order {
		if want := []int{1, 2, 0}; scores[i].Statement != want[at/10] && at/10 == 0 {
			t.Errorf("place %d is a mutant of statement %d", at, scores[i].Statement)
		}
	}
	if slices.IsSorted(order[:10]) {
		t.Error("the mutants of a statement are not shuffled")
	}
}

func TestCoveragePutsWhatNoTestReachesLast(t *testing.T) {
	columns := []string{"reach_tests", "infect_tests"}
	scores := []Score{
		{ID: "a", Columns: columns, Features: []float64{0, math.NaN()}},
		{ID: "b", Columns: columns, Features: []float64{3, 0}},
		{ID: "c", Columns: columns, Features: []float64{math.NaN(), math.NaN()}},
		{ID: "d", Columns: columns, Features: []float64{2, 1}},
	}
	for seed := range uint64(10) {
		if order := mustOrder(t, Coverage, scores, seed); order[0] != 3 || order[1] != 1 {
			t.Errorf("seed %d: %v", seed, order)
		}
	}
	for i := range scores {
		scores[i].Columns = []string{"x", "y"}
	}
	if _, err := Coverage.Order(scores, 1); !errors.Is(err, ErrNoScores) {
		t.Errorf("without coverage: %v", err)
	}
	if _, err := Diversity.Order([]Score{{ID: "a"}}, 1); !errors.Is(err, ErrNoScores) {
		t.Errorf("without features: %v", err)
	}
}

// Clusters far from each other: the first choices are one of each, and what
// follows comes from all of them.
func TestDiversityVisitsEveryClusterBeforeAnyTwice(t *testing.T) {
	const clusters, size, columns = 12, 40, 30
	rng := rand.New(rand.NewPCG(5, 5))
	centres := make([][]float64, clusters)
	for c := range centres {
		for range columns {
			centres[c] = append(centres[c], float64(10*rng.IntN(2)))
		}
	}
	scores := make([]Score, clusters*size)
	for i := range scores {
		row := slices.Clone(centres[i%clusters])
		row[rng.IntN(columns)] += rng.Float64()
		scores[i] = Score{ID: fmt.Sprintf("%06d", rng.IntN(1e6)), Statement: i % clusters, Features: row}
	}
	seen := map[int]bool{}
	for _, i := range mustOrder(t, Diversity, scores, 1)[:clusters] {
		seen[scores[i].Statement] = true
	}
	if len(seen) < clusters {
		t.Errorf("the first %d mutants come from %d clusters", clusters, len(seen))
	}
}

func TestDiversityOrdersMoreMutantsThanItHasCentres(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	scores := make([]Score, mostCentres+500)
	for i := range scores {
		scores[i] = Score{ID: fmt.Sprint(i), Features: []float64{rng.Float64(), rng.Float64()}}
	}
	order := mustOrder(t, Diversity, scores, 1)
	slices.Sort(order)
	if len(slices.Compact(order)) != len(scores) {
		t.Error("not a permutation")
	}
}

// BenchmarkDiversity orders 100,000 mutants.
func BenchmarkDiversity(b *testing.B) {
	rng := rand.New(rand.NewPCG(5, 7))
	scores := make([]Score, 100_000)
	for i := range scores {
		row := make([]float64, 300)
		for range 40 {
			row[rng.IntN(len(row))] = rng.Float64()
		}
		scores[i] = Score{ID: fmt.Sprint(i), Features: row}
	}
	for b.Loop() {
		Diversity.Rank(scores, nil)
	}
}
