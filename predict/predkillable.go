package predict

// PredKillable ranks by the probability to be killable (dissertation, chapter
// 6, a baseline of FaRM).
var PredKillable = Strategy{
	Name:       "predkillable",
	Doc:        "PredKillable: the mutants most likely to be killable come first.",
	NeedsModel: NeedsKill,
	Prepare: fixed(func(scores []Score) []int {
		return descending(scores, func(s *Score) float64 { return s.Kill })
	}),
}
