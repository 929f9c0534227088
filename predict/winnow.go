package predict

// Winnow ranks for testers who pass over what is dead already. The mutants that
// cost them time are those still alive when their turn comes, so mutants are
// ranked by the probability to be killable (Score.Kill), and to be so given that
// (Score.Late), and, with less weight, by the probability that analysing them reveals a
// fault (Score.Reveal).
var Winnow = WinnowRule.Strategy("winnow",
	"winnow: the mutants come first that are most likely to be killable, also if the tests picked so far have not killed them, and to lead to a test that reveals a fault.")

// WinnowRule is how Winnow weighs what it knows. Of 54 rules it is the best on half of
// the problems of 1,668 faults of Codeflaws, by models that had not seen them, and among
// the best on the other half (go run ./cmd/tunerule, docs/results/learning.md).
var WinnowRule = SetRule{KillPower: 2, LatePower: 1, RevealPower: 0.5}
