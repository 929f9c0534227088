package decide

import (
	"math/bits"

	"github.com/winnow-mutants/winnow/symbolic/sat"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// lit is a node of the graph times 2, plus 1 where it is negated. Node 0 is false.
type lit uint32

const (
	never  lit = 0
	always lit = 1
)

func (l lit) not() lit  { return l ^ 1 }
func (l lit) node() int { return int(l >> 1) }

// words is how many words of 64 patterns each node is simulated with: those that are drawn,
// and the last for models that told two nodes apart.
const (
	drawnWords = 4
	words      = drawnWords + 1
)

// node is an and of two literals, or an input.
type node struct {
	a, b  lit
	input bool
	sim   [words]uint64
	in    sat.Lit // in the solver; see encoded
}

// graph is an and-inverter graph whose nodes are pairwise different, as far as a little
// search could tell.
type graph struct {
	nodes  []node
	same   map[[2]lit]lit
	bySim  map[uint64][]int // nodes by their signature
	solver sat.Solver
	// encoded says which nodes the solver knows.
	encoded []bool
	inputs  []int
	// Of cone: what was visited in which round, and room.
	visited []uint32
	round   uint32
	vars    []sat.Lit
	stack   []int
	// told counts the models that told nodes apart.
	told int
	// effort bounds the conflicts of all merges of the question at hand.
	effort int
	// room bounds the nodes that are looked at for all merges of the question at hand.
	room int
}

func newGraph() *graph {
	g := &graph{same: map[[2]lit]lit{}, bySim: map[uint64][]int{}}
	g.begin()
	return g
}

// begin makes node 0.
func (g *graph) begin() {
	g.nodes = append(g.nodes, node{input: true})
	g.encoded = append(g.encoded, true)
	g.nodes[0].in = g.solver.Variable()
	g.solver.Add(g.nodes[0].in.Not())
	g.index(0)
}

// signature is the same for nodes that are equal or each other's negation in all patterns that
// were drawn. Those of models change, and are compared by agree.
func (g *graph) signature(n int) (uint64, bool) {
	s := &g.nodes[n].sim
	flip := s[0]&1 == 1
	h := uint64(0)
	for _, w := range s[:drawnWords] {
		if flip {
			w = ^w
		}
		h = term.Mix(h, w)
	}
	return h, flip
}

func (g *graph) index(n int) {
	h, _ := g.signature(n)
	g.bySim[h] = append(g.bySim[h], n)
}

// input makes an input, with its patterns.
func (g *graph) input(patterns [words]uint64) lit {
	n := len(g.nodes)
	g.nodes = append(g.nodes, node{input: true, sim: patterns})
	g.encoded = append(g.encoded, false)
	g.inputs = append(g.inputs, n)
	g.index(n)
	return lit(2 * n)
}

func (g *graph) value(l lit, word int) uint64 {
	v := g.nodes[l.node()].sim[word]
	if l&1 == 1 {
		return ^v
	}
	return v
}

// and is a ∧ b.
func (g *graph) and(a, b lit) lit {
	if a > b {
		a, b = b, a
	}
	switch {
	case a == never || a == b.not():
		return never
	case a == always || a == b:
		return b
	}
	key := [2]lit{a, b}
	if l, ok := g.same[key]; ok {
		return l
	}
	n := len(g.nodes)
	made := node{a: a, b: b}
	for w := range made.sim {
		made.sim[w] = g.value(a, w) & g.value(b, w)
	}
	g.nodes = append(g.nodes, made)
	g.encoded = append(g.encoded, false)
	out := g.merged(n)
	if out.node() == n {
		g.index(n)
	} else {
		g.nodes, g.encoded = g.nodes[:n], g.encoded[:n]
	}
	g.same[key] = out
	return out
}

func (g *graph) or(a, b lit) lit  { return g.and(a.not(), b.not()).not() }
func (g *graph) xor(a, b lit) lit { return g.or(g.and(a, b.not()), g.and(a.not(), b)) }

func (g *graph) choose(c, a, b lit) lit {
	switch {
	case c == always || a == b:
		return a
	case c == never:
		return b
	}
	return g.or(g.and(c, a), g.and(c.not(), b))
}

// The merging of nodes has limits of its own.
const (
	mergeConflicts = 60 // for one pair
	mergeTries     = 3  // of one node
	mostTold       = 3_000
)

// merged is an earlier node that the last one is equal to, or the node itself.
func (g *graph) merged(n int) lit {
	if g.effort <= 0 || g.room <= 0 {
		return lit(2 * n)
	}
	for range mergeTries {
		h, flip := g.signature(n)
		other := -1
		for _, m := range g.bySim[h] {
			if g.agree(n, m) {
				other = m
				break
			}
		}
		if other < 0 {
			return lit(2 * n)
		}
		_, flipped := g.signature(other)
		differ := flip != flipped
		// Encoding the node may not stay: it is the last, and may be taken back.
		switch g.differ(n, lit(2*other)^map[bool]lit{true: 1}[differ]) {
		case sat.Unsat:
			return lit(2*other) ^ map[bool]lit{true: 1}[differ]
		case sat.Unknown:
			return lit(2 * n)
		}
		if g.room -= len(g.nodes); g.told >= mostTold || g.room <= 0 {
			return lit(2 * n)
		}
		g.tell()
	}
	return lit(2 * n)
}

// agree says that two nodes have equal or opposite patterns.
func (g *graph) agree(n, m int) bool {
	x, y := &g.nodes[n].sim, &g.nodes[m].sim
	flip := uint64(0)
	if (x[0]^y[0])&1 == 1 {
		flip = ^uint64(0)
	}
	for w := words - 1; w >= 0; w-- { // those in one bucket differ in the last, if at all
		if x[w] != y[w]^flip {
			return false
		}
	}
	return true
}

// differ asks for a model in which the last node, whose arguments alone the solver is
// told, differs from another literal.
func (g *graph) differ(n int, other lit) sat.Answer {
	a, b, o := g.encode(g.nodes[n].a), g.encode(g.nodes[n].b), g.encode(other)
	g.solver.Among(g.cone(g.nodes[n].a, g.nodes[n].b, other))
	before := g.solver.Conflicts
	defer func() { g.effort -= g.solver.Conflicts - before + 1 }()
	if other == never {
		return g.solver.Solve(mergeConflicts, a, b)
	}
	// a ∧ b ∧ ¬o
	if r := g.solver.Solve(mergeConflicts, o.Not(), a, b); r != sat.Unsat {
		return r
	}
	// ¬(a ∧ b) ∧ o, in two
	if r := g.solver.Solve(mergeConflicts, o, a.Not()); r != sat.Unsat {
		return r
	}
	return g.solver.Solve(mergeConflicts, o, b.Not())
}

// encode tells the solver a literal and what it is computed from.
func (g *graph) encode(l lit) sat.Lit {
	stack := []int{l.node()}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		if g.encoded[n] {
			stack = stack[:len(stack)-1]
			continue
		}
		one := &g.nodes[n]
		if !one.input {
			x, y := one.a.node(), one.b.node()
			if !g.encoded[x] || !g.encoded[y] {
				for _, m := range []int{x, y} {
					if !g.encoded[m] {
						stack = append(stack, m)
					}
				}
				continue
			}
		}
		one.in = g.solver.Variable()
		if !one.input {
			a, b := g.known(one.a), g.known(one.b)
			g.solver.Add(one.in.Not(), a)
			g.solver.Add(one.in.Not(), b)
			g.solver.Add(one.in, a.Not(), b.Not())
		}
		g.encoded[n] = true
		stack = stack[:len(stack)-1]
	}
	return g.known(l)
}

