// Package cfg is the control-flow graph of a function, by block numbers.
//
// Blocks are numbered from 0 in the order of the function, the entry being 0,
// so that analyses can keep what they find in slices. Parallel edges (a switch
// with two cases of one target) are one edge. Everything here depends on edges
// and on their order in the terminator, never on names or on the layout of the
// blocks, and takes time linear in blocks and edges.
package cfg

import (
	"fmt"
	"slices"

	llir "github.com/llir/llvm/ir"
)

// Graph is a control-flow graph whose entry is block 0.
type Graph struct {
	// Blocks are the function's blocks by number; nil in a graph made by
	// FromEdges.
	Blocks []*llir.Block
	// Succs and Preds are the distinct successors (in the order of the
	// terminator) and predecessors (by number) of each block.
	Succs, Preds [][]int

	number map[*llir.Block]int
}

// New returns the graph of a function with a body.
func New(f *llir.Func) *Graph {
	g := &Graph{Blocks: f.Blocks, number: make(map[*llir.Block]int, len(f.Blocks))}
	for i, b := range f.Blocks {
		g.number[b] = i
	}
	g.Succs = make([][]int, len(f.Blocks))
	for i, b := range f.Blocks {
		for _, s := range b.Term.Succs() {
			if to, ok := g.number[s]; ok && !slices.Contains(g.Succs[i], to) {
				g.Succs[i] = append(g.Succs[i], to)
			}
		}
	}
	g.fillPreds()
	return g
}

// FromEdges returns the graph of n blocks with the given edges, in order. It
// panics on a block that is not in 0..n-1, which is a mistake of the caller.
func FromEdges(n int, edges [][2]int) *Graph {
	g := &Graph{Succs: make([][]int, n)}
	for _, e := range edges {
		if e[0] < 0 || e[0] >= n || e[1] < 0 || e[1] >= n {
			panic(fmt.Sprintf("cfg.FromEdges: edge %v in a graph of %d blocks", e, n))
		}
		if !slices.Contains(g.Succs[e[0]], e[1]) {
			g.Succs[e[0]] = append(g.Succs[e[0]], e[1])
		}
	}
	g.fillPreds()
	return g
}

func (g *Graph) fillPreds() {
	g.Preds = make([][]int, len(g.Succs))
	for from, succs := range g.Succs {
		for _, to := range succs {
			g.Preds[to] = append(g.Preds[to], from)
		}
	}
}

// Len is the number of blocks.
func (g *Graph) Len() int { return len(g.Succs) }

// Number returns the number of a block of the function; false for another
// function's block.
func (g *Graph) Number(b *llir.Block) (int, bool) {
	i, ok := g.number[b]
	return i, ok
}

// Depths returns for each block the least number of edges on a path from the
// entry, which has 0; -1 for blocks that no path reaches. This is CfgDepth of
// the dissertation, table 6.1.
func (g *Graph) Depths() []int {
	depth := make([]int, g.Len())
	for i := range depth {
		depth[i] = -1
	}
	if g.Len() == 0 {
		return depth
	}
	depth[0] = 0
	queue := []int{0}
	for len(queue) > 0 {
		b := queue[0]
		queue = queue[1:]
		for _, s := range g.Succs[b] {
			if depth[s] < 0 {
				depth[s] = depth[b] + 1
				queue = append(queue, s)
			}
		}
	}
	return depth
}

// Search is a depth-first search from the entry.
type Search struct {
	// Postorder lists the reachable blocks, each after all that the search
	// reached from it.
	Postorder []int
	// Retreating are the edges to a block whose visit had not ended: each
	// closes a cycle, and every cycle has one. In a reducible graph they are
	// the back edges, whatever the order of the search.
	Retreating [][2]int
}

// Search visits the successors of each block in order.
func (g *Graph) Search() Search {
	var s Search
	if g.Len() == 0 {
		return s
	}
	const fresh, open, done = 0, 1, 2
	state := make([]byte, g.Len())
	next := make([]int, g.Len())
	stack := []int{0}
	state[0] = open
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		if next[b] == len(g.Succs[b]) {
			state[b] = done
			s.Postorder = append(s.Postorder, b)
			stack = stack[:len(stack)-1]
			continue
		}
		to := g.Succs[b][next[b]]
		next[b]++
		switch state[to] {
		case fresh:
			state[to] = open
			stack = append(stack, to)
		case open:
			s.Retreating = append(s.Retreating, [2]int{b, to})
		}
	}
	return s
}

// ReversePostorder lists the reachable blocks so that, cycles apart, each comes
// after its predecessors.
func (g *Graph) ReversePostorder() []int {
	order := g.Search().Postorder
	slices.Reverse(order)
	return order
}
