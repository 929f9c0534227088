// Package dominance finds the dominators and post-dominators of blocks.
//
// The method is that of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance
// Algorithm", 2001): passes over the blocks in reverse postorder that intersect
// the dominators of predecessors. C without goto settles in two passes.
//
// Post-dominators are the dominators of the reversed graph from a virtual exit
// that follows every block without successors. A region that control never
// leaves again (an endless loop) is joined to the exit by one edge, from the
// last of its blocks in reverse postorder: its latch, as a rule. So every
// reachable block has a post-dominator.
package dominance

import (
	"slices"

	"github.com/winnow-mutants/winnow/analysis/cfg"
)

// None is the immediate dominator of a root and of unreachable blocks.
const None = -1

// Tree is a dominator tree, or a post-dominator tree.
type Tree struct {
	// Immediate is the immediate (post-)dominator of each block, None for the
	// root and for blocks that the entry does not reach. In a post-dominator
	// tree it may be Exit.
	Immediate []int
	// Exit is the number of the virtual exit, the number of blocks; None in a
	// dominator tree.
	Exit int

	enter, leave []int // preorder interval of each block in the tree
}

// Dominators returns the dominator tree of a graph.
func Dominators(g *cfg.Graph) *Tree {
	if g.Len() == 0 {
		return &Tree{Exit: None}
	}
	t := &Tree{Exit: None, Immediate: immediate(g.ReversePostorder(), g.Preds)}
	t.number(0)
	return t
}

// PostDominators returns the post-dominator tree of a graph.
func PostDominators(g *cfg.Graph) *Tree {
	n := g.Len()
	if n == 0 {
		return &Tree{Exit: 0}
	}
	ends := ends(g)
	edges := make([][2]int, 0, 2*n)
	for _, b := range ends {
		edges = append(edges, [2]int{0, b + 1})
	}
	order := g.ReversePostorder()
	for _, b := range order {
		for _, s := range g.Succs[b] {
			edges = append(edges, [2]int{s + 1, b + 1})
		}
	}
	reversed := cfg.FromEdges(n+1, edges) // the exit is 0, block b is b+1
	found := immediate(reversed.ReversePostorder(), reversed.Preds)
	t := &Tree{Exit: n, Immediate: make([]int, n+1)}
	t.Immediate[n] = None
	for b := range n {
		switch d := found[b+1]; d {
		case None:
			t.Immediate[b] = None
		case 0:
			t.Immediate[b] = n
		default:
			t.Immediate[b] = d - 1
		}
	}
	t.number(n)
	return t
}

// immediate computes immediate dominators from a reverse postorder of the
// reachable blocks, whose first is the root.
func immediate(order []int, preds [][]int) []int {
	place := make([]int, len(preds)) // in order; -1 when unreachable
	idom := make([]int, len(preds))
	for b := range idom {
		place[b], idom[b] = -1, None
	}
	for i, b := range order {
		place[b] = i
	}
	root := order[0]
	idom[root] = root
	for changed := true; changed; {
		changed = false
		for _, b := range order[1:] {
			best := None
			for _, p := range preds[b] {
				switch {
				case idom[p] == None: // unreachable, or not yet seen
				case best == None:
					best = p
				default:
					best = intersect(idom, place, best, p)
				}
			}
			if idom[b] != best {
				idom[b], changed = best, true
			}
		}
	}
	idom[root] = None
	return idom
}

func intersect(idom, place []int, a, b int) int {
	for a != b {
		for place[a] > place[b] {
			a = idom[a]
		}
		for place[b] > place[a] {
			b = idom[b]
		}
	}
	return a
}

// ends lists the reachable blocks that lead to the virtual exit.
func ends(g *cfg.Graph) []int {
	order := g.ReversePostorder()
	reachable := make([]bool, g.Len())
	for _, b := range order {
		reachable[b] = true
	}
	leads := make([]bool, g.Len()) // reaches the exit
	var out []int
	join := func(b int) {
		out = append(out, b)
		leads[b] = true
		for stack := []int{b}; len(stack) > 0; {
			b := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, p := range g.Preds[b] {
				if reachable[p] && !leads[p] {
					leads[p] = true
					stack = append(stack, p)
				}
			}
		}
	}
	for _, b := range order {
		if len(g.Succs[b]) == 0 {
			join(b)
		}
	}
	// What is left cannot reach the exit. The components of it that control
	// never leaves come last in some order of the components; joining the last
	// block of a component to the exit covers everything that leads to it.
	component := components(g)
	for i := len(order) - 1; i >= 0; i-- {
		if b := order[i]; !leads[b] && component.final[component.of[b]] {
			join(b)
		}
	}
	slices.Sort(out)
	return out
}
