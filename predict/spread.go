package predict

import "math/rand/v2"

// Spread is random with an even spread over the program (dissertation, chapter
// 6, SpreadRandom): the statements are visited round after round in one random
// order, and each visit takes one random mutant of the statement.
var Spread = Strategy{
	Name:       "spread",
	Aliases:    []string{"spreadrandom"},
	Randomized: true,
	Doc:        "SpreadRandom: the statements are visited in random order, one random mutant of each, until none is left.",
	Rank:       spread,
}

func spread(scores []Score, rng *rand.Rand) []int {
	type place struct {
		file      string
		statement int
	}
	number := map[place]int{}
	var queues [][]int
	// Walking a shuffled order shuffles each queue. It does not give the order
	// of the statements: a statement with many mutants would tend to come
	// first.
	for _, i := range shuffled(scores, rng) {
		at := place{scores[i].File, scores[i].Statement}
		q, seen := number[at]
		if !seen {
			q = len(queues)
			number[at] = q
			queues = append(queues, nil)
		}
		queues[q] = append(queues[q], i)
	}
	rng.Shuffle(len(queues), func(a, b int) { queues[a], queues[b] = queues[b], queues[a] })

	order := make([]int, 0, len(scores))
	for len(queues) > 0 {
		left := queues[:0]
		for _, q := range queues {
			order = append(order, q[0])
			if len(q) > 1 {
				left = append(left, q[1:])
			}
		}
		queues = left
	}
	return order
}
