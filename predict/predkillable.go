package predict

import "math/rand/v2"

// PredKillable ranks by the probability to be killable (dissertation, chapter
// 6, a baseline of FaRM).
var PredKillable = Strategy{
	Name:       "predkillable",
	Doc:        "PredKillable: the mutants most likely to be killable come first.",
	NeedsModel: NeedsKill,
	Rank: func(scores []Score, _ *rand.Rand) []int {
		return descending(scores, func(s *Score) float64 { return s.Kill })
	},
}
