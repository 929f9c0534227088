package train

import (
	"github.com/winnow-mutants/winnow/models/tree"
)

// derivatives are those of the loss at the current scores, per training row.
type derivatives struct {
	first, second []float64
	cells         []cell
	precision     precision
}

// grown is a tree with its leaf values still to be set.
type grown struct {
	tree tree.Tree
	// splits are those of tree.Nodes, by bin; leaves are the rows that reached
	// each of tree.Leaves.
	splits []split
	leaves [][]int32
}

// grower learns one tree: it finds the splits that remove most of the loss. It
// knows neither labels nor losses.
type grower interface {
	// grow splits rows, which it may reorder, on the columns that are allowed.
	grow(rows []int32, d *derivatives, allowed []bool) (*grown, error)
}

// histogramGrower finds splits on binned values.
type histogramGrower struct {
	options *Options
	layout  *layout
	judge   judge
	scratch *scratch
	spare   [][]cell // histograms not in use
	found   []split  // best split per column of the layout
}

func newHistogramGrower(t *table, o *Options) *histogramGrower {
	l := newLayout(t, o.MinLeafSamples, o.Workers)
	return &histogramGrower{options: o, layout: l, judge: newJudge(o), scratch: newScratch(t.rows), found: make([]split, len(l.columns))}
}

// open is a leaf that may still be split.
type open struct {
	rows      []int32
	total     cell
	depth     int
	histogram []cell // nil when the leaf is not to be split
	best      split
	above     *tree.Child // what points at the leaf, nil for the root
}

func (g *histogramGrower) grow(rows []int32, d *derivatives, allowed []bool) (*grown, error) {
	g.judge.precision = d.precision
	root := &open{rows: rows, best: noSplit}
	for _, r := range rows {
		root.total.add(d.cells[r])
	}
	if g.splittable(root) {
		g.layout.restrict(allowed, rows, g.options.Workers)
		root.histogram = g.histogram()
		g.layout.fill(root.histogram, rows, d.cells, root.total, g.options.Workers)
		g.search(root, allowed)
	}
	out := &grown{}
	// Children are set through pointers, so the nodes must not move.
	out.tree.Nodes = make([]tree.Node, 0, g.options.Leaves-1)
	leaves := []*open{root}
	for len(leaves) < g.options.Leaves {
		at := next(leaves)
		if at < 0 {
			break
		}
		left, right := g.split(leaves[at], d, out, at, len(leaves))
		leaves[at] = left
		leaves = append(leaves, right)
		if len(leaves) < g.options.Leaves {
			g.prepare(left, right, d, allowed)
		}
	}
	for _, leaf := range leaves {
		g.release(leaf.histogram)
		out.leaves = append(out.leaves, leaf.rows)
		out.tree.Leaves = append(out.tree.Leaves, tree.Leaf{Weight: g.judge.second(leaf.total), Count: len(leaf.rows)})
	}
	return out, nil
}

// next returns the leaf to split, -1 when none is worth it. Of equals it is the
// first.
func next(leaves []*open) int {
	at := -1
	for i, leaf := range leaves {
		if leaf.best.column >= 0 && (at < 0 || leaf.best.gain > leaves[at].best.gain) {
			at = i
		}
	}
	return at
}

// split carries out the best split of a leaf. The left child keeps the leaf's
// number, the right one gets a new one. The smaller child has no histogram yet,
// the larger one keeps that of the parent.
func (g *histogramGrower) split(leaf *open, d *derivatives, out *grown, number, added int) (left, right *open) {
	s := &leaf.best
	n := g.layout.table.partition(leaf.rows, s.column, &s.goesLeft, g.scratch)
	left = &open{rows: leaf.rows[:n:n], total: s.left, depth: leaf.depth + 1, best: noSplit}
	right = &open{rows: leaf.rows[n:], total: s.right, depth: leaf.depth + 1, best: noSplit}
	larger := left
	if len(left.rows) < len(right.rows) {
		larger = right
	}
	larger.histogram = leaf.histogram

	node := g.layout.table.bins[s.column].node(s)
	node.Left, node.Right = tree.LeafChild(number), tree.LeafChild(added)
	node.Value = g.judge.value(g.judge.first(leaf.total), g.judge.second(leaf.total))
	node.Weight, node.Count = g.judge.second(leaf.total), len(leaf.rows)
	if leaf.above != nil {
		*leaf.above = tree.Child(len(out.tree.Nodes))
	}
	out.tree.Nodes = append(out.tree.Nodes, node)
	out.splits = append(out.splits, *s)
	placed := &out.tree.Nodes[len(out.tree.Nodes)-1]
	left.above, right.above = &placed.Left, &placed.Right
	return left, right
}

// prepare computes the histograms of two siblings, one of them from rows and
// the other as the difference, and searches them.
func (g *histogramGrower) prepare(left, right *open, d *derivatives, allowed []bool) {
	smaller, larger := left, right
	if smaller.histogram != nil {
		smaller, larger = right, left
	}
	if !g.splittable(larger) { // then neither is the smaller one
		g.release(larger.histogram)
		larger.histogram = nil
		return
	}
	smaller.histogram = g.histogram()
	g.layout.fill(smaller.histogram, smaller.rows, d.cells, smaller.total, g.options.Workers)
	subtract(larger.histogram, smaller.histogram)
	g.search(larger, allowed)
	if g.splittable(smaller) {
		g.search(smaller, allowed)
	}
}

// splittable reports whether the bounds on depth and leaf size allow a split.
func (g *histogramGrower) splittable(leaf *open) bool {
	return (g.options.MaxDepth < 0 || leaf.depth < g.options.MaxDepth) && len(leaf.rows) >= 2*g.options.MinLeafSamples
}

// search finds the best split of a leaf; of equals, that of the first column.
func (g *histogramGrower) search(leaf *open, allowed []bool) {
	columns := g.layout.columns
	workers := g.options.Workers
	if g.layout.cells < smallLeaf {
		workers = 1
	}
	chunks := min(workers, len(columns))
	parallel(workers, chunks, func(chunk int) {
		for i := chunk * len(columns) / chunks; i < (chunk+1)*len(columns)/chunks; i++ {
			g.found[i].column = -1
			if allowed[columns[i]] {
				g.found[i] = g.judge.best(columns[i], g.layout.own(leaf.histogram, columns[i]), leaf.total)
			}
		}
	})
	for i := range g.found {
		if g.found[i].column >= 0 && (leaf.best.column < 0 || g.found[i].gain > leaf.best.gain) {
			leaf.best = g.found[i]
		}
	}
}

func (g *histogramGrower) histogram() []cell {
	if n := len(g.spare); n > 0 {
		h := g.spare[n-1]
		g.spare = g.spare[:n-1]
		return h
	}
	return g.layout.newHistogram()
}

func (g *histogramGrower) release(histogram []cell) {
	if histogram != nil {
		g.spare = append(g.spare, histogram)
	}
}

// node translates a split from bins into values.
func (b *binning) node(s *split) tree.Node {
	return tree.Node{Feature: int32(s.column), Missing: tree.MissingNaN, DefaultLeft: s.defaultLeft, Gain: s.gain, Threshold: b.upper[s.bin]}
}
