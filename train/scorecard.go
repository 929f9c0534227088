package train

import "github.com/winnow-mutants/winnow/models/tree"

// treeWriter writes a function of the bins of one column as a tree.
type treeWriter struct {
	column  int32
	binning *binning
	adds    []float64 // by bin, the last for what is missing
	rows    []int     // likewise, for the counts of the nodes
	gain    float64   // the importance of the column, booked on the root
	tree    tree.Tree
}

// build puts missing values to the right of the root, and halves the bins below.
func (w *treeWriter) build() {
	w.tree.Shrinkage = 1
	last := len(w.adds) - 1
	if last == 0 {
		w.leaf(0)
		return
	}
	at := w.node(tree.Node{Missing: tree.MissingNaN, Threshold: everything}, 0, last+1)
	left := w.halve(0, last)
	right := w.leaf(last)
	w.tree.Nodes[at].Left, w.tree.Nodes[at].Right = left, right
	w.tree.Nodes[0].Gain = w.gain
}

// halve writes bins from to below to.
func (w *treeWriter) halve(from, to int) tree.Child {
	if to-from == 1 {
		return w.leaf(from)
	}
	middle := (from + to) / 2
	at := w.node(tree.Node{Missing: tree.MissingNaN, Threshold: w.binning.upper[middle-1]}, from, to)
	left := w.halve(from, middle)
	right := w.halve(middle, to)
	w.tree.Nodes[at].Left, w.tree.Nodes[at].Right = left, right
	return tree.Child(at)
}

func (w *treeWriter) node(n tree.Node, from, to int) int {
	n.Feature = w.column
	for at := from; at < to; at++ {
		n.Count += w.rows[at]
	}
	w.tree.Nodes = append(w.tree.Nodes, n)
	return len(w.tree.Nodes) - 1
}

func (w *treeWriter) leaf(bin int) tree.Child {
	w.tree.Leaves = append(w.tree.Leaves, tree.Leaf{Value: w.adds[bin], Count: w.rows[bin]})
	return tree.LeafChild(len(w.tree.Leaves) - 1)
}
