package ranges

import (
	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/loop"
)

const (
	// visits bounds the passes over all blocks: after half of them widening goes
	// to what the type holds at once.
	visits = 24
	// narrowings are the passes that take back what widening added.
	narrowings = 2
)

// solver finds the states of all blocks.
type solver struct {
	f     *Facts
	m     *machine
	order []int  // reverse postorder
	place []int  // of each block in order
	edges []edge // by number
	out   [][]int
	into  [][]int
	heads []*head // by block; nil for those that close no cycle
	// change is code that is run in the place of some of the function's; see Further.
	change *change
	// wanted are the blocks whose states are looked for; nil for all.
	wanted []bool
	// free are states that nothing holds any more, left a block's state before its ways out
	// refine it, and changed what leave returned last: most of the time would go into making them.
	free    []state
	left    state
	changed []int
}

// edge is a way from block to block.
type edge struct {
	from, to int
	// tests must all be passed.
	tests []test
	// through is a cell that must hold a truth, besides; nil for none.
	through *through
	state   state // nil while nothing goes this way
}

type through struct {
	cell  int
	truth Interval
}

// test is a condition on an operand of the block that the edge leaves.
type test struct {
	of     operand
	within Interval
}

// head is a block where cycles are cut.
type head struct {
	loop *loop.Loop
	// unwritten are the cells that the loop leaves alone, in natural loops: they
	// hold what they held before it.
	written []bool
	seen    int
}

func newSolver(f *Facts, g *cfg.Graph, loops *loop.Nest) *solver {
	s := &solver{f: f, m: newMachine(f), order: g.ReversePostorder(), place: make([]int, g.Len()),
		out: make([][]int, g.Len()), into: make([][]int, g.Len()), heads: make([]*head, g.Len())}
	for k, b := range s.order {
		s.place[b] = k
	}
	for i := range loops.Loops {
		l := &loops.Loops[i]
		s.heads[l.Header] = &head{loop: l, written: s.writtenIn(l)}
	}
	relays := s.findRelays(g)
	for _, b := range s.order {
		if relays[b] < 0 {
			s.addEdges(b, g, relays)
		}
	}
	return s
}

func (s *solver) writtenIn(l *loop.Loop) []bool {
	out := make([]bool, len(s.f.cells))
	if !l.Natural {
		for k := range out {
			out[k] = true
		}
		return out
	}
	for _, b := range l.Blocks {
		for i := s.f.code.Code.First[b]; i < s.f.code.Code.First[b+1]; i++ {
			o := &s.f.items[i]
			if o.stores() {
				out[o.cell] = true
			}
			for _, k := range o.clobbers {
				out[k] = true
			}
		}
	}
	return out
}

// solve fills the states and values of the function.
func (s *solver) solve() {
	s.f.in = make([]state, len(s.out))
	if len(s.order) == 0 {
		return
	}
	if !s.rise(0) {
		s.giveUp()
	} else {
		for range narrowings {
			s.narrow()
		}
	}
	s.m.settled = true
	for i := range s.f.values {
		s.f.values[i] = Empty
	}
	for _, b := range s.order {
		if s.f.in[b] != nil {
			s.m.run(b, s.f.in[b], s.f.code.Code.First[b+1])
		}
	}
}

// rise grows the states until they hold all that can come about; false when that
// takes too long.
func (s *solver) rise(starts ...int) bool {
	dirty := make([]bool, len(s.out))
	for _, b := range starts {
		dirty[b] = true
	}
	left := visits * len(s.order)
	for again := true; again; {
		again = false
		for _, b := range s.order {
			if !dirty[b] || s.wanted != nil && !s.wanted[b] {
				continue
			}
			dirty[b] = false
			if left--; left < 0 {
				return false
			}
			if !s.grow(b, left < visits/2*len(s.order)) {
				continue
			}
			for _, e := range s.leave(b) {
				to := s.edges[e].to
				dirty[to] = true
				again = again || s.place[to] <= s.place[b]
			}
		}
	}
	return true
}

// grow takes up what comes into a block, and reports whether that is more than
// before.
func (s *solver) grow(b int, hurry bool) bool {
	now := s.arriving(b)
	if now == nil {
		return false
	}
	old := s.f.in[b]
	if old == nil {
		s.f.in[b] = now
		return true
	}
	h := s.heads[b]
	for k := range now {
		joined := old[k].Join(now[k])
		if h != nil && s.writes(h, k) && h.seen > 0 {
			if joined = old[k].widen(joined, s.f.cells[k].width); hurry && joined != old[k] {
				joined = Full(s.f.cells[k].width)
			}
		}
		now[k] = joined
	}
	if h != nil {
		h.seen++
	}
	if now.equal(old) {
		s.drop(now)
		return false
	}
	s.drop(old)
	s.f.in[b] = now
	return true
}

