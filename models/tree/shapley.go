package tree

import (
	"errors"
	"fmt"
)

// Explainer divides the raw score of a row among the features.
//
// It computes the path-dependent Shapley values of Lundberg, Erion and Lee,
// "Consistent Individualized Feature Attribution for Tree Ensembles" (2018),
// Algorithm 2: a feature that is left out is averaged over both branches of its
// splits, by their numbers of training rows. The cost is O(leaves x depth^2) a
// tree. An Explainer holds scratch memory: use one per goroutine.
type Explainer struct {
	ensemble *Ensemble
	bias     float64
	// leftShare is, per tree and node, the share of training rows that goes left.
	leftShare [][]float64
	paths     [][]step // one per depth, so that a branch cannot spoil its sibling's
}

// step is one feature on the way from the root, as in Algorithm 2.
type step struct {
	feature int32
	zero    float64 // share of the paths that pass here when the feature is left out
	one     float64 // 1 when the row's own value passes here, else 0
	weight  float64 // sum of the permutation weights of the subsets of this size
}

// NewExplainer prepares the explanation of e. It fails when e is not valid or
// holds a node without training counts, which a model file may leave out.
func NewExplainer(e *Ensemble) (*Explainer, error) {
	if err := e.Validate(); err != nil {
		return nil, fmt.Errorf("explaining: %w", err)
	}
	x := &Explainer{ensemble: e, leftShare: make([][]float64, len(e.Trees))}
	deepest := 0
	for i := range e.Trees {
		t := &e.Trees[i]
		if len(t.Nodes) == 0 {
			x.bias += t.Leaves[0].Value
			continue
		}
		x.leftShare[i] = make([]float64, len(t.Nodes))
		all, err := t.summarise(0, x.leftShare[i])
		if err != nil {
			return nil, fmt.Errorf("explaining: tree %d: %w", i, err)
		}
		x.bias += all.mean
		deepest = max(deepest, all.depth)
	}
	x.paths = make([][]step, deepest+2)
	for i := range x.paths {
		x.paths[i] = make([]step, deepest+2)
	}
	return x, nil
}

// Bias is the mean raw score over the training rows: what remains when every
// feature is left out.
func (x *Explainer) Bias() float64 { return x.bias }

// Contributions returns what each feature adds to the raw score of row: they and
// Bias sum to Raw(row), up to rounding. It panics when row is shorter than the
// features, a mistake of the caller.
func (x *Explainer) Contributions(row []float64) []float64 {
	out := make([]float64, len(x.ensemble.Features))
	for i := range x.ensemble.Trees {
		t := &x.ensemble.Trees[i]
		if len(t.Nodes) > 0 {
			w := walk{tree: t, leftShare: x.leftShare[i], row: row, out: out, paths: x.paths}
			w.visit(0, 0, 0, step{feature: -1, zero: 1, one: 1})
		}
	}
	return out
}

// errNoCounts is what an unexplained model says.
var errNoCounts = errors.New("no training counts: the model cannot be explained")

// summary is what explaining needs to know of a subtree.
type summary struct {
	rows  float64 // training rows
	mean  float64 // mean leaf value over them
	depth int     // splits on the longest way down
}

// summarise describes the subtree below c, and fills in the share of each
// node's rows that goes left. Rows are summed from the leaves, so that the two
// shares of a node add up to 1 whatever a file claims of its inner nodes.
func (t *Tree) summarise(c Child, leftShare []float64) (summary, error) {
	if c.IsLeaf() {
		leaf := &t.Leaves[c.Index()]
		if leaf.Count <= 0 {
			return summary{}, fmt.Errorf("leaf %d: %w", c.Index(), errNoCounts)
		}
		return summary{rows: float64(leaf.Count), mean: leaf.Value}, nil
	}
	n := &t.Nodes[c]
	left, err := t.summarise(n.Left, leftShare)
	if err != nil {
		return summary{}, err
	}
	right, err := t.summarise(n.Right, leftShare)
	if err != nil {
		return summary{}, err
	}
	all := summary{rows: left.rows + right.rows, depth: max(left.depth, right.depth) + 1}
	leftShare[c] = left.rows / all.rows
	all.mean = left.mean*leftShare[c] + right.mean*(1-leftShare[c])
	return all, nil
}

type walk struct {
	tree      *Tree
	leftShare []float64
	row, out  []float64
	paths     [][]step
}

// visit is RECURSE of Algorithm 2: length is the number of steps on the path
// above, next the step that led to c.
func (w *walk) visit(c Child, depth, length int, next step) {
	path := w.paths[depth]
	if depth > 0 {
		copy(path[:length], w.paths[depth-1][:length])
	}
	// A feature met before is taken off the path and merged into the new step.
	for i := 1; i < length; i++ {
		if path[i].feature == next.feature {
			next.zero *= path[i].zero
			next.one *= path[i].one
			unwind(path[:length], i)
			length--
			break
		}
	}
	extend(path[:length+1], next)
	length++
	if c.IsLeaf() {
		value := w.tree.Leaves[c.Index()].Value
		for i := 1; i < length; i++ {
			s := path[i]
			w.out[s.feature] += unwoundSum(path[:length], i) * (s.one - s.zero) * value
		}
		return
	}
	n := &w.tree.Nodes[c]
	toLeft := step{feature: n.Feature, zero: w.leftShare[c]}
	toRight := step{feature: n.Feature, zero: 1 - w.leftShare[c]}
	if n.GoesLeft(w.row[n.Feature]) {
		toLeft.one = 1
	} else {
		toRight.one = 1
	}
	w.visit(n.Left, depth+1, length, toLeft)
	w.visit(n.Right, depth+1, length, toRight)
}

// extend puts s at the end of the path: EXTEND of Algorithm 2.
func extend(path []step, s step) {
	last := len(path) - 1
	path[last] = s
	if last == 0 {
		path[0].weight = 1
		return
	}
	path[last].weight = 0
	scale := 1 / float64(last+1)
	for i := last - 1; i >= 0; i-- {
		path[i+1].weight += s.one * path[i].weight * float64(i+1) * scale
		path[i].weight *= s.zero * float64(last-i) * scale
	}
}

// unwind takes step i off the path: UNWIND of Algorithm 2. The last element of
// path is left over.
func unwind(path []step, i int) {
	last := len(path) - 1
	one, zero := path[i].one, path[i].zero
	after := path[last].weight
	size := float64(last + 1)
	for j := last - 1; j >= 0; j-- {
		if one != 0 {
			before := path[j].weight
			path[j].weight = after * size / float64(j+1)
			after = before - path[j].weight*zero*float64(last-j)/size
		} else {
			path[j].weight = path[j].weight * size / (zero * float64(last-j))
		}
	}
	for j := i; j < last; j++ {
		path[j].feature, path[j].zero, path[j].one = path[j+1].feature, path[j+1].zero, path[j+1].one
	}
}

// unwoundSum is the sum of the weights that unwind(path, i) would leave.
func unwoundSum(path []step, i int) float64 {
	last := len(path) - 1
	one, zero := path[i].one, path[i].zero
	size := float64(last + 1)
	total := 0.0
	if one == 0 {
		for j := last - 1; j >= 0; j-- {
			total += path[j].weight / float64(last-j)
		}
		return total * size / zero
	}
	after := path[last].weight
	for j := last - 1; j >= 0; j-- {
		w := after * size / float64(j+1)
		total += w
		after = path[j].weight - w*zero*float64(last-j)/size
	}
	return total
}
