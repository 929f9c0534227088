package ranges

import (
	"slices"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/loop"
	"github.com/winnow-mutants/winnow/analysis/op"
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
}

// edge is a way from block to block.
type edge struct {
	from, to int
	// tests must all be passed.
	tests []test
	state state // nil while nothing goes this way
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
	if !s.rise() {
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
func (s *solver) rise() bool {
	dirty := make([]bool, len(s.out))
	dirty[0] = true
	left := visits * len(s.order)
	for again := true; again; {
		again = false
		for _, b := range s.order {
			if !dirty[b] {
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
		if h != nil && h.written[k] && h.seen > 0 {
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
		return false
	}
	s.f.in[b] = now
	return true
}

// arriving joins the states of the edges into a block; nil when there is none.
func (s *solver) arriving(b int) state {
	var out state
	if b == 0 {
		out = make(state, len(s.f.cells))
		for k := range out {
			out[k] = s.f.startOf(&s.f.cells[k])
		}
	}
	h := s.heads[b]
	entered := slices.Clone(out)
	for _, e := range s.into[b] {
		from := s.edges[e].state
		if from == nil {
			continue
		}
		out = out.join(from)
		if h != nil && !h.loop.Has(s.edges[e].from) {
			entered = entered.join(from)
		}
	}
	if h != nil && entered != nil {
		for k := range out {
			if !h.written[k] {
				out[k] = entered[k]
			}
		}
	}
	return out
}

func (s state) join(t state) state {
	if s == nil {
		return slices.Clone(t)
	}
	for k := range s {
		s[k] = s[k].Join(t[k])
	}
	return s
}

// leave carries a block's state to its edges and returns those that changed.
func (s *solver) leave(b int) []int {
	m := s.m
	m.run(b, s.f.in[b], s.f.code.Code.First[b+1])
	at := slices.Clone(m.cells)
	var changed []int
	for _, e := range s.out[b] {
		copy(m.cells, at)
		passes := true
		for _, t := range s.edges[e].tests {
			passes = passes && m.require(t.of, t.within)
		}
		old := s.edges[e].state
		switch {
		case !passes:
			s.edges[e].state = nil
		case old == nil || !old.equal(m.cells):
			s.edges[e].state = slices.Clone(m.cells)
		default:
			continue
		}
		if passes || old != nil {
			changed = append(changed, e)
		}
	}
	return changed
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
		s.f.in[b] = now
		if now == nil {
			for _, e := range s.out[b] {
				s.edges[e].state = nil
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

// addEdges lists the ways out of a block.
func (s *solver) addEdges(b int, g *cfg.Graph, relays []int) {
	for _, way := range s.waysOut(b, g) {
		s.addEdge(way)
		relay := relays[way.to]
		if relay < 0 {
			continue
		}
		left, _ := s.leftIn(b, relay)
		for _, on := range s.waysOut(way.to, g) {
			truth := on.tests[0].within
			s.addEdge(edge{from: b, to: on.to, tests: append(slices.Clone(way.tests), test{left, truth})})
		}
	}
}

func (s *solver) addEdge(e edge) {
	n := len(s.edges)
	s.edges = append(s.edges, e)
	s.out[e.from] = append(s.out[e.from], n)
	s.into[e.to] = append(s.into[e.to], n)
}

// waysOut are the edges of a block's terminator with their tests.
func (s *solver) waysOut(b int, g *cfg.Graph) []edge {
	t := &s.f.items[s.f.code.Code.Terminator(b)]
	switch t.Code {
	case op.Branch:
		if yes, no := t.Targets[0], t.Targets[1]; yes != no {
			return []edge{{from: b, to: yes, tests: []test{{t.args[0], Exactly(1)}}}, {from: b, to: no, tests: []test{{t.args[0], Exactly(0)}}}}
		}
	case op.Switch:
		if t.args[0].width == 0 {
			break
		}
		within := make(map[int]Interval, len(t.Targets))
		for k, to := range t.Targets[:len(t.Targets)-1] {
			x := t.args[k+1].constant
			if old, ok := within[to]; ok {
				x = x.Join(old)
			}
			within[to] = x
		}
		within[t.Targets[len(t.Targets)-1]] = Full(t.args[0].width)
		var out []edge
		for _, to := range g.Succs[b] {
			out = append(out, edge{from: b, to: to, tests: []test{{t.args[0], within[to]}}})
		}
		return out
	}
	var out []edge
	for _, to := range g.Succs[b] {
		out = append(out, edge{from: b, to: to})
	}
	return out
}

// findRelays finds the blocks that do nothing but branch on a truth that every
// predecessor left in a slot, and gives that slot's cell; -1 for other blocks.
func (s *solver) findRelays(g *cfg.Graph) []int {
	out := make([]int, g.Len())
	for b := range out {
		out[b] = s.relay(b, g)
	}
	return out
}

func (s *solver) relay(b int, g *cfg.Graph) int {
	first, t := s.f.code.Code.First[b], s.f.code.Code.Terminator(b)
	term := &s.f.items[t]
	if term.Code != op.Branch || t != first+1 || s.heads[b] != nil || b == 0 || term.Targets[0] == term.Targets[1] {
		return -1
	}
	load := &s.f.items[first]
	if !load.loads() || load.width != 1 || term.args[0].item != first {
		return -1
	}
	for _, p := range g.Preds[b] {
		if _, ok := s.leftIn(p, load.cell); !ok || p == b {
			return -1
		}
	}
	return load.cell
}

// leftIn is what a block stores in a cell last.
func (s *solver) leftIn(b, cell int) (operand, bool) {
	for i := s.f.code.Code.Terminator(b) - 1; i >= s.f.code.Code.First[b]; i-- {
		o := &s.f.items[i]
		if o.stores() && o.cell == cell {
			return o.args[1], true
		}
		if slices.Contains(o.clobbers, cell) {
			return operand{}, false
		}
	}
	return operand{}, false
}
