package foreign

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/dmitryikh/leaves"
)

// xgModel is what both formats of XGBoost hold, as far as scoring needs it.
type xgModel struct {
	objective string
	booster   string
	classes   int
	// base is the score before the first tree, in log-odds.
	base     float32
	features int
	names    []string // nil where the file does not say
	trees    [][]xgNode
}

// xgNode is a node of a tree; the first is the root. A leaf has no children, and its
// value is what it adds; else it is the threshold, from which on rows go right.
type xgNode struct {
	left, right int32 // -1: a leaf
	feature     uint32
	defaultLeft bool
	value       float32
}

func (n *xgNode) leaf() bool { return n.left == -1 }

// readXGBoost reads, checks and writes anew what leaves is to score by.
func readXGBoost(text []byte, parse func([]byte) (*xgModel, error)) (*Model, error) {
	x, err := parse(text)
	if err != nil {
		return nil, err
	}
	if err := x.validate(); err != nil {
		return nil, err
	}
	scorer, err := leaves.XGEnsembleFromReader(bufio.NewReader(bytes.NewReader(x.encode())), true)
	if err != nil {
		return nil, fmt.Errorf("leaves: %w", err)
	}
	return &Model{Tool: "XGBoost", Columns: x.names, leaves: scorer, width: x.features, round: true}, nil
}

// maxFeatures bounds the columns of a model.
const maxFeatures = 1 << 20

// validate refuses what leaves would score wrongly, or never be done with.
func (x *xgModel) validate() error {
	switch {
	case x.booster != "gbtree":
		return fmt.Errorf("%w: booster %q; train it with booster=gbtree", ErrUnsupported, x.booster)
	case x.objective != "binary:logistic" && x.objective != "reg:logistic":
		return fmt.Errorf("%w: objective %q predicts no probability; train it with objective=binary:logistic", ErrUnsupported, x.objective)
	case x.classes > 1:
		return fmt.Errorf("%w: %d classes", ErrUnsupported, x.classes)
	case x.features < 1 || x.features > maxFeatures || x.names != nil && len(x.names) != x.features:
		return fmt.Errorf("%d features, of which %d have names", x.features, len(x.names))
	case len(x.trees) == 0:
		return errors.New("there are no trees")
	case !finite(x.base):
		return fmt.Errorf("the first score is %v", x.base)
	}
	for i, nodes := range x.trees {
		if err := checkTree(nodes, x.features); err != nil {
			return fmt.Errorf("tree %d: %w", i, err)
		}
	}
	return nil
}

// checkTree goes from the root to all leaves, and nowhere twice.
func checkTree(nodes []xgNode, features int) error {
	if len(nodes) == 0 {
		return errors.New("it has no root")
	}
	seen := make([]bool, len(nodes))
	for next := []int32{0}; len(next) > 0; {
		at := next[len(next)-1]
		next = next[:len(next)-1]
		if at < 0 || int(at) >= len(nodes) || seen[at] {
			return fmt.Errorf("node %d is not there, or reached twice", at)
		}
		seen[at] = true
		n := &nodes[at]
		switch {
		case !finite(n.value):
			return fmt.Errorf("node %d has the value %v", at, n.value)
		case n.leaf():
		case int64(n.feature) >= int64(features):
			return fmt.Errorf("node %d reads feature %d of %d", at, n.feature, features)
		default:
			next = append(next, n.left, n.right)
		}
	}
	return nil
}

func finite(x float32) bool { return !math.IsNaN(float64(x)) && !math.IsInf(float64(x), 0) }

// The sizes of XGBoost's structures (learner.cc, gbtree_model.h, tree_model.h): numbers
// of 32 bits each, most of them reserved.
const (
	learnerWords = 34
	modelWords   = 40
	treeWords    = 37
	nodeWords    = 5
	statWords    = 4
)

// encode writes the model in the binary form of before 1.0, which leaves reads. Values
// below a threshold go left, which leaves takes for those up to it.
func (x *xgModel) encode() []byte {
	var out []byte
	word := func(words ...uint32) {
		for _, w := range words {
			out = binary.LittleEndian.AppendUint32(out, w)
		}
	}
	padded := func(size int, words ...uint32) { word(append(words, make([]uint32, size-len(words))...)...) }
	text := func(s string) {
		out = binary.LittleEndian.AppendUint64(out, uint64(len(s)))
		out = append(out, s...)
	}
	padded(learnerWords, math.Float32bits(x.base), uint32(x.features))
	text("binary:logistic")
	text("gbtree")
	padded(modelWords, uint32(len(x.trees)), 1, uint32(x.features), 0, 0, 0, 1)
	for _, nodes := range x.trees {
		padded(treeWords, 1, uint32(len(nodes)), 0, 0, uint32(x.features))
		for i := range nodes {
			n := &nodes[i]
			index, value := n.feature, n.value
			if n.defaultLeft {
				index |= 1 << 31
			}
			if !n.leaf() {
				value = math.Nextafter32(value, float32(math.Inf(-1)))
			}
			word(0, uint32(n.left), uint32(n.right), index, math.Float32bits(value))
		}
		word(make([]uint32, statWords*len(nodes))...)
	}
	word(make([]uint32, len(x.trees))...) // each tree's class
	return out
}
