// Package train learns boosted trees from tables of numbers.
//
// It knows nothing of C, of IR or of mutants: Data in, a tree.Ensemble out. Fit
// is gradient boosting (Friedman 2001) with second-order splits (Chen and
// Guestrin 2016) found on histograms of binned values, as in LightGBM (Ke and
// others 2017), whose meanings the options and the models share.
//
// # The parts
//
// Each part knows only the ones before it:
//
//	data.go        the table, columns dense or sparse
//	objective.go   losses and their derivatives
//	bins.go        values to at most 255 bins a column
//	table.go       binned columns, partition of rows
//	precision.go   derivatives as fixed-point numbers
//	histogram.go   sums of derivatives per bin: densepart.go, sparsepart.go
//	split.go       the best split of a histogram
//	grow.go        one tree
//	boost.go       many trees
//
// A Learner is a value listed in all.go. To add one, write a Learner in a file
// of its own and list it: the contract tests run it through everything that the
// others do.
//
// # Repeatability
//
// The same data, options and seed give the same bytes, for any number of
// workers: derivatives are summed as integers, every random draw comes from a
// stream of its own per purpose and tree, and ties go to the first column and
// the lowest threshold.
package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-mutants/winnow/models/tree"
)

// Boosting is gradient boosting of decision trees.
var Boosting = Learner{
	Name: "boosting",
	Doc:  "Boosted decision trees on histograms, with native missing values.",
	Fit:  Fit, Ranks: true,
}

// Fit learns a boosted ensemble. It fails when data or options are not sound,
// and with the error of ctx when that ends before the model is complete.
func Fit(ctx context.Context, data *Data, options Options) (*tree.Ensemble, error) {
	return boost(ctx, data, options, func(t *table, o *Options) grower { return newHistogramGrower(t, o) })
}

// boost is Fit with any grower.
func boost(ctx context.Context, data *Data, options Options, newGrower func(*table, *Options) grower) (*tree.Ensemble, error) {
	b, err := newBooster(data, options)
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	b.grower = newGrower(b.table, &b.options)
	for round := range b.options.Rounds {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("training: stopped before tree %d: %w", round+1, err)
		}
		if err := b.round(round); err != nil {
			return nil, fmt.Errorf("training: tree %d: %w", round+1, err)
		}
		if b.options.Progress != nil {
			b.options.Progress(round+1, b.options.Rounds)
		}
	}
	return b.finish()
}

// booster is the state of a training run.
type booster struct {
	options Options
	data    *Data
	table   *table
	grower  grower
	scores  []float64
	d       derivatives
	scratch *scratch
	model   *tree.Ensemble
	losses  Listwise
	start   float64
	earlier int // trees of the model that is continued
}

func newBooster(data *Data, options Options) (*booster, error) {
	b, err := newUntrained(data, options)
	if err != nil {
		return nil, err
	}
	b.losses, err = b.options.Objective.on(data, b.options.Seed)
	return b, err
}

// newUntrained is a booster without losses, to which no tree can be added.
func newUntrained(data *Data, options Options) (*booster, error) {
	o := options.withDefaults()
	if err := o.validate(); err != nil {
		return nil, err
	}
	if err := checkData(data, &o); err != nil {
		return nil, err
	}
	binned, err := tableOf(data, &o)
	if err != nil {
		return nil, err
	}
	n := data.Rows()
	b := &booster{
		options: o, data: data, table: binned,
		scores:  make([]float64, n),
		d:       derivatives{first: make([]float64, n), second: make([]float64, n), cells: make([]cell, n)},
		scratch: newScratch(n),
		model:   newEnsemble(data, binned.bins, &o),
	}
	if err := b.begin(); err != nil {
		return nil, err
	}
	return b, nil
}

// begin sets the scores before the first tree: the best constant, or what the
// model to be continued says.
func (b *booster) begin() error {
	o := &b.options
	if o.WarmStart == nil {
		b.start = o.Objective.start(b.data)
		fill(b.scores, b.start)
		return nil
	}
	trees, err := warmStart(o.WarmStart, b.data, o)
	if err != nil {
		return err
	}
	b.model.Trees, b.earlier = trees, len(trees)
	widen(b.model.Features, o.WarmStart.Features)
	return scoreRows(trees, b.data, b.scores, o.Workers)
}

// checkData checks a table and its labels.
func checkData(d *Data, o *Options) error {
	if d == nil {
		return errors.New("data: none given")
	}
	if err := d.Validate(); err != nil {
		return err
	}
	for r, y := range d.Labels {
		if err := o.Objective.CheckLabel(y); err != nil {
			return fmt.Errorf("data: row %d: %w", r, err)
		}
	}
	return nil
}

