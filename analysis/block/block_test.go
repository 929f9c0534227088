package block_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/analysistest"
	"github.com/winnow-mutants/winnow/analysis/block"
	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/analysis/dominance"
	"github.com/winnow-mutants/winnow/analysis/loop"
)

func classify(g *cfg.Graph) []block.Kind {
	return block.Classify(block.Facts{Graph: g,
		PostDominators: dominance.PostDominators(g), Loops: loop.Of(g, dominance.Dominators(g))})
}

// named pairs the names that clang gives to blocks, which Classify never reads,
// with their kinds.
func named(f *llir.Func) map[string]block.Kind {
	out := map[string]block.Kind{}
	for b, k := range classify(cfg.New(f)) {
		out[f.Blocks[b].Name()] = k
	}
	return out
}

func TestKindsAreTheStatementsThatClangNames(t *testing.T) {
	for _, c := range []struct {
		what, source string
		want         map[string]block.Kind
	}{
		{"while", `int f(int n) { int s = 0; while (n-- > 0) { s += n; } return s; }`, map[string]block.Kind{
			"entry": block.Entry, "while.cond": block.LoopCondition, "while.body": block.LoopBody, "while.end": block.Exit}},
		{"while with &&", `int f(int n, int m) { while (n > 0 && m > 0) { n -= m; } n++; return n; }`, map[string]block.Kind{
			"while.cond": block.LoopCondition, "land.rhs": block.ShortCircuit, "land.end": block.LoopCondition,
			"while.body": block.LoopBody, "while.end": block.Exit}},
		{"for", `int f(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i; } if (s) s = 1; return s; }`, map[string]block.Kind{
			"for.cond": block.LoopCondition, "for.body": block.LoopBody, "for.inc": block.LoopLatch,
			"for.end": block.LoopEnd, "if.then": block.IfThen, "if.end": block.Exit}},
		{"do", `int f(int n) { do { if (n % 3) n--; n--; } while (n > 0); if (n) n = 1; return n; }`, map[string]block.Kind{
			"do.body": block.LoopBody, "do.cond": block.LoopCondition, "do.end": block.LoopEnd,
			"if.then": block.IfThen}},
		{"endless", `int g(void); int f(void) { for (;;) { if (g()) break; g(); } g(); return 1; }`, map[string]block.Kind{
			"for.cond": block.LoopCondition}},
		{"never left", `int g(void); int f(void) { g(); for (;;) { g(); } }`, map[string]block.Kind{
			"for.cond": block.LoopBody}},
		{"if and else", `int f(int a) { int r; if (a > 1) { r = 2; } else { r = 3; } r++; while (r < 9) r++; return r; }`, map[string]block.Kind{
			"if.then": block.IfThen, "if.else": block.IfElse, "if.end": block.Join}},
		{"if with &&", `int f(int a, int b) { int r = 0; if (a > 1 && b > 1 && a > b) { r = 2; } r++; return r; }`, map[string]block.Kind{
			"land.lhs.true": block.ShortCircuit, "land.lhs.true2": block.ShortCircuit, "if.then": block.IfThen}},
		{"if with ||", `int f(int a, int b) { int r = 0; if (a > 1 || b > 1) { r = 2; } else { r = 4; } r++; while (r < 9) r++; return r; }`, map[string]block.Kind{
			"lor.lhs.false": block.ShortCircuit, "if.then": block.IfThen, "if.else": block.IfElse, "if.end": block.Join}},
		{"values", `int f(int a, int b) { int r = a && b; r += a > 1 ? b : 7; while (r < 9) r++; return r; }`, map[string]block.Kind{
			"land.rhs": block.ShortCircuit, "cond.true": block.ConditionalArm, "cond.false": block.ConditionalArm, "cond.end": block.Join}},
		{"switch", `int f(int a) { int r = 0; switch (a) { case 1: r = 3; case 2: r++; break; default: r = 9; } r++; while (r < 9) r++; return r; }`, map[string]block.Kind{
			"sw.bb": block.SwitchCase, "sw.bb1": block.SwitchCase, "sw.default": block.SwitchDefault, "sw.epilog": block.Join}},
		{"switch without default", `int f(int a) { int r = 0; switch (a) { case 1: r = 3; break; case 2: r++; } r++; while (r < 9) r++; return r; }`, map[string]block.Kind{
			"sw.bb": block.SwitchCase, "sw.epilog": block.Join}},
		{"dead code", `int f(int a) { for (;;) { a++; } a--; return a; }`, map[string]block.Kind{"for.cond": block.LoopBody}},
	} {
		f := analysistest.Function(t, c.source, "f")
		got := named(f)
		for name, want := range c.want {
			if kind, ok := got[name]; !ok || kind != want {
				t.Errorf("%s: block %s is %v, want %v; all: %v", c.what, name, kind, want, got)
			}
		}
		before := classify(cfg.New(f))
		for i, b := range f.Blocks {
			b.SetName(fmt.Sprintf("ketthuc%d", i))
		}
		if after := classify(cfg.New(f)); !slices.Equal(before, after) {
			t.Errorf("%s: renaming the blocks changed %v to %v", c.what, before, after)
		}
	}
}

func TestRenumberingBlocksRenumbersTheirKinds(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 1))
	for range 500 {
		g := analysistest.Graph(rng, 2+rng.IntN(10))
		to := analysistest.Shuffle(rng, g.Len())
		before, after := classify(g), classify(analysistest.Rename(g, to))
		for b, kind := range before {
			if after[to[b]] != kind {
				t.Fatalf("%v: block %d is %v, renumbered to %d it is %v", g.Succs, b, kind, to[b], after[to[b]])
			}
		}
	}
}

func TestEveryKindHasANameOfItsOwn(t *testing.T) {
	var seen []string
	for _, k := range block.Kinds() {
		if k.String() == "" || slices.Contains(seen, k.String()) {
			t.Errorf("kind %d is named %q", k, k)
		}
		seen = append(seen, k.String())
	}
}
