package predict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func TestABudgetBuysTheMostRevelationForItsCost(t *testing.T) {
	scores := []Score{
		{ID: "a", Reveal: 0.9, Kill: 1}, // dear: a tenth a unit of cost
		{ID: "b", Reveal: 0.4, Kill: 1},
		{ID: "c", Reveal: 0.4, Kill: 0.5},
		{ID: "d", Reveal: 0.2, Kill: 0.5}, // free
		{ID: "e", Reveal: 0.1, Kill: 1},
	}
	got := Afford(scores, []float64{9, 2, 2, 0, 1}, 4)
	if fmt.Sprint(got.Picked) != "[false true true true false]" || got.Count != 3 || got.Spent != 4 || got.Total != 14 {
		t.Errorf("%+v", got)
	}
	if math.Abs(got.LostRevelation-0.5) > 1e-12 || math.Abs(got.LostKillable-0.5) > 1e-12 {
		t.Errorf("lost %v of revelation, %v of killable; want half of both", got.LostRevelation, got.LostKillable)
	}
	if got := Afford(scores, []float64{9, 2, 2, 0, 1}, 14); got.Count != 5 || got.LostRevelation != 0 {
		t.Errorf("money for all: %+v", got)
	}
}

// Without a model all mutants are worth the same: the cheapest are bought.
func TestWithoutAModelTheCheapestAreBought(t *testing.T) {
	nan := math.NaN()
	scores := []Score{{ID: "a", Fault: nan, Kill: nan}, {ID: "b", Fault: nan, Kill: nan}, {ID: "c", Fault: nan, Kill: nan}}
	got := Afford(scores, []float64{3, 1, 2}, 3)
	if fmt.Sprint(got.Picked) != "[false true true]" || !math.IsNaN(got.LostRevelation) || !math.IsNaN(got.LostKillable) {
		t.Errorf("%+v", got)
	}
}

// Exhaustive choice is the slow twin: the loss of the greedy rule stays below the
// value of the dearest mutant, and the budget is kept.
func TestTheGreedyChoiceIsNearTheBest(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for range 300 {
		n := 1 + rng.IntN(10)
		scores, cost := make([]Score, n), make([]float64, n)
		most := 0.0
		for i := range scores {
			scores[i] = Score{ID: fmt.Sprint(i), Reveal: rng.Float64(), Kill: math.NaN(), Fault: math.NaN()}
			cost[i] = float64(rng.IntN(5))
			most = max(most, scores[i].Reveal)
		}
		budget := float64(rng.IntN(12))
		got, best := Afford(scores, cost, budget), 0.0
		for set := range 1 << n {
			value, spent := 0.0, 0.0
			for i := range n {
				if set>>i&1 == 1 {
					value, spent = value+scores[i].Reveal, spent+cost[i]
				}
			}
			if spent <= budget {
				best = max(best, value)
			}
		}
		value, spent := 0.0, 0.0
		for i, picked := range got.Picked {
			if picked {
				value, spent = value+scores[i].Reveal, spent+cost[i]
			}
		}
		if spent > budget || spent != got.Spent || value > best+1e-9 || value < best-most {
			t.Fatalf("value %v for %v of %v, the best is %v", value, spent, budget, best)
		}
	}
}
