// Package cfg is the control flow graph of a function: who follows whom, how
// far from the entry, and where the loops begin.
//
// Blocks are numbered by their place in the function, so that every analysis
// above can keep its facts in slices. Building a Graph is linear in blocks and
// edges.
package cfg

import (
	llir "github.com/llir/llvm/ir"
)

// Unreachable is the depth of a block that no path from the entry reaches.
const Unreachable = -1

// Graph is the control flow graph of one function. Block 0 is the entry.
type Graph struct {
	Func *llir.Func
	// Succs and Preds are the neighbours of each block, each once, in the
	// order in which terminators name them.
	Succs, Preds [][]int
	// Depth is the least number of edges from the entry, or Unreachable.
	Depth []int
	// Postorder lists the reachable blocks so that, back edges aside, every
	// block comes after those that follow it.
	Postorder []int
	// BackEdges are the edges into a block that a depth-first walk is inside
	// of: every cycle has one.
	BackEdges [][2]int

	number map[*llir.Block]int
}

// New builds the graph of a function with a body.
func New(f *llir.Func) *Graph {
	n := len(f.Blocks)
	g := &Graph{Func: f, Succs: make([][]int, n), Preds: make([][]int, n), Depth: make([]int, n), number: make(map[*llir.Block]int, n)}
	for i, b := range f.Blocks {
		g.number[b] = i
	}
	for i, b := range f.Blocks {
		seen := map[int]bool{}
		for _, s := range b.Term.Succs() {
			k := g.number[s]
			if !seen[k] {
				seen[k] = true
				g.Succs[i] = append(g.Succs[i], k)
				g.Preds[k] = append(g.Preds[k], i)
			}
		}
	}
	g.measureDepth()
	g.walk()
	return g
}

// Number returns a block's place in the function.
func (g *Graph) Number(b *llir.Block) int { return g.number[b] }

// Block returns the block at a place.
func (g *Graph) Block(i int) *llir.Block { return g.Func.Blocks[i] }

// Len is the number of blocks.
func (g *Graph) Len() int { return len(g.Succs) }

// LoopHeaders returns, by block, whether a back edge enters it.
func (g *Graph) LoopHeaders() []bool {
	out := make([]bool, g.Len())
	for _, e := range g.BackEdges {
		out[e[1]] = true
	}
	return out
}

func (g *Graph) measureDepth() {
	for i := range g.Depth {
		g.Depth[i] = Unreachable
	}
	g.Depth[0] = 0
	for queue := []int{0}; len(queue) > 0; queue = queue[1:] {
		b := queue[0]
		for _, s := range g.Succs[b] {
			if g.Depth[s] == Unreachable {
				g.Depth[s] = g.Depth[b] + 1
				queue = append(queue, s)
			}
		}
	}
}

// walk finds the postorder and the back edges without recursion: functions of
// a hundred thousand blocks exist.
func (g *Graph) walk() {
	const outside, inside, done = 0, 1, 2
	state := make([]byte, g.Len())
	next := make([]int, g.Len())
	stack := []int{0}
	state[0] = inside
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		if next[b] == len(g.Succs[b]) {
			state[b] = done
			g.Postorder = append(g.Postorder, b)
			stack = stack[:len(stack)-1]
			continue
		}
		s := g.Succs[b][next[b]]
		next[b]++
		switch state[s] {
		case outside:
			state[s] = inside
			stack = append(stack, s)
		case inside:
			g.BackEdges = append(g.BackEdges, [2]int{b, s})
		}
	}
}
