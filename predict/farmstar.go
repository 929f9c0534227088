package predict

// killableFrom is the probability from which FaRM* takes a mutant for killable.
const killableFrom = 0.5

// FaRMStar splits the mutants by predicted killability and ranks both halves
// by the probability to reveal faults (dissertation, chapter 6, FaRM*).
var FaRMStar = Strategy{
	Name:       "farm*",
	Aliases:    []string{"farm-star", "farmstar"},
	Doc:        "FaRM*: mutants predicted killable (probability of 0.5 or more) come before the others; within each half, the most likely to reveal a fault first.",
	NeedsModel: NeedsBoth,
	Prepare: fixed(func(scores []Score) []int {
		// A NaN compares false: a mutant without prediction is not taken for
		// killable.
		return first(FaRM.Rank(scores, nil), scores, func(s *Score) bool { return s.Kill >= killableFrom })
	}),
}
