package predict

import "math"

// greedy is an order of a SetRule in the making.
//
// Values are logarithms, so that those of late mutants stay apart, as multiples of a
// unit: sums of integers are exact, and two mutants that are worth the same stay so
// whatever was chosen before.
type greedy struct {
	base []int64 // value without similarity, by mutant
	byID []int32 // rank by id, to break ties
	// The groups of what is alike. kind is also the number of a heap of classes.
	line, statement, kind alike
	members               []int32 // mutants, class after class, the best of each first
	classes               []class
	heaps                 []heap // of classes, by kind
	kinds                 heap   // kinds with mutants left
	last                  []int  // mutants without a value, by id
}

// alike is one thing that mutants may have in common: a line, a statement, a kind of
// change.
type alike struct {
	group []int32 // by mutant, from 0
	taken []int64 // mutants chosen, by group
	each  int64   // what one chosen mutant takes from the others, not positive
}

// discount is what those of a group have lost.
func (a *alike) discount(group int32) int64 { return a.taken[group] * a.each }

// class is the mutants of one line, statement and kind that are left: those of
// greedy.members from next to end.
type class struct {
	next, end       int32
	line, statement int32
}

func newGreedy(r SetRule, scores []Score) *greedy {
	g := &greedy{base: make([]int64, len(scores)), byID: make([]int32, len(scores))}
	type place struct {
		file   string
		number int
	}
	var sizes [3]int
	g.line.group, sizes[0] = groupsOf(scores, r.Line, func(s *Score) place { return place{s.File, s.Line} })
	g.statement.group, sizes[1] = groupsOf(scores, r.Statement, func(s *Score) place { return place{s.File, s.Statement} })
	g.kind.group, sizes[2] = groupsOf(scores, r.Kind, func(s *Score) [2]string { return [2]string{s.Matcher, s.Replacer} })
	values := make([]float64, len(scores))
	for i := range scores {
		values[i] = r.logValue(&scores[i])
	}
	unit := newUnit(r, values, len(scores))
	for k, a := range []*alike{&g.line, &g.statement, &g.kind} {
		a.taken, a.each = make([]int64, sizes[k]), unit.each[k]
	}
	var worth []int32 // by id
	for rank, i := range byID(scores) {
		g.byID[i] = int32(rank)
		if math.IsInf(values[i], -1) {
			g.last = append(g.last, i)
			continue
		}
		g.base[i] = unit.of(values[i])
		worth = append(worth, int32(i))
	}
	g.classify(worth)
	return g
}

// unit turns logarithms into integers.
type unit struct {
	scale float64
	each  [3]int64 // what similarity of line, statement and kind takes
}

// newUnit chooses the finest unit in which no value of n mutants can overflow.
func newUnit(r SetRule, values []float64, n int) unit {
	each := [3]float64{loss(r.Line), loss(r.Statement), loss(r.Kind)}
	most := 0.0
	for _, v := range values {
		if !math.IsInf(v, -1) {
			most = max(most, math.Abs(v))
		}
	}
	for _, e := range each {
		most += float64(n) * math.Abs(e)
	}
	_, exponent := math.Frexp(most)
	u := unit{scale: math.Ldexp(1, min(61-exponent, 61))}
	for k, e := range each {
		u.each[k] = u.of(e)
	}
	return u
}

func (u *unit) of(x float64) int64 { return int64(math.RoundToEven(x * u.scale)) }

// loss is the logarithm of 1 - similarity.
func loss(similarity float64) float64 { return math.Log1p(-min(similarity, 0.999999)) }

// groupsOf numbers the groups of mutants with the same key, and counts them. Where
// similarity is 0 they do not matter, and all are in one.
func groupsOf[K comparable](scores []Score, similarity float64, key func(s *Score) K) ([]int32, int) {
	group := make([]int32, len(scores))
	if similarity == 0 {
		return group, 1
	}
	known := map[K]int32{}
	for i := range scores {
		k := key(&scores[i])
		at, seen := known[k]
		if !seen {
			at = int32(len(known))
			known[k] = at
		}
		group[i] = at
	}
	return group, len(known)
}

