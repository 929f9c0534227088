// Package analysistest gives the tests of the analyses their inputs: compiled C
// and random graphs.
package analysistest

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	llir "github.com/llir/llvm/ir"

	"github.com/winnow-mutants/winnow/analysis/cfg"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// Module compiles C and prepares its functions as mutant/operator does: values
// are named, phis are stack slots.
func Module(t testing.TB, source string) *ir.Module {
	t.Helper()
	tools, err := clang.Find()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(file, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := tools.Compile(context.Background(), file, nil)
	if err != nil {
		t.Fatal(err)
	}
	m, err := ir.Parse("program.ll", text)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range m.Functions() {
		ir.NameLocals(f)
		ir.DemotePhis(f)
	}
	return m
}

// Function compiles C and returns the function of that name.
func Function(t testing.TB, source, name string) *llir.Func {
	t.Helper()
	for _, f := range Module(t, source).Functions() {
		if f.Name() == name {
			return f
		}
	}
	t.Fatalf("no function %s", name)
	return nil
}

// Graph returns a random graph of n blocks, each with at most two successors:
// with loops, irreducible ones among them, endless ones and dead blocks.
func Graph(rng *rand.Rand, n int) *cfg.Graph {
	var edges [][2]int
	for b := range n {
		for range rng.IntN(3) {
			edges = append(edges, [2]int{b, rng.IntN(n)})
		}
	}
	return cfg.FromEdges(n, edges)
}

// Rename returns the same graph with the blocks renumbered; to[b] is the new
// number of b, and to[0] must be 0.
func Rename(g *cfg.Graph, to []int) *cfg.Graph {
	var edges [][2]int
	for b, succs := range g.Succs {
		for _, s := range succs {
			edges = append(edges, [2]int{to[b], to[s]})
		}
	}
	return cfg.FromEdges(g.Len(), edges)
}

// Shuffle returns a random renumbering of n blocks that leaves the entry.
func Shuffle(rng *rand.Rand, n int) []int {
	to := []int{0}
	for _, b := range rng.Perm(n - 1) {
		to = append(to, b+1)
	}
	return to
}
