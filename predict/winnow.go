package predict

// Winnow ranks for testers who pass over what is dead already. The mutants that
// cost them time are those still alive when their turn comes, so mutants are
// ranked by the probability to be killable, above all given that (Score.Late), and,
// with less weight, by the probability that analysing them reveals a fault
// (Score.Reveal); each one of a statement counts less than the one before it.
var Winnow = WinnowRule.Strategy("winnow",
	"winnow: the mutants come first that are most likely to be killable if the tests picked so far have not killed them, and to lead to a test that reveals a fault; each of a statement after the first one counts less.")

// WinnowRule is how Winnow weighs what it knows. Of 72 rules it is the best on half of
// the problems of 669 faults of Codeflaws, by models that had not seen them, and one of
// the best on the other half, where the model of revelation learns ratios; where it ranks,
// others are better (go run ./cmd/tunerule, docs/results/learning.md).
var WinnowRule = SetRule{KillPower: 1, LatePower: 2, RevealPower: 0.5, Statement: 0.1}
