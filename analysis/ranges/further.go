package ranges

import (
	"slices"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// Further is what can come about after code that takes the place of the rest of a block: the
// states and values of the wanted blocks that control goes on to, on runs that came through that
// code. It is overwritten by the next.
type Further struct {
	f      *Facts
	solver *solver
	order  []int
	// exits are the blocks that the code leads to, from block.
	exits  []int
	block  int
	relays []int
}

// Blocks are the wanted ones that control can go on to, in reverse postorder.
func (w *Further) Blocks() []int { return w.order }

// Value is what an operand can be in those blocks; false for what is no integer of up to 64 bits.
func (w *Further) Value(a op.Operand) (Interval, bool) { return w.f.can(a) }

// Exits are the blocks that control goes to straight from the code.
func (w *Further) Exits() []int { return w.exits }

// Leads reports whether control can go from one wanted block straight to another block; of blocks
// that do no more than branch on a truth which was computed before it is always said that it can.
func (w *Further) Leads(from, to int) bool {
	if from == w.block {
		return slices.Contains(w.exits, to)
	}
	if w.relays[to] >= 0 {
		return true
	}
	for _, e := range w.solver.out[from] {
		if w.solver.edges[e].to == to && w.solver.edges[e].state != nil {
			return true
		}
	}
	return false
}

// further solves what follows from changes of one function, one after the other.
type further struct {
	facts  *Facts // the function's with states and values of their own
	solver *solver
	edges  int // of the unchanged function
	relays []int
	// own are the states of the function's edges, by the block that they leave, nil where they were
	// not asked for.
	own [][]edge
	out Further
	// last is the change that out follows from; nil for none.
	last *change
}

// change is the code that takes the place of a block's from an item on.
type change struct {
	block, at int
	code      *Scratch
	// first are the edges that leave it, of which the first is edge from, with their states when
	// control comes to it first.
	first []edge
	from  int
}

// furtherBound is how many blocks times cells are solved again for each change. Without it the judge
// of package ub takes more than twice as long on vim, for 9 % more verdicts
// (docs/results/undefined-behaviour.md).
const furtherBound = 1 << 13

// Further finds what follows from code that runs in the place of item at and what is behind it
// in its block, up to the code's terminator. It is false where all that comes of it is what comes of
// the original, as far as intervals tell, where control comes to no wanted block, where it takes
// too long, and in functions that have many blocks and cells. wanted are all blocks that control
// can come from to a block of interest.
func (f *Facts) Further(at int, code *Scratch, wanted []bool) (*Further, bool) {
	if n := len(code.ops); n == 0 || !code.ops[n-1].Code.IsTerminator() || !f.Reachable(f.code.Code.Items[at].Block) {
		return nil, false
	}
	if f.graph.Len()*len(f.cells) > furtherBound {
		return nil, false
	}
	if f.further == nil {
		f.further = newFurther(f)
	}
	f.further.solver.wanted = wanted
	own := *code
	own.values = slices.Clone(code.values)
	return &f.further.out, f.further.follow(&change{block: f.code.Code.Items[at].Block, at: at, code: &own, from: f.further.edges})
}

func newFurther(f *Facts) *further {
	own := *f
	own.values, own.ready, own.further = make([]Interval, len(f.values)), nil, nil
	own.in = make([]state, len(f.in))
	w := &further{facts: &own, solver: newSolver(&own, f.graph, f.loops), own: make([][]edge, len(f.in))}
	w.relays, w.edges = w.solver.findRelays(f.graph), len(w.solver.edges)
	w.out = Further{f: &own, solver: w.solver, relays: w.relays}
	return w
}

// follow solves a change. Changes of one place often leave the same behind: of those that come one
// after the other the first is solved.
func (w *further) follow(c *change) bool {
	s, f := w.solver, c.code.f
	last := w.last
	if last != nil && last.block != c.block {
		last = nil
	}
	if last == nil {
		w.reset(f)
	}
	s.change, s.m.settled = c, false
	before := s.out[c.block]
	defer func() { w.restore(c.block, before) }()
	w.addEdges(c)
	old := w.leftBy(f, c.block, before)
	starts := w.enter(c, f)
	if !slices.ContainsFunc(starts, func(b int) bool { return s.wanted[b] }) || w.isOld(c, old) {
		return false
	}
	again := w.facts.in[c.block] // with which control comes to the change again
	if last != nil && c.leavesSame(last) && (again == nil || c.doesSame(last)) {
		if again != nil {
			s.m.settled = true
			s.run(c.block, again)
		}
		return true
	}
	if last != nil {
		w.reset(f)
		for k := range c.first {
			s.setEdge(c.from+k, c.first[k].state)
		}
	}
	return w.solve(c, starts)
}

// enter has control come to a change first, and returns the blocks that it goes on to.
func (w *further) enter(c *change, f *Facts) (starts []int) {
	s, from, to := w.solver, f.code.Code.First[c.block], f.code.Code.First[c.block+1]
	copy(w.facts.values[from:to], f.values[from:to])
	s.leaveFrom(c.block, f.in[c.block])
	for _, e := range s.out[c.block] {
		left := edge{to: s.edges[e].to, state: slices.Clone(s.edges[e].state)}
		c.first = append(c.first, left)
		if left.state != nil {
			starts = append(starts, left.to)
		}
	}
	return starts
}

// solve finds the states and values of the blocks that control goes on to; false where that takes
// too long.
func (w *further) solve(c *change, starts []int) bool {
	s := w.solver
	w.out.block, w.out.exits = c.block, starts
	if !s.rise(starts...) {
		return false
	}
	s.narrow()
	s.m.settled = true
	w.out.order = w.out.order[:0]
	for _, b := range s.order {
		if w.facts.in[b] != nil {
			w.out.order = append(w.out.order, b)
			s.run(b, w.facts.in[b])
		}
	}
	w.last = c
	return true
}

// leavesSame reports that what control first leaves the change with is what it leaves another with,
// in the place of the same code.
func (c *change) leavesSame(other *change) bool {
	return c.at == other.at && slices.EqualFunc(c.first, other.first, func(a, b edge) bool {
		return a.to == b.to && (a.state == nil) == (b.state == nil) && a.state.equal(b.state)
	})
}

// doesSame reports that what the change does is what another does, as far as ranges tell.
func (c *change) doesSame(other *change) bool {
	return slices.EqualFunc(c.code.ops, other.code.ops, func(a, b item) bool {
		return a.Code == b.Code && a.Pred == b.Pred && a.Flags == b.Flags && a.Writes() == b.Writes() && slices.Equal(a.Targets, b.Targets) &&
			a.width == b.width && a.cell == b.cell && a.known == b.known && a.computed == b.computed && a.character == b.character &&
			slices.Equal(a.args, b.args)
	})
}

func (w *further) reset(f *Facts) {
	w.last = nil
	for b, in := range w.facts.in {
		w.solver.drop(in)
		w.facts.in[b] = nil
	}
	copy(w.facts.values, f.values)
	for e := range w.solver.edges {
		w.solver.setEdge(e, nil)
	}
	for _, h := range w.solver.heads {
		if h != nil {
			h.seen = 0
		}
	}
}

// addEdges puts the ways out of the changed code in the place of the block's.
func (w *further) addEdges(c *change) {
	s := w.solver
	s.out[c.block] = nil
	for _, way := range waysOut(c.block, &c.code.ops[len(c.code.ops)-1], len(s.out)) {
		relay := w.relays[way.to]
		if relay < 0 {
			s.addEdge(way)
			continue
		}
		// What the block left in the slot that the relay reads is not looked for: its cell says it.
		for _, on := range s.waysOut(way.to, w.facts.graph) {
			s.addEdge(edge{from: c.block, to: on.to, tests: way.tests, through: &through{relay, on.tests[0].within}})
		}
	}
}

// restore takes the changed code's edges out.
func (w *further) restore(block int, edges []int) {
	s := w.solver
	for _, e := range s.out[block] {
		s.setEdge(e, nil)
		to := s.edges[e].to
		s.into[to] = s.into[to][:len(s.into[to])-1]
	}
	s.out[block], s.change = edges, nil
	s.edges = s.edges[:w.edges]
}

// leftBy are the edges that leave a block in the original, with their states.
func (w *further) leftBy(f *Facts, block int, edges []int) []edge {
	if w.own[block] != nil {
		return w.own[block]
	}
	s := w.solver
	c, out, in := s.change, s.out[block], w.facts.in[block]
	s.change, s.out[block] = nil, edges
	s.leaveFrom(block, f.in[block])
	w.own[block] = make([]edge, 0, len(edges))
	for _, e := range edges {
		w.own[block] = append(w.own[block], s.edges[e])
		s.edges[e].state = nil
	}
	s.change, s.out[block], w.facts.in[block] = c, out, in
	return w.own[block]
}

// isOld reports that the code leaves nothing behind that the original does not.
func (w *further) isOld(c *change, old []edge) bool {
	for _, now := range c.first {
		if now.state != nil && !slices.ContainsFunc(old, func(o edge) bool { return o.to == now.to && o.state != nil && o.state.equal(now.state) }) {
			return false
		}
	}
	return true
}

// run carries a block's state to its end, through the code that takes the place of some of it.
func (s *solver) run(b int, in state) {
	first := s.f.code.Code.First
	if s.change == nil || s.change.block != b {
		s.m.extra, s.m.instead = nil, nil
		s.m.run(b, in, first[b+1])
		return
	}
	s.m.run(b, in, s.change.at)
	s.change.code.run(s.m, true)
}

// writes reports that a loop may write a cell.
func (s *solver) writes(h *head, cell int) bool {
	return h.written[cell] || s.change != nil && h.loop.Has(s.change.block)
}

// first is the state that an edge of the changed code got when control came to it first; nil for
// other edges.
func (s *solver) first(e int) state {
	if s.change == nil || e < s.change.from || len(s.change.first) == 0 {
		return nil
	}
	return s.change.first[e-s.change.from].state
}