// arriving joins the states of the edges into a block; nil when there is none.
func (s *solver) arriving(b int) state {
	var out state
	if b == 0 && s.change == nil {
		out = s.take()
		for k := range out {
			out[k] = s.f.startOf(&s.f.cells[k])
		}
	}
	h := s.heads[b]
	var entered state
	if h != nil && out != nil {
		entered = s.copyOf(out)
	}
	for _, e := range s.into[b] {
		from := s.edges[e].state
		if from == nil {
			continue
		}
		out = s.join(out, from)
		if h != nil && !h.loop.Has(s.edges[e].from) {
			entered = s.join(entered, from)
		}
	}
	if entered != nil {
		for k := range out {
			if !s.writes(h, k) {
				out[k] = entered[k]
			}
		}
		s.drop(entered)
	}
	return out
}

// join is what two states hold, in the first, of which nil holds nothing.
func (s *solver) join(a, b state) state {
	if a == nil {
		return s.copyOf(b)
	}
	a.join(b)
	return a
}

func (s state) join(t state) {
	for k := range s {
		s[k] = s[k].Join(t[k])
	}
}

// take is a state to be filled.
func (s *solver) take() state {
	if n := len(s.free); n > 0 {
		out := s.free[n-1]
		s.free = s.free[:n-1]
		return out
	}
	return make(state, len(s.f.cells))
}

func (s *solver) copyOf(a state) state {
	out := s.take()
	copy(out, a)
	return out
}

// drop takes back a state that nothing holds any more; nil is none.
func (s *solver) drop(a state) {
	if a != nil {
		s.free = append(s.free, a)
	}
}

// setEdge gives an edge a copy of a state, or none.
func (s *solver) setEdge(e int, to state) {
	switch at := &s.edges[e].state; {
	case to == nil:
		s.drop(*at)
		*at = nil
	case *at == nil:
		*at = s.copyOf(to)
	default:
		copy(*at, to)
	}
}

// leave carries a block's state to its edges and returns those that changed, until it is called
// again.
func (s *solver) leave(b int) []int { return s.leaveFrom(b, s.f.in[b]) }

func (s *solver) leaveFrom(b int, in state) []int {
	m := s.m
	s.run(b, in)
	s.left = append(s.left[:0], m.cells...)
	s.changed = s.changed[:0]
	for k, e := range s.out[b] {
		if k > 0 {
			copy(m.cells, s.left)
		}
		passes := true
		for _, t := range s.edges[e].tests {
			passes = passes && m.require(t.of, t.within)
		}
		if t := s.edges[e].through; t != nil {
			m.cells[t.cell] = m.cells[t.cell].Meet(t.truth)
			passes = passes && !m.cells[t.cell].IsEmpty()
		}
		old := s.edges[e].state
		went := old != nil
		if first := s.first(e); first != nil {
			if passes {
				state(m.cells).join(first)
			} else {
				copy(m.cells, first)
			}
			passes = true
		}
		switch {
		case !passes:
			s.setEdge(e, nil)
		case old == nil || !old.equal(m.cells):
			s.setEdge(e, m.cells)
		default:
			continue
		}
		if passes || went {
			s.changed = append(s.changed, e)
		}
	}
	return s.changed
}

// narrow computes every state anew from those before it. What comes about then
// holds all that can, as it did before.
func (s *solver) narrow() {
	for _, b := range s.order {
		old := s.f.in[b]
		if old == nil {
			continue
		}
		now := s.arriving(b)
		if now != nil {
			for k := range now {
				now[k] = now[k].Meet(old[k])
			}
		}
		s.drop(old)
		s.f.in[b] = now
		if now == nil {
			for _, e := range s.out[b] {
				s.setEdge(e, s.first(e))
			}
			continue
		}
		s.leave(b)
	}
}

// giveUp leaves what the types say.
func (s *solver) giveUp() {
	for _, b := range s.order {
		s.f.in[b] = make(state, len(s.f.cells))
		for k := range s.f.cells {
			s.f.in[b][k] = Full(s.f.cells[k].width)
		}
	}
}
