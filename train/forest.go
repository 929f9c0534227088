package train

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"sort"

	"github.com/sjwhitworth/golearn/base"
	"github.com/sjwhitworth/golearn/trees"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Forest is a random forest of golearn's regression trees.
var Forest = Learner{
	Name: "forest",
	Doc:  "A random forest: decision trees (CART, by golearn), each of rows and columns drawn by chance, averaged.",
	Fit:  fitForest,
}

// golearn weighs a threshold by going through all rows, so that one tree of a whole
// history takes hours. Each tree is made of a small sample of rows (Breiman, "Pasting
// small votes for classification in large databases and on-line" (1999)) and columns
// (Ho, "The random subspace method for constructing decision forests" (1998)), and a
// column has few bins; the leaves' values are of all rows.
const (
	forestRows    = 1000
	forestColumns = 64
	forestBins    = 31
)

// forest is what all trees have in common.
type forest struct {
	data    *Data
	table   *table
	options *Options
	weights []float64 // of the rows up to each
	columns []int     // those that vary
}

// fitForest averages options.Rounds trees of at most options.MaxDepth, whose leaves
// have options.MinLeafSamples of the rows that were drawn. Rows are drawn with
// replacement and by weight; all randomness is ours, since golearn's has no seed. It is
// the log-odds of the leaves that are averaged, not their shares, so that the forest is
// an ensemble as any other: scored, explained and saved like them. A last tree of one
// leaf makes the mean prediction the mean label, which the average of log-odds misses.
func fitForest(ctx context.Context, data *Data, options Options) (*tree.Ensemble, error) {
	f, err := newForest(data, options)
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	o := f.options
	e := newEnsemble(data, f.table.bins, o)
	scores := make([]float64, data.Rows())
	for done := 0; done < o.Rounds; {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("training: stopped before tree %d: %w", done+1, err)
		}
		grown := make([]*grown, min(o.Workers, o.Rounds-done))
		failed := make([]error, len(grown))
		parallel(o.Workers, len(grown), func(i int) { grown[i], failed[i] = f.grow(done + i) })
		for i, g := range grown {
			if failed[i] != nil {
				return nil, fmt.Errorf("training: tree %d: %w", done+i+1, failed[i])
			}
			addScores(scores, g.leaves, &g.tree)
			e.Trees = append(e.Trees, g.tree)
		}
		done += len(grown)
		if o.Progress != nil {
			o.Progress(done, o.Rounds)
		}
	}
	e.Trees = append(e.Trees, constantTree(f.shift(scores), data))
	if err := e.Validate(); err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	return e, nil
}

func newForest(data *Data, options Options) (*forest, error) {
	o := options.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	if o.Objective.Link != tree.Binary {
		return nil, fmt.Errorf("a forest cannot learn the objective %s: choose logistic or cross-entropy", o.Objective.Name)
	}
	if err := checkData(data, &o); err != nil {
		return nil, err
	}
	o.Bins = min(o.Bins, forestBins)
	t, err := binData(data, &o)
	if err != nil {
		return nil, err
	}
	f := &forest{data: data, table: t, options: &o, weights: make([]float64, data.Rows())}
	total := 0.0
	for r := range f.weights {
		total += data.weight(r)
		f.weights[r] = total
	}
	for i := range t.columns {
		if t.usable(i, 1) {
			f.columns = append(f.columns, i)
		}
	}
	return f, nil
}

// grow makes one tree and routes all rows through it.
func (f *forest) grow(number int) (*grown, error) {
	rng := stream(f.options.Seed, "forest", number)
	bag := make([]int32, min(forestRows, f.table.rows))
	for k := range bag {
		bag[k] = int32(sort.SearchFloat64s(f.weights, rng.Float64()*f.weights[len(f.weights)-1]))
	}
	g, err := f.splits(bag, f.drawColumns(rng))
	if err != nil {
		return nil, err
	}
	all := make([]int32, f.table.rows)
	for r := range all {
		all[r] = int32(r)
	}
	if len(g.tree.Nodes) == 0 {
		g.tree.Leaves, g.leaves = make([]tree.Leaf, 1), [][]int32{all}
	} else {
		g.leaves = g.route(f.table, all, newScratch(f.table.rows))
	}
	f.setValues(g)
	return g, nil
}

func (f *forest) drawColumns(rng *rand.Rand) []int {
	var out []int
	for _, k := range drawRows(rng, len(f.columns), min(forestColumns, len(f.columns))) {
		out = append(out, f.columns[k])
	}
	return out
}

// splits has golearn find the splits of a tree, and takes those that leave enough rows
// on either side. golearn does not mark a root that it found no split for, which is
// known by that it divides nothing.
func (f *forest) splits(bag []int32, columns []int) (*grown, error) {
	g := &grown{}
	if len(columns) == 0 {
		return g, nil
	}
	codes := make([][]uint8, len(columns))
	for k, i := range columns {
		codes[k] = f.table.codes(i, bag)
	}
	cart, err := f.cart(codes, bag)
	if err != nil {
		return nil, err
	}
	// golearn does not name the type of a node, which a list of them has all the same.
	nodes, above := listOf(cart.RootNode), []*tree.Child{nil}
	members := [][]int{make([]int, len(bag))} // places in the bag
	for k := range bag {
		members[0][k] = k
	}
	g.tree.Nodes = make([]tree.Node, 0, len(bag)) // their places are pointed at
	for at := 0; at < len(nodes); at++ {
		n := nodes[at]
		var left, right []int
		if n != nil {
			left, right = sides(members[at], codes[n.Feature], n.Threshold)
		}
		gain := f.gain(bag, left, right)
		if len(left) < f.options.MinLeafSamples || len(right) < f.options.MinLeafSamples || gain <= 0 {
			if above[at] != nil {
				*above[at] = tree.LeafChild(len(g.tree.Leaves))
				g.tree.Leaves = append(g.tree.Leaves, tree.Leaf{})
			}
			continue
		}
		s := split{column: columns[n.Feature], gain: gain, bin: int(math.Ceil(n.Threshold)) - 1}
		for b := range s.bin + 1 {
			s.goesLeft[b] = true
		}
		if above[at] != nil {
			*above[at] = tree.Child(len(g.tree.Nodes))
		}
		g.tree.Nodes, g.splits = append(g.tree.Nodes, f.table.bins[s.column].node(&s)), append(g.splits, s)
		placed := &g.tree.Nodes[len(g.tree.Nodes)-1]
		nodes, above, members = append(nodes, n.Left, n.Right), append(above, &placed.Left, &placed.Right), append(members, left, right)
	}
	return g, nil
}

