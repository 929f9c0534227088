package findings

import (
	"math"
	"math/rand/v2"

	"github.com/winnow-mutants/winnow/internal/stream"
)

// Curve is how strong the tests become that a tester writes who looks at the mutants one by
// one: at place k, when k mutants have been looked at, the share of all killed mutants that
// these tests kill. Whoever looks at a mutant that is still alive takes one of the tests
// that kill it, at random; a mutant that is dead by then costs no look, and a survivor does.
type Curve struct{ Ordered, Random []float64 }

// repetitions of the two walks: of the order's with other tests, of the random one with
// other orders, too.
const repetitions = 20

// Curve plays testers who follow the order of the findings, and others at random. nil where
// nothing is killed, and where the tests of a mutant ended with the first kill: it would seem
// to be killed by that test only.
func (r *Run) Curve() *Curve {
	if !r.Whole {
		return nil
	}
	w := &walker{}
	w.killers = make([][]int, len(r.Tests))
	for i := range r.Findings {
		f := &r.Findings[i]
		if !f.Status.WasRun() {
			continue
		}
		var tests []int
		if f.Status == Killed {
			for t := range f.KilledBy.All() {
				tests = append(tests, t)
				w.killers[t] = append(w.killers[t], len(w.mutants))
			}
			w.killed++
		}
		w.mutants = append(w.mutants, tests)
	}
	if w.killed == 0 {
		return nil
	}
	rng := stream.New(1, "report/curve")
	order := make([]int, len(w.mutants))
	reset := func() {
		for i := range order {
			order[i] = i
		}
	}
	out := &Curve{}
	for range repetitions {
		reset()
		out.Ordered = added(out.Ordered, w.walk(order, rng))
		rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		out.Random = added(out.Random, w.walk(order, rng))
	}
	for _, list := range [][]float64{out.Ordered, out.Random} {
		for i := range list {
			list[i] /= repetitions
		}
	}
	return out
}

// Half is how many mutants are looked at until half of the killed mutants are killed.
func Half(curve []float64) int {
	for k, share := range curve {
		if share >= 0.5-1e-9 {
			return k
		}
	}
	return len(curve)
}

// walker knows the tests that kill each mutant, and the mutants that each test kills.
type walker struct {
	mutants, killers [][]int
	killed           int
}

// walk is the share that is killed after each look.
func (w *walker) walk(order []int, rng *rand.Rand) []float64 {
	dead := make([]bool, len(w.mutants))
	out := []float64{0}
	n := 0
	for _, m := range order {
		if dead[m] {
			continue
		}
		if tests := w.mutants[m]; len(tests) > 0 {
			for _, other := range w.killers[tests[rng.IntN(len(tests))]] {
				if !dead[other] {
					dead[other] = true
					n++
				}
			}
		}
		out = append(out, float64(n)/float64(w.killed))
	}
	return out
}

// added adds one walk to the sum of others; a shorter one stays at its last value.
func added(sum, walk []float64) []float64 {
	last := func(list []float64, k int) float64 { return list[min(k, len(list)-1)] }
	if sum == nil {
		return walk
	}
	out := make([]float64, max(len(sum), len(walk)))
	for k := range out {
		out[k] = last(sum, k) + last(walk, k)
	}
	return out
}

// Cut thins a curve to at most n points, the last of them its last.
func Cut(curve []float64, n int) (places []int, shares []float64) {
	step := max(1, int(math.Ceil(float64(len(curve)-1)/float64(n))))
	for k := 0; k < len(curve); k += step {
		places, shares = append(places, k), append(shares, curve[k])
	}
	if last := len(curve) - 1; places[len(places)-1] != last {
		places, shares = append(places, last), append(shares, curve[last])
	}
	return places, shares
}
