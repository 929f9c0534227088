package train

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/models/lightgbm"
	"github.com/winnow-mutants/winnow/models/tree"
)

// exactGrower is the slow twin of histogramGrower. It knows no bins, no
// histograms and no partition: it tries every split on the raw values, row by
// row, and shares only the formula for the gain and the order of ties.
type exactGrower struct {
	data    *Data
	columns [][]float64
	cuts    [][]float64 // per column, midpoints of all its values
	table   *table      // to say the split by bin as well, which boosting needs
	options *Options
	judge   judge
}

func newExactGrower(d *Data, t *table, o *Options) *exactGrower {
	g := &exactGrower{data: d, table: t, options: o, judge: newJudge(o)}
	for i := range d.Columns {
		values := make([]float64, d.Rows())
		for at, x := range d.Columns[i].Values {
			if d.Columns[i].sparse() {
				at = int(d.Columns[i].Rows[at])
			}
			values[at] = x
		}
		g.columns = append(g.columns, values)
		distinct := slices.DeleteFunc(slices.Clone(values), math.IsNaN)
		slices.Sort(distinct)
		distinct = slices.Compact(distinct)
		var cuts []float64
		for k := 1; k < len(distinct); k++ {
			cuts = append(cuts, between(distinct[k-1], distinct[k]))
		}
		g.cuts = append(g.cuts, append(cuts, everything))
	}
	return g
}

type exactLeaf struct {
	rows  []int32
	depth int
	node  tree.Node
	gain  float64
	above *tree.Child
}

func (g *exactGrower) grow(rows []int32, d *derivatives, allowed []bool) (*grown, error) {
	g.judge.precision = d.precision
	out := &grown{}
	out.tree.Nodes = make([]tree.Node, 0, g.options.Leaves)
	leaves := []*exactLeaf{g.leaf(rows, 0, d, allowed)}
	for len(leaves) < g.options.Leaves {
		at := -1
		for i, l := range leaves {
			if l.gain > 0 && (at < 0 || l.gain > leaves[at].gain) {
				at = i
			}
		}
		if at < 0 {
			break
		}
		l := leaves[at]
		left, right := g.divide(&l.node, l.rows)
		l.node.Left, l.node.Right = tree.LeafChild(at), tree.LeafChild(len(leaves))
		total := sumCells(l.rows, d)
		l.node.Value = g.judge.value(d.precision.first(total), d.precision.second(total))
		l.node.Weight, l.node.Count = d.precision.second(total), len(l.rows)
		if l.above != nil {
			*l.above = tree.Child(len(out.tree.Nodes))
		}
		out.tree.Nodes = append(out.tree.Nodes, l.node)
		out.splits = append(out.splits, g.byBin(&l.node))
		placed := &out.tree.Nodes[len(out.tree.Nodes)-1]
		leaves[at] = g.leaf(left, l.depth+1, d, allowed)
		leaves = append(leaves, g.leaf(right, l.depth+1, d, allowed))
		leaves[at].above, leaves[len(leaves)-1].above = &placed.Left, &placed.Right
	}
	for _, l := range leaves {
		out.leaves = append(out.leaves, l.rows)
		out.tree.Leaves = append(out.tree.Leaves, tree.Leaf{Count: len(l.rows)})
	}
	return out, nil
}

func sumCells(rows []int32, d *derivatives) (total cell) {
	for _, r := range rows {
		total.add(d.cells[r])
	}
	return total
}

// leaf finds the best split of some rows by trying all.
func (g *exactGrower) leaf(rows []int32, depth int, d *derivatives, allowed []bool) *exactLeaf {
	l := &exactLeaf{rows: rows, depth: depth}
	if g.options.MaxDepth >= 0 && depth >= g.options.MaxDepth {
		return l
	}
	before := g.judge.undivided(sumCells(rows, d))
	for column := range g.columns {
		if !allowed[column] {
			continue
		}
		for _, n := range g.candidates(column, rows) {
			left, right := g.divide(&n, rows)
			if gain, ok := g.judge.gain(sumCells(left, d), sumCells(right, d), before); ok && gain > l.gain {
				l.gain, l.node = gain, n
				l.node.Gain = gain
				if !g.anyMissing(column, rows) {
					l.node.DefaultLeft = len(left) >= len(right)
				}
			}
		}
	}
	return l
}