func newEnsemble(d *Data, bins []binning, o *Options) *tree.Ensemble {
	e := &tree.Ensemble{Objective: o.Objective.Link}
	for i, name := range d.Names {
		e.Features = append(e.Features, tree.Feature{Name: name, Min: bins[i].min, Max: bins[i].max})
	}
	return e
}

func meanLabel(d *Data) float64 {
	sum, total := 0.0, 0.0
	for r, y := range d.Labels {
		sum += d.weight(r) * y
		total += d.weight(r)
	}
	return sum / total
}

// round adds one tree.
func (b *booster) round(round int) error {
	o := &b.options
	b.losses.Derivatives(b.scores, b.d.first, b.d.second, o.Workers)
	var err error
	if b.d.precision, err = pack(b.d.first, b.d.second, b.d.cells); err != nil {
		return err
	}
	inside, outside := b.drawRows(round)
	g, err := b.grower.grow(inside, &b.d, b.drawColumns(round))
	if err != nil {
		return err
	}
	if len(g.tree.Nodes) == 0 {
		return nil // nothing to learn from these rows and columns
	}
	b.setValues(g)
	addScores(b.scores, g.leaves, &g.tree)
	addScores(b.scores, g.route(b.table, outside, b.scratch), &g.tree)
	b.model.Trees = append(b.model.Trees, g.tree)
	return nil
}

// drawRows returns the rows that a tree learns from and the others.
func (b *booster) drawRows(round int) (inside, outside []int32) {
	n := len(b.scores)
	if b.options.RowFraction == 1 {
		inside = make([]int32, n)
		for r := range inside {
			inside[r] = int32(r)
		}
		return inside, nil
	}
	inside = drawRows(stream(b.options.Seed, "rows", round), n, max(1, int(b.options.RowFraction*float64(n))))
	outside = make([]int32, 0, n-len(inside))
	at := 0
	for r := range int32(n) {
		if at < len(inside) && inside[at] == r {
			at++
		} else {
			outside = append(outside, r)
		}
	}
	return inside, outside
}

// drawColumns marks the columns that a tree may split on.
func (b *booster) drawColumns(round int) []bool {
	n := len(b.data.Columns)
	allowed := make([]bool, n)
	for _, i := range drawRows(stream(b.options.Seed, "columns", round), n, max(1, int(b.options.ColumnFraction*float64(n)))) {
		allowed[i] = true
	}
	return allowed
}

// setValues computes the leaf values from the exact derivatives.
func (b *booster) setValues(g *grown) {
	j := newJudge(&b.options)
	for i, rows := range g.leaves {
		first, second := 0.0, 0.0
		for _, r := range rows {
			first += b.d.first[r]
			second += b.d.second[r]
		}
		g.tree.Leaves[i].Value = b.options.LearningRate * j.value(first, second)
		g.tree.Leaves[i].Weight = second
	}
	for i := range g.tree.Nodes {
		g.tree.Nodes[i].Value *= b.options.LearningRate
	}
	g.tree.Shrinkage = b.options.LearningRate
}

// route returns the rows of t that fall into each leaf. It reorders rows.
func (g *grown) route(t *table, rows []int32, s *scratch) [][]int32 {
	leaves := make([][]int32, len(g.tree.Leaves))
	reached := make([][]int32, len(g.tree.Nodes))
	reached[0] = rows
	for i := range g.tree.Nodes { // parents come before their children
		n := t.partition(reached[i], g.splits[i].column, &g.splits[i].goesLeft, s)
		place := func(child tree.Child, part []int32) {
			if child.IsLeaf() {
				leaves[child.Index()] = part
			} else {
				reached[child] = part
			}
		}
		place(g.tree.Nodes[i].Left, reached[i][:n])
		place(g.tree.Nodes[i].Right, reached[i][n:])
	}
	return leaves
}

func addScores(scores []float64, leaves [][]int32, t *tree.Tree) {
	for i, rows := range leaves {
		for _, r := range rows {
			scores[r] += t.Leaves[i].Value
		}
	}
}

// finish puts the starting score into the first tree, as LightGBM does: the format has
// no other place for it.
func (b *booster) finish() (*tree.Ensemble, error) {
	e := b.model
	if b.earlier > 0 {
		// Its first tree holds the starting score already.
	} else if len(e.Trees) == 0 {
		e.Trees = []tree.Tree{constantTree(b.start, b.data)}
	} else {
		first := &e.Trees[0]
		for i := range first.Leaves {
			first.Leaves[i].Value += b.start
		}
		for i := range first.Nodes {
			first.Nodes[i].Value += b.start
		}
	}
	if err := e.Validate(); err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	return e, nil
}

func fill(xs []float64, x float64) {
	for i := range xs {
		xs[i] = x
	}
}
