package predict

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Coverage prefers what the tests at hand execute.
var Coverage = Strategy{
	Name:          "coverage",
	Doc:           "Coverage: mutants whose place some test executes come first, those whose value would differ on some test before those; random order within each.",
	NeedsFeatures: true,
	NeedsColumns:  []string{"reach_tests"},
	Randomized:    true,
	Rank: func(scores []Score, rng *rand.Rand) []int {
		if len(scores) == 0 {
			return nil
		}
		order := shuffled(scores, rng)
		for _, name := range []string{"reach_tests", "infect_tests"} {
			at := slices.Index(scores[0].Columns, name)
			if at >= 0 {
				order = first(order, scores, func(s *Score) bool { return !math.IsNaN(s.Features[at]) && s.Features[at] > 0 })
			}
		}
		return order
	},
}
