package predict

// Winnow ranks for testers who pass over what is dead already. The mutants that
// cost them time are those still alive when their turn comes, so mutants are
// ranked by the probability to be killable given that (Score.Late), times the
// probability that analysing them reveals a fault (Score.Reveal); each one of a
// statement or a kind of change counts less than the one before it.
//
// The rule came out among the best of some hundred in a five-fold, by-problem
// cross-validation on 355 faults of Codeflaws; what differs between the best of
// them is noise, and stronger discounts are worse (docs/results/learning.md).
var Winnow = SetRule{LatePower: 1, RevealPower: 1, Statement: 0.1, Kind: 0.3}.strategy(Strategy{
	Name: "winnow",
	Doc:  "winnow: the mutants come first that are most likely to be killable if the tests picked so far have not killed them, and to lead to a test that reveals a fault; each of a statement or a kind of change after the first one counts less.",
})
