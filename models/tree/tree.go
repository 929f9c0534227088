package tree

import (
	"errors"
	"fmt"
	"math"
)

// Decision is how a node reads its feature.
type Decision uint8

const (
	// Numeric sends a row left when its value is at most the threshold.
	Numeric Decision = iota
	// Categorical sends a row left when its value, cut to a whole number, is
	// one of the node's categories.
	Categorical
)

// Missing says which values a numeric node regards as missing.
type Missing uint8

const (
	// MissingNone compares every value; NaN counts as 0.
	MissingNone Missing = iota
	// MissingZero sends 0 and NaN the default way.
	MissingZero
	// MissingNaN sends NaN the default way. Models trained here use only this.
	MissingNaN
)

// zeroWidth is the half width of what LightGBM regards as zero (meta.h,
// kZeroThreshold).
const zeroWidth = 1e-35

// Child points at the next node (0 and up) or, when negative, at the leaf whose
// number is its bitwise complement.
type Child int32

// LeafChild is the Child that stands for a leaf.
func LeafChild(leaf int) Child { return Child(^int32(leaf)) }

// IsLeaf reports whether c points at a leaf.
func (c Child) IsLeaf() bool { return c < 0 }

// Index is the number of the node or of the leaf that c points at.
func (c Child) Index() int {
	if c < 0 {
		return int(^c)
	}
	return int(c)
}

// Node is a split.
type Node struct {
	Feature  int32
	Decision Decision
	// Missing and DefaultLeft say where missing values of a numeric node go. A
	// categorical node sends everything outside Categories right, NaN included.
	Missing     Missing
	DefaultLeft bool
	Threshold   float64
	// Categories is a bitset: bit c%32 of word c/32 is set when category c goes
	// left. Nil for a numeric node.
	Categories  []uint32
	Left, Right Child

	// Gain is the reduction of the training loss by this split, twice over
	// (XGBoost paper, equation 7, without the factor 1/2 and the penalty).
	Gain float64
	// Value is what the node would predict if it were a leaf, Weight the sum of
	// the second derivatives of its training rows and Count their number.
	Value, Weight float64
	Count         int
}

// Leaf is an answer.
type Leaf struct {
	// Value is added to the raw score, in log-odds for a Binary ensemble.
	Value float64
	// Weight is the sum of second derivatives of the training rows here, Count
	// their number.
	Weight float64
	Count  int
}

// Tree is a binary tree: Nodes[0] is the root, and a tree of n leaves has n-1
// nodes. A tree of one leaf has no node.
type Tree struct {
	Nodes  []Node
	Leaves []Leaf
	// Shrinkage is the learning rate already contained in the leaf values.
	Shrinkage float64
}

// Contains reports whether category c is in the bitset.
func Contains(bitset []uint32, c int) bool {
	return c >= 0 && c>>5 < len(bitset) && bitset[c>>5]>>(c&31)&1 == 1
}

// GoesLeft reports where the value x of the node's feature leads.
func (n *Node) GoesLeft(x float64) bool {
	if n.Decision == Categorical {
		// The comparison is false for NaN. Truncation is towards zero, so values
		// above -1 are category 0, as in LightGBM.
		return x > -1 && x < math.MaxInt32 && Contains(n.Categories, int(x))
	}
	if n.Missing == MissingNaN {
		if x != x {
			return n.DefaultLeft
		}
		return x <= n.Threshold
	}
	if x != x {
		x = 0
	}
	if n.Missing == MissingZero && x > -zeroWidth && x <= zeroWidth {
		return n.DefaultLeft
	}
	return x <= n.Threshold
}

// Leaf returns the number of the leaf that row falls into. It panics when row
// is shorter than the number of features, a mistake of the caller.
func (t *Tree) Leaf(row []float64) int {
	if len(t.Nodes) == 0 {
		return 0
	}
	at := Child(0)
	for at >= 0 {
		n := &t.Nodes[at]
		if n.GoesLeft(row[n.Feature]) {
			at = n.Left
		} else {
			at = n.Right
		}
	}
	return int(^at)
}

// Validate checks that t is a tree over the given number of features: every
// node and leaf reached exactly once from the root, all numbers usable.
func (t *Tree) Validate(features int) error {
	if len(t.Leaves) == 0 {
		return errors.New("no leaves")
	}
	if len(t.Nodes) != len(t.Leaves)-1 {
		return fmt.Errorf("%d leaves need %d nodes, there are %d", len(t.Leaves), len(t.Leaves)-1, len(t.Nodes))
	}
	for i := range t.Leaves {
		if !finite(t.Leaves[i].Value) || !finite(t.Leaves[i].Weight) || t.Leaves[i].Count < 0 {
			return fmt.Errorf("leaf %d: value %v, weight %v, count %d", i, t.Leaves[i].Value, t.Leaves[i].Weight, t.Leaves[i].Count)
		}
	}
	if !finite(t.Shrinkage) {
		return fmt.Errorf("shrinkage is %v", t.Shrinkage)
	}
	for i := range t.Nodes {
		if err := t.Nodes[i].validate(features); err != nil {
			return fmt.Errorf("node %d: %w", i, err)
		}
	}
	return t.validateShape()
}

func (n *Node) validate(features int) error {
	switch {
	case n.Feature < 0 || int(n.Feature) >= features:
		return fmt.Errorf("feature %d of %d", n.Feature, features)
	case n.Missing > MissingNaN:
		return fmt.Errorf("unknown missing type %d", n.Missing)
	case n.Decision == Numeric && !finite(n.Threshold):
		return fmt.Errorf("threshold is %v", n.Threshold)
	case n.Decision == Numeric && n.Categories != nil:
		return errors.New("a numeric node with categories")
	case n.Decision > Categorical:
		return fmt.Errorf("unknown decision %d", n.Decision)
	case !finite(n.Value) || !finite(n.Weight) || !finite(n.Gain) || n.Count < 0:
		return fmt.Errorf("value %v, weight %v, gain %v, count %d", n.Value, n.Weight, n.Gain, n.Count)
	}
	if n.Decision == Categorical {
		for _, word := range n.Categories {
			if word != 0 {
				return nil
			}
		}
		return errors.New("a categorical node without categories")
	}
	return nil
}

// validateShape walks from the root. With every index used at most once the
// walk ends, and with all used there is neither a cycle nor an orphan.
func (t *Tree) validateShape() error {
	if len(t.Nodes) == 0 {
		return nil
	}
	nodes, leaves := make([]bool, len(t.Nodes)), make([]bool, len(t.Leaves))
	todo, seen := []Child{0}, 0
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		used := nodes
		if at.IsLeaf() {
			used = leaves
		}
		if at.Index() >= len(used) {
			return fmt.Errorf("child %d is out of range", at)
		}
		if used[at.Index()] {
			return fmt.Errorf("child %d has two parents", at)
		}
		used[at.Index()] = true
		seen++
		if !at.IsLeaf() {
			todo = append(todo, t.Nodes[at].Left, t.Nodes[at].Right)
		}
	}
	if seen != len(nodes)+len(leaves) {
		return fmt.Errorf("only %d of %d nodes and leaves are reached from the root", seen, len(nodes)+len(leaves))
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
