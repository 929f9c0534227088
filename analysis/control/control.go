// Package control finds control dependence: which blocks run or not according
// to which way a block's terminator goes.
//
// Block b is control-dependent on block a when a has a successor from which b
// is always reached, and another from which it may be missed (Ferrante,
// Ottenstein and Warren, "The Program Dependence Graph", 1987, section 3). A
// loop's condition is control-dependent on itself. The time is linear in the
// number of dependences found.
package control

import (
	"slices"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dominance"
)

// Dependence is the direct control dependence of a graph, by block number, in
// both directions, each list in ascending order.
type Dependence struct {
	// Controlled are the blocks that the terminator of a block controls.
	Controlled [][]int
	// Controllers are the blocks whose terminators control a block.
	Controllers [][]int
}

// Of computes the control dependence of a graph from its post-dominators.
// Unreachable blocks control nothing and are controlled by nothing.
func Of(g *cfg.Graph, post *dominance.Tree) Dependence {
	d := Dependence{Controlled: make([][]int, g.Len()), Controllers: make([][]int, g.Len())}
	mark := make([]int, g.Len()) // last controller that a block was listed under, plus one
	for a := range g.Len() {
		if len(g.Succs[a]) < 2 || post.Immediate[a] == dominance.None {
			continue
		}
		for _, s := range g.Succs[a] {
			// From the successor up to, not including, a's own post-dominator.
			for b := s; b != post.Immediate[a] && b != post.Exit && b != dominance.None; b = post.Immediate[b] {
				if mark[b] == a+1 {
					break
				}
				mark[b] = a + 1
				d.Controlled[a] = append(d.Controlled[a], b)
				d.Controllers[b] = append(d.Controllers[b], a)
			}
		}
		slices.Sort(d.Controlled[a])
	}
	return d
}
