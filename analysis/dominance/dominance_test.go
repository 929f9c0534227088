package dominance_test

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dominance"
)

// reach returns what start reaches without passing the block without.
func reach(next [][]int, start, without int) []bool {
	seen := make([]bool, len(next))
	if start == without {
		return seen
	}
	seen[start] = true
	for stack := []int{start}; len(stack) > 0; {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range next[b] {
			if s != without && !seen[s] {
				seen[s] = true
				stack = append(stack, s)
			}
		}
	}
	return seen
}

func TestABlockDominatesWhatTheEntryDoesNotReachWithoutIt(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 500 {
		g := analysistest.Graph(rng, 1+rng.IntN(10))
		tree := dominance.Dominators(g)
		all := reach(g.Succs, 0, -1)
		for a := range g.Len() {
			without := reach(g.Succs, 0, a)
			for b := range g.Len() {
				if got, want := tree.Has(a, b), all[a] && all[b] && !without[b]; got != want {
					t.Fatalf("%v: %d dominates %d: %v, want %v", g.Succs, a, b, got, want)
				}
			}
		}
	}
}

// withExit adds the virtual exit to the successors, and the edges to it that
// the tree's answers imply cannot be checked without: those of blocks without
// successors.
func withExit(g *cfg.Graph) (succs [][]int, endless bool) {
	exit := g.Len()
	for _, s := range g.Succs {
		if len(s) == 0 {
			s = []int{exit}
		}
		succs = append(succs, s)
	}
	succs = append(succs, nil)
	for b, reachable := range reach(g.Succs, 0, -1) {
		if reachable && !reach(succs, b, -1)[exit] {
			endless = true
		}
	}
	return succs, endless
}

func TestABlockPostDominatesWhatDoesNotReachTheExitWithoutIt(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	checked := 0
	for range 800 {
		g := analysistest.Graph(rng, 1+rng.IntN(10))
		succs, endless := withExit(g)
		if endless {
			continue
		}
		checked++
		tree := dominance.PostDominators(g)
		reachable := reach(g.Succs, 0, -1)
		for a := range g.Len() {
			for b := range g.Len() {
				want := reachable[a] && reachable[b] && (a == b || !reach(succs, b, a)[g.Len()])
				if got := tree.Has(a, b); got != want {
					t.Fatalf("%v: %d post-dominates %d: %v, want %v", g.Succs, a, b, got, want)
				}
			}
		}
	}
	if checked < 100 {
		t.Errorf("only %d graphs could be checked", checked)
	}
}

func TestEveryReachableBlockOfAnEndlessProgramHasAPostDominator(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	endlessSeen := 0
	for range 800 {
		g := analysistest.Graph(rng, 1+rng.IntN(10))
		if _, endless := withExit(g); endless {
			endlessSeen++
		}
		tree := dominance.PostDominators(g)
		for b, reachable := range reach(g.Succs, 0, -1) {
			if got := tree.Immediate[b] != dominance.None; got != reachable {
				t.Fatalf("%v: block %d: reachable %v, has a post-dominator %v", g.Succs, b, reachable, got)
			}
			if reachable && !tree.Has(tree.Exit, b) {
				t.Fatalf("%v: the exit does not post-dominate %d", g.Succs, b)
			}
		}
	}
	if endlessSeen < 50 {
		t.Errorf("only %d endless graphs", endlessSeen)
	}
}

func TestRenumberingBlocksRenumbersTheTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for range 300 {
		g := analysistest.Graph(rng, 2+rng.IntN(10))
		to := analysistest.Shuffle(rng, g.Len())
		h := analysistest.Rename(g, to)
		for name, tree := range map[string]func(*cfg.Graph) *dominance.Tree{
			"dominators": dominance.Dominators, "post-dominators": dominance.PostDominators} {
			before, after := tree(g), tree(h)
			for a := range g.Len() {
				for b := range g.Len() {
					if before.Has(a, b) != after.Has(to[a], to[b]) {
						t.Fatalf("%s of %v: %d over %d changed by renumbering %v", name, g.Succs, a, b, to)
					}
				}
			}
		}
	}
}
