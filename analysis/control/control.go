// Package control finds control dependence: which branches decide whether a
// block executes.
//
// A block depends on a branch if the branch has one side from which the block
// is always reached and another from which it may not be (Ferrante, Ottenstein
// and Warren, "The program dependence graph and its use in optimization",
// 1987): for each edge a → s of a branch, every block on the post-dominator
// tree's path from s up to, not including, a's immediate post-dominator.
package control

import (
	"slices"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dominance"
)

// Dependence is the control dependence between a function's blocks.
type Dependence struct {
	// Controls lists, by branching block, the blocks that depend on it;
	// ControlledBy is the reverse. Both are in ascending order. A loop's
	// condition controls itself.
	Controls, ControlledBy [][]int
}

// New computes the control dependence of a graph.
func New(g *cfg.Graph) *Dependence {
	post := dominance.PostDominators(g)
	n := g.Len()
	d := &Dependence{Controls: make([][]int, n), ControlledBy: make([][]int, n)}
	for a := range n {
		if len(g.Succs[a]) < 2 || !post.Has(a) {
			continue
		}
		for _, s := range g.Succs[a] {
			for b := s; b != post.Parent[a] && b != dominance.None && b != post.Root; b = post.Parent[b] {
				d.Controls[a] = append(d.Controls[a], b)
			}
		}
		slices.Sort(d.Controls[a])
		d.Controls[a] = slices.Compact(d.Controls[a])
		for _, b := range d.Controls[a] {
			d.ControlledBy[b] = append(d.ControlledBy[b], a)
		}
	}
	return d
}
