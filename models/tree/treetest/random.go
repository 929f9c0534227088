// Package treetest makes random ensembles and rows, so that the tests of every
// package that handles models can look for counterexamples.
package treetest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Size bounds a random ensemble. Every field must be 1 or more.
type Size struct {
	Features, Trees, Leaves int
}

// Ensemble returns a random valid ensemble: every third feature is categorical,
// all kinds of missing values occur, and the training counts add up.
func Ensemble(rng *rand.Rand, size Size) *tree.Ensemble {
	e := &tree.Ensemble{Objective: tree.Objective(rng.IntN(3))}
	for i := range size.Features {
		f := tree.Feature{Name: fmt.Sprintf("feature %d=%%", i), Min: -rng.Float64(), Max: rng.Float64()}
		if categorical(i) {
			f = tree.Feature{Name: f.Name, Categories: []int{0, 3, 40 + rng.IntN(60)}}
		}
		e.Features = append(e.Features, f)
	}
	for range size.Trees {
		e.Trees = append(e.Trees, randomTree(rng, size))
	}
	return e
}

func categorical(feature int) bool { return feature%3 == 2 }

// randomTree splits random leaves until there are enough of them.
func randomTree(rng *rand.Rand, size Size) tree.Tree {
	t := tree.Tree{Leaves: []tree.Leaf{{Value: rng.NormFloat64(), Weight: rng.Float64(), Count: 1000}}, Shrinkage: rng.Float64()}
	var above []*tree.Child // the child that points at each leaf
	t.Nodes = make([]tree.Node, 0, size.Leaves)
	above = append(above, nil)
	for range rng.IntN(size.Leaves) {
		leaf := rng.IntN(len(t.Leaves))
		rows := t.Leaves[leaf].Count
		if rows < 2 {
			continue
		}
		n := randomNode(rng, size.Features)
		n.Count, n.Left, n.Right = rows, tree.LeafChild(leaf), tree.LeafChild(len(t.Leaves))
		if above[leaf] != nil {
			*above[leaf] = tree.Child(len(t.Nodes))
		}
		t.Nodes = append(t.Nodes, n)
		added := &t.Nodes[len(t.Nodes)-1]
		above[leaf] = &added.Left
		above = append(above, &added.Right)
		left := 1 + rng.IntN(rows-1)
		t.Leaves[leaf].Count = left
		t.Leaves = append(t.Leaves, tree.Leaf{Value: rng.NormFloat64(), Weight: rng.ExpFloat64(), Count: rows - left})
	}
	t.Nodes = slices.Clip(t.Nodes)
	return t
}

func randomNode(rng *rand.Rand, features int) tree.Node {
	n := tree.Node{Feature: int32(rng.IntN(features)), Gain: rng.ExpFloat64(), Value: rng.NormFloat64(), Weight: rng.ExpFloat64()}
	if categorical(int(n.Feature)) {
		n.Decision, n.Missing = tree.Categorical, tree.MissingNaN
		for range 1 + rng.IntN(4) {
			n.Categories = orBits(n.Categories, Bitset(rng.IntN(100)))
		}
		return n
	}
	n.Missing = tree.Missing(rng.IntN(3))
	n.DefaultLeft = rng.IntN(2) == 0
	n.Threshold = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(9)-4))
	return n
}

func orBits(a, b []uint32) []uint32 {
	if len(a) < len(b) {
		a, b = b, a
	}
	for i, word := range b {
		a[i] |= word
	}
	return a
}

// Row returns a random row for e, with missing values, zeros, thresholds hit
// exactly and unheard-of categories.
func Row(rng *rand.Rand, e *tree.Ensemble) []float64 {
	row := make([]float64, len(e.Features))
	for i := range row {
		switch kind := rng.IntN(8); {
		case kind == 0:
			row[i] = math.NaN()
		case kind == 1:
			row[i] = 0
		case categorical(i):
			row[i] = float64(rng.IntN(140) - 10)
		default:
			row[i] = rng.NormFloat64() * math.Pow(10, float64(rng.IntN(9)-4))
		}
	}
	t := &e.Trees[rng.IntN(len(e.Trees))]
	if len(t.Nodes) > 0 {
		n := &t.Nodes[rng.IntN(len(t.Nodes))]
		if n.Decision == tree.Numeric {
			row[n.Feature] = n.Threshold
		}
	}
	return row
}

// Bitset returns the bitset of the given categories, which must not be
// negative.
func Bitset(categories ...int) []uint32 {
	var bits []uint32
	for _, c := range categories {
		for c>>5 >= len(bits) {
			bits = append(bits, 0)
		}
		bits[c>>5] |= 1 << (c & 31)
	}
	return bits
}
