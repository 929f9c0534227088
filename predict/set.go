package predict

import (
	"container/heap"
	"math"
)

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
			heap.Fix(g, 0)
			continue
		}
		out = append(out, top.position)
		g.choose(top.position)
		heap.Pop(g)
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

// greedy is a ranking in the making; it is the heap of what is not chosen.
type greedy struct {
	rule   SetRule
	scores []Score
	base   []float64 // logarithm of the value without similarity
	byID   []int     // rank by id, to break ties
	queue  []candidate
	// chosen mutants by what makes them alike.
	lines, statements, kinds map[likeness]int
	of                       [][3]likeness
}

// likeness is a line, a statement or a kind of change.
type likeness struct {
	file, kind string
	number     int
}

type candidate struct {
	position int
	value    float64
}

func newGreedy(r SetRule, scores []Score) *greedy {
	g := &greedy{rule: r, scores: scores, base: make([]float64, len(scores)), byID: make([]int, len(scores)), of: make([][3]likeness, len(scores)),
		lines: map[likeness]int{}, statements: map[likeness]int{}, kinds: map[likeness]int{}}
	for rank, i := range byID(scores) {
		s := &scores[i]
		g.byID[i] = rank
		g.base[i] = r.logValue(s)
		g.of[i] = [3]likeness{{file: s.File, number: s.Line}, {file: s.File, number: s.Statement}, {kind: s.Matcher + "\x00" + s.Replacer}}
		g.queue = append(g.queue, candidate{i, g.base[i]})
	}
	heap.Init(g)
	return g
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
	own := &g.of[i]
	return g.base[i] +
		repeated(g.lines[own[0]], g.rule.Line) + repeated(g.statements[own[1]], g.rule.Statement) + repeated(g.kinds[own[2]], g.rule.Kind)
}

// repeated is the logarithm of (1 - similarity)^times.
func repeated(times int, similarity float64) float64 {
	if times == 0 || similarity == 0 {
		return 0
	}
	return float64(times) * math.Log1p(-min(similarity, 0.999999))
}

func (g *greedy) choose(i int) {
	g.lines[g.of[i][0]]++
	g.statements[g.of[i][1]]++
	g.kinds[g.of[i][2]]++
}

// Len, Less, Swap, Push and Pop make the queue a heap.
func (g *greedy) Len() int { return len(g.queue) }

func (g *greedy) Less(a, b int) bool {
	x, y := &g.queue[a], &g.queue[b]
	if x.value != y.value {
		return x.value > y.value
	}
	return g.byID[x.position] < g.byID[y.position]
}

func (g *greedy) Swap(a, b int) { g.queue[a], g.queue[b] = g.queue[b], g.queue[a] }

func (g *greedy) Push(x any) { g.queue = append(g.queue, x.(candidate)) }

func (g *greedy) Pop() any {
	last := g.queue[len(g.queue)-1]
	g.queue = g.queue[:len(g.queue)-1]
	return last
}
