package loop_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dominance"
	"github.com/winnow-mutants/winnow/analysis/loop"
)

func nest(g *cfg.Graph) *loop.Nest { return loop.Of(g, dominance.Dominators(g)) }

func TestAForInAForNestsTwoDeep(t *testing.T) {
	n := nest(cfg.New(analysistest.Function(t, `int f(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++)
      s += k;
  return s;
}`, "f")))
	if len(n.Loops) != 2 {
		t.Fatalf("%d loops, want 2", len(n.Loops))
	}
	if !n.Loops[0].Natural || !n.Loops[1].Natural {
		t.Error("a for is no natural loop")
	}
	if got := slices.Max(n.Depth); got != 2 {
		t.Errorf("the deepest block is in %d loops, want 2", got)
	}
	if !n.Loops[1].Has(n.Loops[0].Header) || n.Loops[0].Has(n.Loops[1].Header) {
		t.Error("the smaller loop is not inside the larger")
	}
}

func TestAJumpIntoALoopMakesItIrreducible(t *testing.T) {
	n := nest(cfg.New(analysistest.Function(t, `int f(int n) {
  if (n > 5) goto middle;
top:
  n++;
middle:
  n += 2;
  if (n < 100) goto top;
  return n;
}`, "f")))
	if len(n.Loops) != 1 || n.Loops[0].Natural {
		t.Errorf("loops %+v, want one that is not natural", n.Loops)
	}
}

func TestEveryBlockOfALoopLiesOnACycleWithTheHeader(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 400 {
		g := analysistest.Graph(rng, 1+rng.IntN(10))
		inLoop := make([]bool, g.Len())
		for _, l := range nest(g).Loops {
			for _, b := range l.Blocks {
				inLoop[b] = true
				if !connected(g, b, l.Header) || !connected(g, l.Header, b) {
					t.Fatalf("%v: loop %+v holds %d, which is on no cycle with the header", g.Succs, l, b)
				}
			}
			for _, latch := range l.Latches {
				if !l.Has(latch) {
					t.Fatalf("%v: loop %+v misses its latch", g.Succs, l)
				}
			}
		}
		for b, depth := range g.Depths() {
			if onCycle := connected(g, b, b); depth >= 0 && onCycle && reducible(g) && !inLoop[b] {
				t.Fatalf("%v: block %d is on a cycle but in no loop", g.Succs, b)
			}
		}
	}
}

// connected reports a path of at least one edge.
func connected(g *cfg.Graph, from, to int) bool {
	seen := make([]bool, g.Len())
	for stack := []int{from}; len(stack) > 0; {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, s := range g.Succs[b] {
			if s == to {
				return true
			}
			if !seen[s] {
				seen[s] = true
				stack = append(stack, s)
			}
		}
	}
	return false
}

func reducible(g *cfg.Graph) bool {
	for _, l := range nest(g).Loops {
		if !l.Natural {
			return false
		}
	}
	return true
}
