package predict

// Winnow ranks for testers who pass over what is dead already. The mutants that
// cost them time are those still alive when their turn comes, so mutants are
// ranked by the probability to be killable given that (Score.Late), and each one
// of a statement or a kind of change counts less than the one before it.
//
// The rule came out best among some sixty in a ten-fold, by-problem
// cross-validation on 150 faults of Codeflaws; the result is flat around these
// values (docs/results/learning.md).
var Winnow = SetRule{LatePower: 1, Statement: 0.4, Kind: 0.4}.strategy(Strategy{
	Name: "winnow",
	Doc:  "winnow: the mutants most likely to be killable if the tests picked so far have not killed them come first, each of a statement or a kind of change after the first one counting less.",
})
