package train

import (
	"errors"
	"slices"

	"github.com/winnow-mutants/winnow/models/tree"
)

// watch follows the loss on validation data.
type watch struct {
	losses  Listwise
	table   *table
	scores  []float64
	rows    []int32
	scratch *scratch

	seen      int // trees so far
	best      float64
	bestRound int
	trees     int // trees at the best loss
}

func newWatch(bins []binning, names []string, o *Options) (*watch, error) {
	d := o.Validation
	if err := checkData(d, o); err != nil {
		return nil, err
	}
	if !slices.Equal(names, d.Names) {
		return nil, errors.New("its columns are not those of the training data, in their order")
	}
	losses, err := o.Objective.on(d, o.Seed)
	if err != nil {
		return nil, err
	}
	binned, err := newTable(d, bins, o.Workers)
	if err != nil {
		return nil, err
	}
	w := &watch{
		losses: losses, table: binned,
		scores: make([]float64, d.Rows()), rows: make([]int32, d.Rows()), scratch: newScratch(d.Rows()), bestRound: -1,
	}
	return w, nil
}

// begin sets the scores before the first tree: start and the trees of the model
// that is continued.
func (w *watch) begin(start float64, trees []tree.Tree, data *Data, workers int) error {
	fill(w.scores, start)
	if err := scoreRows(trees, data, w.scores, workers); err != nil {
		return err
	}
	w.best = w.loss()
	return nil
}

// add scores one more tree.
func (w *watch) add(g *grown) {
	for r := range w.rows {
		w.rows[r] = int32(r)
	}
	addScores(w.scores, g.route(w.table, w.rows, w.scratch), &g.tree)
	w.seen++
}

// lost returns for how many rounds the loss has not fallen, after round.
func (w *watch) lost(round int) int {
	if loss := w.loss(); loss < w.best {
		w.best, w.bestRound, w.trees = loss, round, w.seen
	}
	return round - w.bestRound
}

func (w *watch) loss() float64 { return w.losses.Loss(w.scores) }
