// Package loop finds the loops of a control-flow graph and how they nest.
//
// A header is the target of a retreating edge of the depth-first search. Where
// it dominates the edge's source, the loop is natural and its blocks are those
// that reach the source without passing the header. Otherwise (goto into a
// loop) the region is irreducible and its blocks are those on a cycle with the
// header that the search saw. Loops with one header are one loop.
package loop

import (
	"cmp"
	"slices"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dominance"
)

// Loop is one loop.
type Loop struct {
	Header int
	// Latches are the sources of the edges back to the header, ascending.
	Latches []int
	// Blocks are all blocks of the loop, the header among them, ascending.
	Blocks []int
	// Natural: the header dominates every latch.
	Natural bool
}

// Nest is the loops of a graph.
type Nest struct {
	// Loops are ordered by size, the smallest first, then by header.
	Loops []Loop
	// Innermost is the number in Loops of the smallest loop that holds a
	// block, -1 for none.
	Innermost []int
	// Depth is the number of loops that hold a block.
	Depth []int
}

// Of finds the loops of a graph. The time is linear in the sum of the loops'
// sizes; an irreducible loop counts as large as all that its header reaches.
func Of(g *cfg.Graph, dominators *dominance.Tree) *Nest {
	latches := map[int][]int{}
	var headers []int
	for _, e := range g.Search().Retreating {
		if latches[e[1]] == nil {
			headers = append(headers, e[1])
		}
		latches[e[1]] = append(latches[e[1]], e[0])
	}
	n := &Nest{Innermost: make([]int, g.Len()), Depth: make([]int, g.Len())}
	for _, h := range headers {
		l := Loop{Header: h, Latches: latches[h], Natural: true}
		slices.Sort(l.Latches)
		for _, latch := range l.Latches {
			l.Natural = l.Natural && dominators.Has(h, latch)
		}
		l.Blocks = body(g, l, dominators)
		n.Loops = append(n.Loops, l)
	}
	slices.SortFunc(n.Loops, func(a, b Loop) int {
		return cmp.Or(cmp.Compare(len(a.Blocks), len(b.Blocks)), cmp.Compare(a.Header, b.Header))
	})
	for b := range n.Innermost {
		n.Innermost[b] = -1
	}
	for i, l := range n.Loops {
		for _, b := range l.Blocks {
			n.Depth[b]++
			if n.Innermost[b] < 0 {
				n.Innermost[b] = i
			}
		}
	}
	return n
}

// Has reports whether a block belongs to the loop.
func (l *Loop) Has(b int) bool {
	_, found := slices.BinarySearch(l.Blocks, b)
	return found
}

// body collects the blocks that reach a latch without passing the header; of an
// irreducible loop, only those that the header reaches. Dead blocks, which may
// jump into a loop, are no part of it.
func body(g *cfg.Graph, l Loop, dominators *dominance.Tree) []int {
	blocks := closure(l.Header, l.Latches, g.Preds)
	if !l.Natural {
		forward := closure(l.Header, g.Succs[l.Header], g.Succs)
		for b := range blocks {
			if !forward[b] {
				delete(blocks, b)
			}
		}
	}
	out := make([]int, 0, len(blocks))
	for b := range blocks {
		if reachable := dominators.Has(b, b); reachable {
			out = append(out, b)
		}
	}
	slices.Sort(out)
	return out
}

// closure returns the header, the start blocks and what these lead to by next,
// not going on from the header.
func closure(header int, start []int, next [][]int) map[int]bool {
	seen := map[int]bool{header: true}
	var stack []int
	visit := func(b int) {
		if !seen[b] {
			seen[b] = true
			stack = append(stack, b)
		}
	}
	for _, b := range start {
		visit(b)
	}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, to := range next[b] {
			visit(to)
		}
	}
	return seen
}
