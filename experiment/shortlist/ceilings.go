package shortlist

import (
	"math/rand/v2"
	"slices"

	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
)

// ceiling is an order that is made of the truth, of the mutants that are left.
type ceiling struct {
	name  string
	order func(t *truth, left []int, scores []predict.Score, rng *rand.Rand) []int
}

var ceilings = []ceiling{
	{simulate.KillableOracleName, killableFirst},
	{CouplingOracleName, coupling},
	{simulate.OracleName, revealingFirst},
}

// killableFirst shuffles the mutants that something kills, and after them the others.
func killableFirst(t *truth, left []int, _ []predict.Score, rng *rand.Rand) []int {
	order := rng.Perm(len(left))
	slices.SortStableFunc(order, func(a, b int) int {
		return boolToInt(t.kills[left[a]].Empty()) - boolToInt(t.kills[left[b]].Empty())
	})
	return order
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// longest bounds the mutants that the coupling oracle chooses: the others follow as random
// order has them.
const longest = 50

func coupling(t *truth, left []int, scores []predict.Score, rng *rand.Rand) []int {
	kills := make([]matrix.Bits, len(left))
	for i, m := range left {
		kills[i] = t.kills[m]
	}
	order := coupled(kills, func(i int) float64 { return scores[i].Fault * scores[i].Kill }, longest)
	chosen := map[int]bool{}
	for _, i := range order {
		chosen[i] = true
	}
	for _, i := range rng.Perm(len(left)) {
		if !chosen[i] {
			order = append(order, i)
		}
	}
	return order
}

// revealingFirst orders by the share of killing tests that reveal.
func revealingFirst(t *truth, left []int, scores []predict.Score, _ *rand.Rand) []int {
	known := slices.Clone(scores)
	for i, m := range left {
		kills := t.kills[m]
		known[i].Fault = float64(kills.CountAnd(t.reveals)) / float64(kills.Count()) // 0/0 is NaN: last
	}
	return predict.FaRM.Rank(known, nil)
}
