package predict

import "math"

// SetRule orders mutants knowing that a set of them is wanted. It is greedy: the
// next mutant is the one with the largest
//
//	Kill^KillPower · Reveal^RevealPower · Late^LatePower · Π (1 - similarity to a chosen one)
//
// A mutant much like a chosen one is mostly killed by the test that kills that
// one, or survives with it: it adds little either way. Similarity is Line for two
// mutants of one line, Statement for two of one statement, and Kind for two with
// the same matched and replacing fragment; those that hold are multiplied. The
// values may be tuned on a history (experiment.Tune); those of Winnow come from Codeflaws.
type SetRule struct {
	// KillPower, RevealPower and LatePower weigh the models; 0 leaves one out.
	KillPower, RevealPower, LatePower float64
	// Line, Statement and Kind are similarities in [0, 1].
	Line, Statement, Kind float64
}

// Order returns the positions of scores, best first; ties go to the lower id.
// Mutants without a probability that the rule reads come last.
//
// What is alike in line, statement and kind loses the same for all that was chosen,
// so of a class of such mutants only the best one is of interest, and a kind as a
// whole loses the same. Kinds are in a heap, each by its best class, and the classes
// of a kind in a heap of their own. Similarity never raises a value, so a value
// computed earlier is an upper bound: only what is at the head of a heap needs to be
// looked at again (Minoux, "Accelerated greedy algorithms" (1978)). Classes and kinds
// keep the steps for a million mutants near n log n, where a single heap would look at
// all mutants of a kind again whenever one of them is chosen.
func (r SetRule) Order(scores []Score) []int {
	g := newGreedy(r, scores)
	out := make([]int, 0, len(scores))
	for len(g.kinds) > 0 {
		if i, ok := g.next(); ok {
			out = append(out, i)
		}
	}
	return append(out, g.last...)
}

// Strategy makes r a Strategy of that name and description.
func (r SetRule) Strategy(name, doc string) Strategy {
	s := Strategy{Name: name, Doc: doc}
	if r.KillPower != 0 {
		s.NeedsModel |= NeedsKill
	}
	if r.RevealPower != 0 {
		s.NeedsModel |= NeedsReveal
	}
	if r.LatePower != 0 {
		s.NeedsModel |= NeedsLate
	}
	s.Prepare = fixed(r.Order)
	return s
}

// logValue is the logarithm of a mutant's value on its own, -Inf without the
// probabilities it rests on. Logarithms keep the values of late mutants apart.
func (r SetRule) logValue(s *Score) float64 {
	sum := 0.0
	for _, part := range []struct{ power, p float64 }{{r.KillPower, s.Kill}, {r.RevealPower, s.Reveal}, {r.LatePower, s.Late}} {
		if part.power == 0 {
			continue
		}
		if !(part.p > 0) { // true of NaN
			return math.Inf(-1)
		}
		sum += part.power * math.Log(part.p)
	}
	return sum
}