func (g *exactGrower) candidates(column int, rows []int32) []tree.Node {
	lowest := math.Inf(1)
	for _, r := range rows {
		if x := g.columns[column][r]; x < lowest {
			lowest = x
		}
	}
	var out []tree.Node
	for _, cut := range g.cuts[column] {
		if lowest > cut {
			continue // nothing present on the left: the mirror of a later candidate
		}
		n := tree.Node{Feature: int32(column), Missing: tree.MissingNaN, Threshold: cut}
		out = append(out, n)
		if g.anyMissing(column, rows) {
			n.DefaultLeft = true
			out = append(out, n)
		}
	}
	return out
}

func (g *exactGrower) anyMissing(column int, rows []int32) bool {
	return slices.ContainsFunc(rows, func(r int32) bool { return math.IsNaN(g.columns[column][r]) })
}

// divide sends every row by the rule of package tree.
func (g *exactGrower) divide(n *tree.Node, rows []int32) (left, right []int32) {
	for _, r := range rows {
		if n.GoesLeft(g.columns[n.Feature][r]) {
			left = append(left, r)
		} else {
			right = append(right, r)
		}
	}
	return left, right
}

// byBin says a split by bin, which boosting needs for the rows left out.
func (g *exactGrower) byBin(n *tree.Node) split {
	s := split{column: int(n.Feature)}
	b := &g.table.bins[n.Feature]
	for i := range b.count {
		s.goesLeft[i] = b.upper[i] <= n.Threshold
	}
	s.goesLeft[b.missing()] = n.DefaultLeft
	return s
}

// randomData has few rows, many ties and missing values.
func randomData(rng *rand.Rand) *Data {
	rows := 5 + rng.IntN(60)
	d := &Data{}
	for c := range 1 + rng.IntN(5) {
		values := make([]float64, rows)
		kinds := 2 + rng.IntN(12)
		whole := rng.IntN(3) == 0
		for r := range values {
			switch {
			case rng.IntN(6) == 0:
				values[r] = math.NaN()
			case rng.IntN(2) == 0:
				values[r] = 0
			case whole:
				values[r] = float64(rng.IntN(kinds))
			default:
				values[r] = float64(rng.IntN(kinds)-kinds/2) / 7
			}
		}
		d.Columns = append(d.Columns, Compress(values))
		d.Names = append(d.Names, fmt.Sprint("c", c))
	}
	for range rows {
		d.Labels = append(d.Labels, float64(rng.IntN(2)))
		d.Weights = append(d.Weights, float64(1+rng.IntN(4))/2)
	}
	return d
}

func TestHistogramsFindTheVeryTreesThatTryingEverySplitFinds(t *testing.T) {
	splits := 0
	for seed := range uint64(400) {
		rng := rand.New(rand.NewPCG(13, seed))
		d := randomData(rng)
		o := Options{
			Rounds: 4, LearningRate: 0.3, MinLeafSamples: 1 + rng.IntN(4), MaxDepth: 1 + rng.IntN(4), Leaves: 2 + rng.IntN(10), Seed: seed,
			RowFraction: float64(1+rng.IntN(2)) / 2, L2: float64(rng.IntN(3)), ColumnFraction: float64(1+rng.IntN(2)) / 2, Workers: 1,
		}
		fast, err := Fit(context.Background(), d, o)
		if err != nil {
			t.Fatal(err)
		}
		slow, err := boost(context.Background(), d, o, func(table *table, o *Options) grower { return newExactGrower(d, table, o) })
		if err != nil {
			t.Fatal(err)
		}
		got, want := text(t, fast), text(t, slow)
		if !bytes.Equal(got, want) {
			t.Fatalf("seed %d, %+v:\nhistograms\n%s\nevery split\n%s", seed, o, got, want)
		}
		for _, tr := range fast.Trees {
			splits += len(tr.Nodes)
		}
	}
	if splits < 2000 {
		t.Errorf("only %d splits were compared", splits)
	}
}

func text(t *testing.T, e *tree.Ensemble) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := lightgbm.Write(&b, e); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
