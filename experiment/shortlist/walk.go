package shortlist

import (
	"math/rand/v2"
	"slices"

	"github.com/winnow-mutants/winnow/matrix"
)

// walk plays a tester who passes over what is dead: of each mutant that is still alive a
// killing test is drawn, if there is one. It returns what was reached after each number of
// mutants looked at, which grow.
func (t *truth) walk(order, statement []int, lengths []int, rng *rand.Rand) []worth {
	var out []worth
	picked := matrix.NewBits(t.tests)
	statements, sets := map[int]bool{}, map[string]bool{}
	looked, unkilled := 0, 0.0
	note := func() {
		w := worth{unkilled: unkilled, statements: float64(len(statements)), sets: float64(len(sets))}
		if picked.Intersects(t.reveals) {
			w.revealed = 1
		}
		missed := make([]float64, len(t.minimal))
		for i, minimal := range t.minimal {
			if !picked.Intersects(minimal) {
				missed[i] = 1
			}
		}
		w.minimal = meanHit(missed)
		out = append(out, w)
	}
	for _, m := range order {
		if len(out) == len(lengths) {
			break
		}
		kills := t.kills[m]
		if kills.Intersects(picked) {
			continue
		}
		looked++
		statements[statement[m]] = true
		if kills.Empty() {
			unkilled++
		} else {
			sets[kills.Key()] = true
			killers := slices.Collect(kills.All())
			picked.Set(killers[rng.IntN(len(killers))])
		}
		for len(out) < len(lengths) && looked == lengths[len(out)] {
			note()
		}
	}
	for len(out) < len(lengths) {
		note()
	}
	return out
}

func (w worth) times(x float64) worth {
	return worth{w.revealed * x, w.minimal * x, w.unkilled * x, w.statements * x, w.sets * x}
}

func (w worth) plus(o worth) worth {
	return worth{w.revealed + o.revealed, w.minimal + o.minimal, w.unkilled + o.unkilled, w.statements + o.statements, w.sets + o.sets}
}
