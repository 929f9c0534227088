package lightgbm

import (
	"strconv"

	"github.com/winnow-mutants/winnow/models/tree"
)

// readTree reads the block of one tree. Arrays are read as long as they are and
// then compared with num_leaves, so a false count allocates nothing. The result
// still has to be validated.
func readTree(b *block) (t tree.Tree, err error) {
	if b.has("is_linear") {
		if linear, err := b.integer("is_linear"); err != nil {
			return t, err
		} else if linear != 0 {
			return t, b.unsupported("is_linear", "linear trees (linear_tree=true): train without them")
		}
	}
	leaves, err := b.integer("num_leaves")
	if err != nil {
		return t, err
	}
	if leaves < 1 {
		return t, b.bad("num_leaves", "expected 1 or more, found %d", leaves)
	}
	t.Shrinkage = 1
	if b.has("shrinkage") {
		if t.Shrinkage, err = b.float("shrinkage"); err != nil {
			return t, err
		}
	}
	if t.Leaves, err = readLeaves(b, leaves); err != nil {
		return t, err
	}
	if leaves > 1 {
		t.Nodes, err = readNodes(b, leaves-1)
	}
	return t, err
}

func readLeaves(b *block, n int) ([]tree.Leaf, error) {
	values, err := array(b, "leaf_value", n, parseFloat)
	if err != nil {
		return nil, err
	}
	weights, err := optional(b, "leaf_weight", n, parseFloat)
	if err != nil {
		return nil, err
	}
	counts, err := optional(b, "leaf_count", n, strconv.Atoi)
	if err != nil {
		return nil, err
	}
	leaves := make([]tree.Leaf, n)
	for i := range leaves {
		leaves[i] = tree.Leaf{Value: values[i], Weight: weights[i], Count: counts[i]}
	}
	return leaves, nil
}

// nodeArrays are the lines of a tree that have one entry per node.
type nodeArrays struct {
	features, decisions, left, right []int
	thresholds, gains, values        []float64
	weights                          []float64
	counts                           []int
}

func readNodeArrays(b *block, n int) (a nodeArrays, err error) {
	for _, field := range []struct {
		key string
		to  *[]int
	}{
		{"split_feature", &a.features}, {"decision_type", &a.decisions},
		{"left_child", &a.left}, {"right_child", &a.right},
	} {
		if *field.to, err = array(b, field.key, n, parseInt32); err != nil {
			return a, err
		}
	}
	if a.thresholds, err = array(b, "threshold", n, parseFloat); err != nil {
		return a, err
	}
	for _, field := range []struct {
		key string
		to  *[]float64
	}{
		{"split_gain", &a.gains}, {"internal_value", &a.values}, {"internal_weight", &a.weights},
	} {
		if *field.to, err = optional(b, field.key, n, parseFloat); err != nil {
			return a, err
		}
	}
	a.counts, err = optional(b, "internal_count", n, strconv.Atoi)
	return a, err
}

func readNodes(b *block, n int) ([]tree.Node, error) {
	a, err := readNodeArrays(b, n)
	if err != nil {
		return nil, err
	}
	sets, err := readCategories(b)
	if err != nil {
		return nil, err
	}
	nodes := make([]tree.Node, n)
	for i := range nodes {
		d := a.decisions[i]
		node := tree.Node{
			Feature: int32(a.features[i]),
			Missing: tree.Missing(d >> missingShift & 3), DefaultLeft: d&defaultLeftBit != 0,
			Left: tree.Child(a.left[i]), Right: tree.Child(a.right[i]),
			Gain: a.gains[i], Value: a.values[i], Weight: a.weights[i], Count: a.counts[i],
		}
		if d < 0 || d >= 4<<missingShift {
			return nil, b.bad("decision_type", "node %d: expected 0 to 15, found %d", i, d)
		}
		if d&categoricalBit == 0 {
			node.Threshold = a.thresholds[i]
		} else {
			set := int(a.thresholds[i])
			if float64(set) != a.thresholds[i] || set < 0 || set >= len(sets) {
				return nil, b.bad("threshold", "node %d: expected the number of one of %d sets of categories, found %v", i, len(sets), a.thresholds[i])
			}
			node.Decision, node.Categories = tree.Categorical, sets[set]
		}
		nodes[i] = node
	}
	return nodes, nil
}

// readCategories returns the bitsets of a tree, in the order of their numbers.
func readCategories(b *block) ([][]uint32, error) {
	n, err := b.integer("num_cat")
	if err != nil || n == 0 {
		return nil, err
	}
	if n < 0 {
		return nil, b.bad("num_cat", "expected 0 or more, found %d", n)
	}
	bounds, err := array(b, "cat_boundaries", -1, parseInt32)
	if err != nil {
		return nil, err
	}
	if len(bounds)-1 != n {
		return nil, b.bad("cat_boundaries", "expected %d entries (num_cat=%d), found %d", n+1, n, len(bounds))
	}
	words, err := array(b, "cat_threshold", -1, parseUint32)
	if err != nil {
		return nil, err
	}
	sets := make([][]uint32, n)
	for i := range sets {
		from, to := bounds[i], bounds[i+1]
		if from < 0 || to < from || to > len(words) {
			return nil, b.bad("cat_boundaries", "entry %d: expected a range within 0 to %d, found %d to %d", i, len(words), from, to)
		}
		sets[i] = words[from:to:to]
	}
	return sets, nil
}

func parseFloat(s string) (float64, error) { return strconv.ParseFloat(s, 64) }

func parseInt32(s string) (int, error) {
	x, err := strconv.ParseInt(s, 10, 32)
	return int(x), err
}

func parseUint32(s string) (uint32, error) {
	x, err := strconv.ParseUint(s, 10, 32)
	return uint32(x), err
}