func listOf[T any](x ...T) []T { return x }

// sides parts places by the code there.
func sides(places []int, codes []uint8, threshold float64) (left, right []int) {
	for _, k := range places {
		if float64(codes[k]) < threshold {
			left = append(left, k)
		} else {
			right = append(right, k)
		}
	}
	return left, right
}

// cart hands golearn a table of bin numbers: a missing value is above all others. It is
// guarded, for golearn panics where it does not expect what it gets.
func (f *forest) cart(codes [][]uint8, bag []int32) (cart *trees.CARTDecisionTreeRegressor, err error) {
	defer func() {
		if trouble := recover(); trouble != nil {
			err = fmt.Errorf("golearn: %v", trouble)
		}
	}()
	table := base.NewDenseInstances()
	specs := make([]base.AttributeSpec, len(codes)+1)
	for k := range codes {
		specs[k] = table.AddAttribute(base.NewFloatAttribute(fmt.Sprint("c", k)))
	}
	label := base.NewFloatAttribute("label")
	specs[len(codes)] = table.AddAttribute(label)
	if err := table.AddClassAttribute(label); err != nil {
		return nil, fmt.Errorf("golearn: %w", err)
	}
	if err := table.Extend(len(bag)); err != nil {
		return nil, fmt.Errorf("golearn: %w", err)
	}
	for row, r := range bag {
		for k := range codes {
			table.Set(specs[k], row, base.PackFloatToBytes(float64(codes[k][row])))
		}
		table.Set(specs[len(codes)], row, base.PackFloatToBytes(f.data.Labels[r]))
	}
	cart = trees.NewDecisionTreeRegressor(trees.MSE, int64(max(f.options.MaxDepth, -1)))
	if err := cart.Fit(table); err != nil {
		return nil, fmt.Errorf("golearn: %w", err)
	}
	return cart, nil
}

// gain is by how much dividing rows lowers the sum of their squared errors.
func (f *forest) gain(bag []int32, left, right []int) float64 {
	if len(left) == 0 || len(right) == 0 {
		return 0
	}
	sum := func(places []int) (s float64) {
		for _, k := range places {
			s += f.data.Labels[bag[k]]
		}
		return s
	}
	a, b, n, m := sum(left), sum(right), float64(len(left)), float64(len(right))
	gain := a*a/n + b*b/m - (a+b)*(a+b)/(n+m)
	if gain < rounding*(n+m) {
		return 0
	}
	return gain
}

// setValues gives each leaf its share in the average: the log-odds of its rows' mean
// label, drawn towards that of all rows by the weight of one.
func (f *forest) setValues(g *grown) {
	mean, share := meanLabel(f.data), 1/float64(f.options.Rounds)
	odds := func(sum, weight float64) float64 { return share * logit((sum+mean)/(weight+1)) }
	sums := make([]float64, len(g.tree.Leaves))
	for i, rows := range g.leaves {
		l := &g.tree.Leaves[i]
		for _, r := range rows {
			sums[i] += f.data.weight(int(r)) * f.data.Labels[r]
			l.Weight += f.data.weight(int(r))
		}
		l.Value, l.Count = odds(sums[i], l.Weight), len(rows)
	}
	inner := make([]float64, len(g.tree.Nodes))
	for i := len(g.tree.Nodes) - 1; i >= 0; i-- { // children before their parents
		n := &g.tree.Nodes[i]
		for _, c := range []tree.Child{n.Left, n.Right} {
			if c.IsLeaf() {
				l := &g.tree.Leaves[c.Index()]
				inner[i], n.Weight, n.Count = inner[i]+sums[c.Index()], n.Weight+l.Weight, n.Count+l.Count
			} else {
				inner[i], n.Weight, n.Count = inner[i]+inner[c], n.Weight+g.tree.Nodes[c].Weight, n.Count+g.tree.Nodes[c].Count
			}
		}
		n.Value = odds(inner[i], n.Weight)
	}
	g.tree.Shrinkage = share
}

// shift is what must be added to all scores so that the mean prediction is the mean
// label, found by halving: the prediction rises with it.
func (f *forest) shift(scores []float64) float64 {
	wanted := min(max(meanLabel(f.data), logitBound), 1-logitBound)
	low, high := -40.0, 40.0
	for range 60 {
		middle := (low + high) / 2
		sum, total := 0.0, 0.0
		for r, s := range scores {
			sum += f.data.weight(r) / (1 + math.Exp(-s-middle))
			total += f.data.weight(r)
		}
		if sum/total < wanted {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
