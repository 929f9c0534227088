package predict

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// slowRank are the rules of the randomized strategies as one would write them for
// a single order: twins of the prepared ones.
var slowRank = map[string]func(scores []Score, rng *rand.Rand) []int{
	"random": slowShuffled,
	"sdl": func(scores []Score, rng *rand.Rand) []int {
		return first(slowShuffled(scores, rng), scores, IsDeletion)
	},
	"e-selective": func(scores []Score, rng *rand.Rand) []int {
		return first(slowShuffled(scores, rng), scores, IsSelective)
	},
	"coverage": func(scores []Score, rng *rand.Rand) []int {
		order := slowShuffled(scores, rng)
		for _, name := range []string{"reach_tests", "infect_tests"} {
			order = first(order, scores, func(s *Score) bool { return s.Features[slices.Index(s.Columns, name)] > 0 })
		}
		return order
	},
	"spread": slowSpread,
	"defect": slowDefect,
}

func slowShuffled(scores []Score, rng *rand.Rand) []int {
	order := byID(scores)
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	return order
}

func slowSpread(scores []Score, rng *rand.Rand) []int {
	number := map[place]int{}
	var queues [][]int
	for _, i := range slowShuffled(scores, rng) {
		at := place{scores[i].File, scores[i].Statement}
		if _, seen := number[at]; !seen {
			number[at] = len(queues)
			queues = append(queues, nil)
		}
		queues[number[at]] = append(queues[number[at]], i)
	}
	rng.Shuffle(len(queues), func(a, b int) { queues[a], queues[b] = queues[b], queues[a] })
	var order []int
	for round := 0; len(order) < len(scores); round++ {
		for _, q := range queues {
			if round < len(q) {
				order = append(order, q[round])
			}
		}
	}
	return order
}

func slowDefect(scores []Score, rng *rand.Rand) []int {
	order := slowShuffled(scores, rng)
	complexity := defectiveness(scores)
	most := map[place]float64{}
	at := func(i int) place { return place{scores[i].File, scores[i].Statement} }
	for i := range scores {
		most[at(i)] = max(most[at(i)], complexity[i])
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(most[at(b)], most[at(a)]), cmp.Compare(at(a).file, at(b).file), cmp.Compare(at(a).statement, at(b).statement))
	})
	return order
}

func TestAPreparedRuleDrawsTheOrdersThatItsSlowTwinDraws(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 9))
	for _, s := range All() {
		slow := slowRank[s.Name]
		if (slow != nil) != s.Randomized {
			t.Errorf("%s: a randomized strategy needs a slow twin here, another one none", s.Name)
			continue
		}
		for range 60 {
			scores := randomScores(rng, rng.IntN(60))
			seed := rng.Uint64()
			rule := s.Prepare(scores)
			for draw := range uint64(4) { // all from one preparation
				got := rule(rand.New(rand.NewPCG(seed, draw)))
				var want []int
				if slow != nil {
					want = slow(scores, rand.New(rand.NewPCG(seed, draw)))
				} else {
					want = s.Rank(scores, nil)
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s, draw %d:\n%s\n%s by its twin", s.Name, draw, ids(scores, got), ids(scores, want))
				}
			}
		}
	}
}
