package indicator

import (
	"slices"

	"github.com/winnow-mutants/winnow/matrix"
)

// Disjoint returns a small sufficient set of mutants, chosen greedily: again
// and again the mutant that subsumes most of those that are left (on a tie the
// one with fewest killing tests, then the first) is kept, and those that it
// subsumes are dropped.
//
// Source: Kintis, Papadakis and Malevris, "Evaluating mutation testing
// alternatives: a collateral experiment", APSEC 2010 (disjoint mutants).
func Disjoint(kills []matrix.Bits) []int {
	classes := Classes(kills)
	size := make([]int, len(classes))
	subsumed := make([][]int, len(classes)) // classes that each class subsumes
	gain := make([]int, len(classes))       // mutants left that it subsumes
	for i, a := range classes {
		size[i] = a.Kill.Count()
		for j, b := range classes {
			if a.Kill.IsSubset(b.Kill) {
				subsumed[i] = append(subsumed[i], j)
				gain[i] += len(b.Members)
			}
		}
	}
	subsumers := make([][]int, len(classes))
	for i, js := range subsumed {
		for _, j := range js {
			subsumers[j] = append(subsumers[j], i)
		}
	}

	var out []int
	gone := make([]bool, len(classes))
	for {
		best := -1
		for c := range classes {
			if !gone[c] && (best < 0 || gain[c] > gain[best] || gain[c] == gain[best] && size[c] < size[best]) {
				best = c
			}
		}
		if best < 0 {
			slices.Sort(out)
			return out
		}
		out = append(out, classes[best].Members[0])
		for _, c := range subsumed[best] {
			if gone[c] {
				continue
			}
			gone[c] = true
			for _, s := range subsumers[c] {
				gain[s] -= len(classes[c].Members)
			}
		}
	}
}