// classify puts mutants, which are in the order of their ids, into classes and heaps.
func (g *greedy) classify(mutants []int32) {
	type key struct{ line, statement, kind int32 }
	known, of, sizes := map[key]int32{}, make([]int, len(mutants)), []int(nil)
	var kindOf []int32
	for at, i := range mutants {
		k := key{g.line.group[i], g.statement.group[i], g.kind.group[i]}
		number, seen := known[k]
		if !seen {
			number = int32(len(g.classes))
			known[k] = number
			g.classes = append(g.classes, class{line: k.line, statement: k.statement})
			kindOf, sizes = append(kindOf, k.kind), append(sizes, 0)
		}
		of[at] = int(number)
		sizes[number]++
	}
	// Sorted by value first and then, stably, by class.
	order := make([]int, len(mutants))
	for at := range order {
		order[at] = at
	}
	sortByKey(order, func(at int) uint64 { return ^uint64(g.base[mutants[at]]) ^ 1<<63 })
	g.members = make([]int32, len(mutants))
	for at, place := range byGroup(order, of, len(sizes)) {
		g.members[at] = mutants[place]
	}
	g.heaps = make([]heap, len(g.kind.taken))
	from := int32(0)
	for number := range g.classes {
		c := &g.classes[number]
		c.next, c.end = from, from+int32(sizes[number])
		from = c.end
		h := &g.heaps[kindOf[number]]
		*h = append(*h, g.entry(int32(number)))
	}
	for kind, h := range g.heaps {
		h.build()
		if len(h) > 0 {
			g.kinds = append(g.kinds, entry{h[0].value, h[0].id, int32(kind)})
		}
	}
	g.kinds.build()
}

// entry is that of a class in the heap of its kind: with the value of its best mutant
// as it is now, but for what the kind has lost.
func (g *greedy) entry(number int32) entry {
	c := &g.classes[number]
	best := g.members[c.next]
	return entry{g.base[best] + g.line.discount(c.line) + g.statement.discount(c.statement), g.byID[best], number}
}

// next looks at the kind at the head. Is it still as good as its entry says, its best
// mutant is taken and returned.
func (g *greedy) next() (mutant int, ok bool) {
	top := &g.kinds[0]
	classes, kind := &g.heaps[top.number], top.number
	for {
		head := &(*classes)[0]
		now := g.entry(head.number)
		if now == *head {
			break
		}
		*head = now
		classes.sink(0)
	}
	head := &(*classes)[0]
	now := entry{head.value + g.kind.discount(kind), head.id, kind}
	if now != *top {
		*top = now
		g.kinds.sink(0)
		return 0, false
	}
	c := &g.classes[head.number]
	mutant = int(g.members[c.next])
	c.next++
	g.line.taken[c.line]++
	g.statement.taken[c.statement]++
	g.kind.taken[kind]++
	if c.next < c.end {
		*head = g.entry(head.number)
		classes.sink(0)
	} else {
		classes.drop()
	}
	if len(*classes) == 0 {
		g.kinds.drop()
	}
	return mutant, true
}

// entry is a class or a kind in a heap, by its best mutant.
type entry struct {
	value  int64
	id     int32 // rank of the mutant's id
	number int32
}

// heap is a binary heap, the best entry at its head.
type heap []entry

func (h heap) before(a, b int) bool {
	if h[a].value != h[b].value {
		return h[a].value > h[b].value
	}
	return h[a].id < h[b].id
}

func (h heap) build() {
	for at := len(h)/2 - 1; at >= 0; at-- {
		h.sink(at)
	}
}

// sink moves the entry at a place down to where it belongs.
func (h heap) sink(at int) {
	for {
		first := 2*at + 1
		if first >= len(h) {
			return
		}
		if next := first + 1; next < len(h) && h.before(next, first) {
			first = next
		}
		if !h.before(first, at) {
			return
		}
		h[at], h[first] = h[first], h[at]
		at = first
	}
}

// drop takes the head away.
func (h *heap) drop() {
	last := len(*h) - 1
	(*h)[0] = (*h)[last]
	*h = (*h)[:last]
	h.sink(0)
}
