package predict

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

// Defect ranks places before mutants (dissertation, chapter 6, baseline defect
// prediction): statements in the order in which complexity says that they are
// faulty, and the mutants of a statement in random order. A statement's
// defectiveness is the mean rank of its complexity measures within the program.
var Defect = Strategy{
	Name:          "defect",
	Aliases:       []string{"defect-prediction"},
	Doc:           "Defect prediction: the mutants of the most complex statements come first, in random order within a statement.",
	NeedsFeatures: true,
	NeedsColumns:  complexityColumns[:1],
	Randomized:    true,
	Rank:          rankDefect,
}

// complexityColumns are the measures of a statement's complexity, those that a
// table lacks left out: the amount of code, its place in the control flow, and
// what depends on it or it on (Zimmermann and Nagappan, "Predicting defects using
// network analysis on dependency graphs" (2008), for the last).
var complexityColumns = []string{
	"complexity", "cfg_depth", "cfg_predecessors", "cfg_successors", "loop_depth", "controlling_conditions",
	"out_data", "in_data", "out_control", "in_control", "tree_ancestors",
}

func rankDefect(scores []Score, rng *rand.Rand) []int {
	if len(scores) == 0 {
		return nil
	}
	order := shuffled(scores, rng)
	defectiveness := make([]float64, len(scores))
	for _, name := range complexityColumns {
		at := slices.Index(scores[0].Columns, name)
		if at < 0 {
			continue
		}
		values := make([]float64, len(scores))
		for i := range scores {
			values[i] = scores[i].Features[at]
		}
		for i, rank := range midranks(values) {
			defectiveness[i] += rank
		}
	}
	// Mutants of one statement may differ a little in what depends on them: the
	// statement counts as its most complex part.
	type place struct {
		file      string
		statement int
	}
	most := map[place]float64{}
	at := func(i int) place { return place{scores[i].File, scores[i].Statement} }
	for i := range scores {
		most[at(i)] = max(most[at(i)], defectiveness[i])
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(most[at(b)], most[at(a)]), cmp.Compare(at(a).file, at(b).file), cmp.Compare(at(a).statement, at(b).statement))
	})
	return order
}

// midranks returns each value's rank, lowest 0, the mean among equals; NaN ranks
// lowest.
func midranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	ranks := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && cmp.Compare(values[order[to]], values[order[from]]) == 0 {
			to++
		}
		for _, i := range order[from:to] {
			ranks[i] = float64(from+to-1) / 2
		}
		from = to
	}
	return ranks
}
