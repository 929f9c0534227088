package predict

import (
	"slices"
)

// Coverage prefers what the tests at hand execute.
var Coverage = Strategy{
	Name:          "coverage",
	Doc:           "Coverage: mutants whose place some test executes come first, those whose value would differ on some test before those; random order within each.",
	NeedsFeatures: true,
	NeedsColumns:  []string{"reach_tests"},
	Randomized:    true,
	Prepare: func(scores []Score) Rule {
		return preferring(atLeastOne(scores, "infect_tests"), atLeastOne(scores, "reach_tests"))(scores)
	},
}

// atLeastOne is the condition that a column of the scores counts something.
func atLeastOne(scores []Score, column string) func(*Score) bool {
	at := -1
	if len(scores) > 0 {
		at = slices.Index(scores[0].Columns, column)
	}
	return func(s *Score) bool { return at >= 0 && s.Features[at] > 0 } // false of NaN
}
