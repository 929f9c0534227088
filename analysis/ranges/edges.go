package ranges

import (
	"slices"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/op"
)

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
	return waysOut(b, &s.f.items[s.f.code.Code.Terminator(b)], g.Len())
}

// waysOut are those of a terminator that ends a block of so many.
func waysOut(b int, t *item, blocks int) []edge {
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
		for _, to := range distinct(t.Targets, blocks) {
			out = append(out, edge{from: b, to: to, tests: []test{{t.args[0], within[to]}}})
		}
		return out
	}
	var out []edge
	for _, to := range distinct(t.Targets, blocks) {
		out = append(out, edge{from: b, to: to})
	}
	return out
}

// distinct are the blocks of a function among some, each once.
func distinct(targets []int, blocks int) []int {
	var out []int
	for _, to := range targets {
		if to < blocks && !slices.Contains(out, to) {
			out = append(out, to)
		}
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
