package predict

// FaRM ranks by the probability to reveal faults (dissertation, chapter 6,
// the approach itself).
var FaRM = Strategy{
	Name:       "farm",
	Doc:        "FaRM: the mutants most likely to reveal a fault come first.",
	NeedsModel: NeedsFault,
	Prepare: fixed(func(scores []Score) []int {
		return descending(scores, func(s *Score) float64 { return s.Fault })
	}),
}
