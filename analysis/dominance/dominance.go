// Package dominance says which blocks every path must pass through.
//
// A block dominates another if every path from the entry to it passes through
// the first; it post-dominates another if every path from that to the end of
// the function does. Both are trees, found by the iterative algorithm of
// Cooper, Harvey and Kennedy ("A simple, fast dominance algorithm", 2001),
// which is near-linear on the graphs of real programs.
package dominance

import (
	"github.com/winnow-mutants/winnow/analysis/cfg"
)

// None is the parent of a root, and of a block that is not in the tree.
const None = -1

// Tree is a dominator or post-dominator tree over blocks by number.
type Tree struct {
	// Parent is the immediate dominator of each block, or None.
	Parent []int
	// Root is the number of the tree's root: the entry, or for post-dominators
	// the virtual exit, one past the last block.
	Root int
	// depth is the number of edges from the root; 0 also outside the tree.
	depth []int
	in    []bool
}

// Dominators returns the dominator tree. Blocks that the entry does not reach
// are not in it.
func Dominators(g *cfg.Graph) *Tree {
	n := g.Len()
	return build(n, 0, g.Postorder, g.Preds)
}

// PostDominators returns the post-dominator tree, whose root is a virtual exit
// that follows every block without successor. A part of the function that
// never ends (an endless loop) is given an edge to the exit from the back edge
// that closes it, so that every reachable block has a place in the tree.
func PostDominators(g *cfg.Graph) *Tree {
	n := g.Len()
	exit := n
	succs, preds := make([][]int, n+1), make([][]int, n+1)
	link := func(from, to int) {
		succs[from] = append(succs[from], to)
		preds[to] = append(preds[to], from)
	}
	for b := range n {
		for _, s := range g.Succs[b] {
			link(b, s)
		}
		if len(g.Succs[b]) == 0 {
			link(b, exit)
		}
	}
	reaches := backwards(preds, exit)
	for _, e := range g.BackEdges {
		if !reaches[e[0]] {
			link(e[0], exit)
			reaches = backwards(preds, exit)
		}
	}
	return build(n+1, exit, postorder(preds, exit), succs)
}

// backwards marks the blocks from which the exit is reached.
func backwards(preds [][]int, exit int) []bool {
	seen := make([]bool, len(preds))
	seen[exit] = true
	for todo := []int{exit}; len(todo) > 0; {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range preds[b] {
			if !seen[p] {
				seen[p] = true
				todo = append(todo, p)
			}
		}
	}
	return seen
}

func postorder(next [][]int, root int) []int {
	var out, stack []int
	at := make([]int, len(next))
	seen := make([]bool, len(next))
	stack, seen[root] = []int{root}, true
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		if at[b] == len(next[b]) {
			out = append(out, b)
			stack = stack[:len(stack)-1]
			continue
		}
		s := next[b][at[b]]
		at[b]++
		if !seen[s] {
			seen[s] = true
			stack = append(stack, s)
		}
	}
	return out
}

// build computes the tree; from lists the blocks before each in the direction
// of the walk, order is the walk's postorder from the root.
func build(n, root int, order []int, from [][]int) *Tree {
	t := &Tree{Parent: make([]int, n), Root: root, depth: make([]int, n), in: make([]bool, n)}
	rank := make([]int, n) // place in postorder; the root has the highest
	for i := range t.Parent {
		t.Parent[i], rank[i] = None, -1
	}
	for i, b := range order {
		rank[b], t.in[b] = i, true
	}
	t.Parent[root] = root
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- {
			b := order[i]
			found := None
			for _, p := range from[b] {
				if rank[p] < 0 || t.Parent[p] == None {
					continue
				}
				if found == None {
					found = p
				} else {
					found = meet(t.Parent, rank, p, found)
				}
			}
			if t.Parent[b] != found {
				t.Parent[b], changed = found, true
			}
		}
	}
	t.Parent[root] = None
	for i := len(order) - 2; i >= 0; i-- {
		t.depth[order[i]] = t.depth[t.Parent[order[i]]] + 1
	}
	return t
}

func meet(parent, rank []int, a, b int) int {
	for a != b {
		for rank[a] < rank[b] {
			a = parent[a]
		}
		for rank[b] < rank[a] {
			b = parent[b]
		}
	}
	return a
}

// Has reports whether a block is in the tree.
func (t *Tree) Has(b int) bool { return t.in[b] }

// Dominates reports whether a lies on every path to b (every block dominates
// itself); false when either is not in the tree.
func (t *Tree) Dominates(a, b int) bool {
	if !t.in[a] || !t.in[b] {
		return false
	}
	for t.depth[b] > t.depth[a] {
		b = t.Parent[b]
	}
	return a == b
}
