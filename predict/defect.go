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
	Prepare:       prepareDefect,
}

// complexityColumns are the measures of a statement's complexity, those that a
// table lacks left out: the amount of code, its place in the control flow, and
// what depends on it or it on (Zimmermann and Nagappan, "Predicting defects using
// network analysis on dependency graphs" (2008), for the last).
var complexityColumns = []string{
	"complexity", "cfg_depth", "cfg_predecessors", "cfg_successors", "loop_depth", "controlling_conditions",
	"out_data", "in_data", "out_control", "in_control", "tree_ancestors",
}

func prepareDefect(scores []Score) Rule {
	shuffle := shuffled(scores)
	at, size := places(scores)
	file, statement := make([]string, len(size)), make([]int, len(size))
	// Mutants of one statement may differ a little in what depends on them: the
	// statement counts as its most complex part.
	most := make([]float64, len(size))
	for i, complexity := range defectiveness(scores) {
		p := at[i]
		file[p], statement[p], most[p] = scores[i].File, scores[i].Statement, max(most[p], complexity)
	}
	turns := make([]int, len(size)) // statements, most complex first
	for p := range turns {
		turns[p] = p
	}
	slices.SortFunc(turns, func(a, b int) int {
		return cmp.Or(cmp.Compare(most[b], most[a]), cmp.Compare(file[a], file[b]), cmp.Compare(statement[a], statement[b]))
	})
	turn := make([]int, len(size))
	for t, p := range turns {
		turn[p] = t
	}
	group := make([]int, len(scores))
	for i, p := range at {
		group[i] = turn[p]
	}
	return func(rng *rand.Rand) []int { return byGroup(shuffle(rng), group, len(size)) }
}

// defectiveness is the sum of the ranks that a mutant's place has by the measures.
func defectiveness(scores []Score) []float64 {
	sum := make([]float64, len(scores))
	for _, name := range complexityColumns {
		if len(scores) == 0 {
			break
		}
		at := slices.Index(scores[0].Columns, name)
		if at < 0 {
			continue
		}
		values := make([]float64, len(scores))
		for i := range scores {
			values[i] = scores[i].Features[at]
		}
		for i, rank := range midranks(values) {
			sum[i] += rank
		}
	}
	return sum
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
