package simulate

import (
	"math/rand/v2"
	"slices"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/predict"
)

// The ceilings are orders made of the truth, under names that no strategy can
// have. Nobody can follow them: they say how far an order can get.
const (
	// OracleName ranks by the true fault-revealing ratio: what a perfect model of
	// it would reach.
	OracleName = "oracle"
	// KillableOracleName puts the mutants that some test kills first, in random
	// order: what is gained by knowing which mutants can be killed, and nothing else.
	// A distance from random that it does not reach needs a model of what reveals
	// faults.
	KillableOracleName = "killable oracle"
)

// ceiling is an order that is made of the truth of a subject.
type ceiling struct {
	name    string
	prepare func(s *subject.Subject) predict.Rule
}

// ceilings end the orders of every simulation, in this order.
var ceilings = []ceiling{{KillableOracleName, killableFirst}, {OracleName, oracle}}

// IsCeiling says whether the order of that name is made of the truth. A ceiling is
// no competitor: its test must not make the others' stricter.
func IsCeiling(name string) bool {
	return slices.ContainsFunc(ceilings, func(c ceiling) bool { return c.name == name })
}

// oracle ranks by the true ratio; mutants that nothing kills come last.
func oracle(s *subject.Subject) predict.Rule {
	truth := make([]predict.Score, len(s.Mutants))
	for i, ratio := range s.Ratios() {
		truth[i] = s.Mutants[i]
		truth[i].Fault = ratio
	}
	return predict.FaRM.Prepare(truth)
}

// killableFirst shuffles the mutants that something kills, and after them the
// others.
func killableFirst(s *subject.Subject) predict.Rule {
	var killable, others []int
	for m, kill := range s.Kills {
		if kill.Empty() {
			others = append(others, m)
		} else {
			killable = append(killable, m)
		}
	}
	return func(rng *rand.Rand) []int {
		order := slices.Concat(killable, others)
		for _, part := range [][]int{order[:len(killable)], order[len(killable):]} {
			rng.Shuffle(len(part), func(i, j int) { part[i], part[j] = part[j], part[i] })
		}
		return order
	}
}
