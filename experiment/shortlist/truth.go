package shortlist

import (
	"cmp"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/matrix"
)

// truth is what lists of a subject are judged by.
type truth struct {
	kills   []matrix.Bits // by mutant, of the tests judged on
	reveals matrix.Bits
	minimal []matrix.Bits // the kills of the minimal mutants, each once
	tests   int
}

func newTruth(kills []matrix.Bits, reveals matrix.Bits) *truth {
	t := &truth{kills: kills, reveals: reveals, tests: reveals.Len()}
	classes := classesOf(kills)
	for i := range classes {
		smaller := func(other class) bool {
			return other.kills.IsSubset(classes[i].kills) && !other.kills.Equal(classes[i].kills)
		}
		if !slices.ContainsFunc(classes, smaller) {
			t.minimal = append(t.minimal, classes[i].kills)
		}
	}
	return t
}

// worth is what a list is worth.
type worth struct {
	revealed, minimal, unkilled, statements, sets float64
}

// of judges a list as it is printed.
func (t *truth) of(list []int, statement []int) worth {
	var w worth
	silent := 1.0 // the chance that no test so far reveals
	missed := slices.Repeat([]float64{1}, len(t.minimal))
	statements, sets := map[int]bool{}, map[string]bool{}
	for _, m := range list {
		statements[statement[m]] = true
		kills := t.kills[m]
		n := float64(kills.Count())
		if n == 0 {
			w.unkilled++
			continue
		}
		sets[kills.Key()] = true
		silent *= 1 - float64(kills.CountAnd(t.reveals))/n
		for i, minimal := range t.minimal {
			missed[i] *= 1 - float64(kills.CountAnd(minimal))/n
		}
	}
	w.revealed, w.statements, w.sets = 1-silent, float64(len(statements)), float64(len(sets))
	w.minimal = meanHit(missed)
	return w
}

// meanHit is the mean of 1 - x; NaN of none.
func meanHit(missed []float64) float64 {
	sum := 0.0
	for _, x := range missed {
		sum += 1 - x
	}
	return sum / float64(len(missed))
}

// ofTests is the worth of so many random tests.
func (t *truth) ofTests(k int) worth {
	w := worth{revealed: 1 - t.noneOf(t.reveals.Count(), k), statements: math.NaN(), sets: math.NaN(), unkilled: math.NaN()}
	var missed []float64
	for _, minimal := range t.minimal {
		missed = append(missed, t.noneOf(minimal.Count(), k))
	}
	w.minimal = meanHit(missed)
	return w
}

// noneOf is the chance that k tests, drawn without putting back, are none of some n.
func (t *truth) noneOf(n, k int) float64 {
	p := 1.0
	for i := range k {
		left := t.tests - i
		if left <= 0 {
			break
		}
		p *= max(0, float64(left-n)) / float64(left)
	}
	return p
}

// class is the mutants that the same tests kill, of which there are some.
type class struct {
	kills   matrix.Bits
	members []int
}

// classesOf are the classes, in the order of their first mutants.
func classesOf(kills []matrix.Bits) []class {
	var out []class
	at := map[string]int{}
	for m, k := range kills {
		if k.Empty() {
			continue
		}
		i, seen := at[k.Key()]
		if !seen {
			i = len(out)
			at[k.Key()] = i
			out = append(out, class{kills: k})
		}
		out[i].members = append(out[i].members, m)
	}
	return out
}

// coupled orders the mutants of each class's best by coverage, at most so many of them: each
// next one is the one of which a random killing test kills most mutants that those before
// are not expected to have killed.
func coupled(kills []matrix.Bits, better func(m int) float64, most int) []int {
	classes := classesOf(kills)
	left := make([]float64, len(classes)) // mutants expected to be alive
	for i, c := range classes {
		left[i] = float64(len(c.members))
	}
	var out []int
	used := make([]bool, len(classes))
	for len(out) < min(most, len(classes)) {
		best, most := -1, -1.0
		for i, c := range classes {
			if used[i] {
				continue
			}
			gain, n := 0.0, float64(c.kills.Count())
			for j, other := range classes {
				gain += left[j] * float64(c.kills.CountAnd(other.kills)) / n
			}
			if gain > most {
				best, most = i, gain
			}
		}
		used[best] = true
		c := classes[best]
		out = append(out, slices.MaxFunc(c.members, func(a, b int) int { return cmp.Compare(better(a), better(b)) }))
		for j, other := range classes {
			left[j] *= 1 - float64(c.kills.CountAnd(other.kills))/float64(c.kills.Count())
		}
	}
	return out
}
