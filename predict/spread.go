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
	Prepare:    spread,
}

func spread(scores []Score) Rule {
	shuffle := shuffled(scores)
	at, size := places(scores)
	return func(rng *rand.Rand) []int {
		// Walking a shuffled order shuffles each queue. It does not give the
		// order of the statements: a statement with many mutants would tend to
		// come first.
		waiting := make([]int, len(scores)) // the queues, one after the other
		queue := make([]int, len(size))     // by statement, from 1; 0 is not seen yet
		var queues [][]int                  // parts of waiting
		room := 0                           // what is given to queues
		for _, i := range shuffle(rng) {
			if queue[at[i]] == 0 {
				queues = append(queues, waiting[room:room:room+size[at[i]]])
				room += size[at[i]]
				queue[at[i]] = len(queues)
			}
			q := &queues[queue[at[i]]-1]
			*q = append(*q, i)
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
}

// place is a statement of a program.
type place struct {
	file      string
	statement int
}

// places numbers the statements that scores are of, from 0 as they first occur,
// and counts their mutants.
func places(scores []Score) (at, size []int) {
	number := map[place]int{}
	at = make([]int, len(scores))
	for i := range scores {
		p := place{scores[i].File, scores[i].Statement}
		n, seen := number[p]
		if !seen {
			n = len(size)
			number[p], size = n, append(size, 0)
		}
		at[i] = n
		size[n]++
	}
	return at, size
}
