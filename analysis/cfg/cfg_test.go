package cfg_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/cfg"
)

const countdown = `int f(int n) {
  int s = 0;
  while (n-- > 0) s += n;
  return s;
}`

func TestTheConditionOfAWhileIsOneBlockFromTheEntry(t *testing.T) {
	g := cfg.New(analysistest.Function(t, countdown, "f"))
	if got, want := g.Depths(), []int{0, 1, 2, 2}; !slices.Equal(got, want) {
		t.Errorf("depths %v, want %v", got, want)
	}
	if len(g.Preds[1]) != 2 || len(g.Succs[1]) != 2 {
		t.Errorf("the condition has %d predecessors and %d successors, want 2 and 2", len(g.Preds[1]), len(g.Succs[1]))
	}
}

func TestCasesOfOneTargetAreOneEdge(t *testing.T) {
	g := cfg.New(analysistest.Function(t, `int f(int n) {
  switch (n) { case 1: case 2: case 3: return 7; default: return 0; }
}`, "f"))
	if len(g.Succs[0]) != 2 {
		t.Errorf("the switch has successors %v, want two", g.Succs[0])
	}
}

func TestDepthsAgreeWithRelaxingEveryEdge(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		g := analysistest.Graph(rng, 1+rng.IntN(12))
		want := make([]int, g.Len())
		for b := range want {
			want[b] = g.Len() + 1
		}
		want[0] = 0
		for range g.Len() {
			for b, succs := range g.Succs {
				for _, s := range succs {
					want[s] = min(want[s], want[b]+1)
				}
			}
		}
		for b, d := range g.Depths() {
			if d < 0 {
				d = g.Len() + 1
			}
			if d != min(want[b], g.Len()+1) {
				t.Fatalf("%v: depth of %d is %d, want %d", g.Succs, b, d, want[b])
			}
		}
	}
}

func TestWithoutItsRetreatingEdgesAGraphHasNoCycle(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 300 {
		g := analysistest.Graph(rng, 1+rng.IntN(12))
		search := g.Search()
		place := map[int]int{}
		for i, b := range g.ReversePostorder() {
			place[b] = i
		}
		if len(place) != len(search.Postorder) {
			t.Fatalf("%v: postorder %v repeats a block", g.Succs, search.Postorder)
		}
		for b := range place {
			for _, s := range g.Succs[b] {
				forward := place[b] < place[s]
				if retreats := slices.Contains(search.Retreating, [2]int{b, s}); retreats == forward {
					t.Fatalf("%v: edge %d-%d: forward %v, retreating %v", g.Succs, b, s, forward, retreats)
				}
			}
		}
	}
}