// cone are the variables of all that some literals, which the solver knows, depend on.
func (g *graph) cone(of ...lit) []sat.Lit {
	g.round++
	for len(g.visited) < len(g.nodes) {
		g.visited = append(g.visited, 0)
	}
	out, stack := g.vars[:0], g.stack[:0]
	visit := func(n int) {
		if g.visited[n] != g.round {
			g.visited[n] = g.round
			stack = append(stack, n)
		}
	}
	for _, l := range of {
		visit(l.node())
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		out = append(out, g.nodes[n].in)
		if !g.nodes[n].input {
			visit(g.nodes[n].a.node())
			visit(g.nodes[n].b.node())
		}
	}
	g.vars, g.stack, g.room = out, stack, g.room-len(out)
	return out
}

// forget empties the solver: what it knows of earlier questions costs more than it helps.
func (g *graph) forget() {
	g.solver = sat.Solver{}
	clear(g.encoded)
	g.encoded[0] = true
	g.nodes[0].in = g.solver.Variable()
	g.solver.Add(g.nodes[0].in.Not())
}

func (g *graph) known(l lit) sat.Lit { return g.nodes[l.node()].in ^ sat.Lit(l&1) }

// tell makes the solver's model a pattern.
func (g *graph) tell() {
	const w = words - 1
	bit := uint64(1) << (g.told % 64)
	g.told++
	for _, n := range g.inputs {
		v := &g.nodes[n].sim[w]
		*v &^= bit
		if g.encoded[n] && g.solver.True(g.nodes[n].in) {
			*v |= bit
		}
	}
	for n := range g.nodes {
		if one := &g.nodes[n]; !one.input {
			one.sim[w] = g.value(one.a, w) & g.value(one.b, w)
		}
	}
}

// patterns are those of an input's bits, drawn from its name: the same for all runs.
func patterns(h uint64, width uint8) [][words]uint64 {
	out := make([][words]uint64, width)
	for w := range words {
		for k := range 64 {
			x := shape(term.Mix(h, uint64(64*w+k)), width, uint64(w))
			for x != 0 {
				i := bits.TrailingZeros64(x)
				x &= x - 1
				out[i][w] |= 1 << k
			}
		}
	}
	return out
}
