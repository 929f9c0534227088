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
// values may be tuned on a history (evaluate.CrossValidate gives scores that the
// tuning may use); those of Winnow come from Codeflaws.
type SetRule struct {
	// KillPower, RevealPower and LatePower weigh the models; 0 leaves one out.
	KillPower, RevealPower, LatePower float64
	// Line, Statement and Kind are similarities in [0, 1].
	Line, Statement, Kind float64
}

// Order returns the positions of scores, best first; ties go to the lower id.
// Mutants without a probability that the rule reads come last.
//
// Similarity never raises a value, so a value computed earlier is an upper bound:
// only the mutant at the head of a heap needs to be looked at again (Minoux,
// "Accelerated greedy algorithms" (1978)).
func (r SetRule) Order(scores []Score) []int {
	g := newGreedy(r, scores)
	out := make([]int, 0, len(scores))
	for len(g.queue) > 0 {
		top := &g.queue[0]
		if now := g.value(top.position); now < top.value {
			top.value = now
			g.sink(0)
			continue
		}
		out = append(out, top.position)
		g.choose(top.position)
		last := len(g.queue) - 1
		g.queue[0] = g.queue[last]
		g.queue = g.queue[:last]
		g.sink(0)
	}
	return out
}

// strategy makes r a Strategy.
func (r SetRule) strategy(s Strategy) Strategy {
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

// greedy is a ranking in the making.
type greedy struct {
	base []float64 // logarithm of the value without similarity, by mutant
	byID []int     // rank by id, to break ties
	// queue is a heap of what is not chosen, the best at its head.
	queue []candidate
	alike [3]alike
}

type candidate struct {
	position int
	value    float64
}

// alike is one thing that mutants may have in common: a line, a statement, a kind of
// change.
type alike struct {
	group []int // by mutant, from 0
	taken []int // mutants chosen, by group
	// each is the logarithm of 1 - similarity.
	each float64
}

func newGreedy(r SetRule, scores []Score) *greedy {
	g := &greedy{base: make([]float64, len(scores)), byID: make([]int, len(scores)), queue: make([]candidate, len(scores))}
	for rank, i := range byID(scores) {
		g.byID[i] = rank
		g.base[i] = r.logValue(&scores[i])
		g.queue[rank] = candidate{i, g.base[i]}
	}
	type place struct {
		file   string
		number int
	}
	g.alike = [3]alike{
		groupsOf(scores, r.Line, func(s *Score) place { return place{s.File, s.Line} }),
		groupsOf(scores, r.Statement, func(s *Score) place { return place{s.File, s.Statement} }),
		groupsOf(scores, r.Kind, func(s *Score) [2]string { return [2]string{s.Matcher, s.Replacer} }),
	}
	for at := len(g.queue)/2 - 1; at >= 0; at-- {
		g.sink(at)
	}
	return g
}

// groupsOf numbers the groups of mutants with the same key.
func groupsOf[K comparable](scores []Score, similarity float64, key func(s *Score) K) alike {
	known, out := map[K]int{}, alike{group: make([]int, len(scores)), each: math.Log1p(-min(similarity, 0.999999))}
	for i := range scores {
		k := key(&scores[i])
		at, seen := known[k]
		if !seen {
			at = len(known)
			known[k] = at
		}
		out.group[i] = at
	}
	out.taken = make([]int, len(known))
	return out
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

// value is the logarithm of what the mutant adds to those chosen.
func (g *greedy) value(i int) float64 {
	a, b, c := &g.alike[0], &g.alike[1], &g.alike[2]
	return g.base[i] + float64(a.taken[a.group[i]])*a.each + float64(b.taken[b.group[i]])*b.each + float64(c.taken[c.group[i]])*c.each
}

func (g *greedy) choose(i int) {
	for k := range g.alike {
		g.alike[k].taken[g.alike[k].group[i]]++
	}
}

// before: a comes before b in the heap.
func (g *greedy) before(a, b candidate) bool {
	if a.value != b.value {
		return a.value > b.value
	}
	return g.byID[a.position] < g.byID[b.position]
}

// sink moves the candidate at a place of the heap down to where it belongs.
func (g *greedy) sink(at int) {
	for {
		first := 2*at + 1
		if first >= len(g.queue) {
			return
		}
		if next := first + 1; next < len(g.queue) && g.before(g.queue[next], g.queue[first]) {
			first = next
		}
		if !g.before(g.queue[first], g.queue[at]) {
			return
		}
		g.queue[at], g.queue[first] = g.queue[first], g.queue[at]
		at = first
	}
}
