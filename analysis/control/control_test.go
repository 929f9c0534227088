package control_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/control"
	"github.com/winnow-mutants/winnow/analysis/dominance"
)

func TestAWhileControlsItsBodyAndItself(t *testing.T) {
	g := cfg.FromEdges(4, [][2]int{{0, 1}, {1, 2}, {1, 3}, {2, 1}})
	d := control.Of(g, dominance.PostDominators(g))
	if want := []int{1, 2}; !slices.Equal(d.Controlled[1], want) {
		t.Errorf("the condition controls %v, want %v", d.Controlled[1], want)
	}
	if d.Controllers[3] != nil || d.Controllers[0] != nil {
		t.Errorf("entry and exit are controlled by %v and %v", d.Controllers[0], d.Controllers[3])
	}
}

// TestControlDependenceIsItsDefinition: b depends on a if one successor of a is
// always followed by b, and a itself is not (b == a aside, which asks for a way
// out of a that misses it).
func TestControlDependenceIsItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	pairs := 0
	for range 600 {
		g := analysistest.Graph(rng, 1+rng.IntN(9))
		post := dominance.PostDominators(g)
		d := control.Of(g, post)
		for a := range g.Len() {
			for b := range g.Len() {
				want := false
				for _, s := range g.Succs[a] {
					strictly := a != b && post.Has(b, a)
					want = want || len(g.Succs[a]) > 1 && post.Has(b, s) && !strictly && post.Has(a, a)
				}
				if want {
					pairs++
				}
				if slices.Contains(d.Controlled[a], b) != want || slices.Contains(d.Controllers[b], a) != want {
					t.Fatalf("%v: %d controls %d: %v, want %v", g.Succs, a, b, !want, want)
				}
			}
		}
	}
	if pairs < 500 {
		t.Errorf("only %d dependences in all graphs", pairs)
	}
}
