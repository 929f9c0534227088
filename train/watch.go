package train

import (
	"errors"
	"slices"
)

// watch follows the loss on validation data.
type watch struct {
	data      *Data
	objective Objective
	table     *table
	scores    []float64
	rows      []int32
	scratch   *scratch

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
	w := &watch{
		data: d, objective: o.Objective, table: newTable(d, bins, o.Workers),
		scores: make([]float64, d.Rows()), rows: make([]int32, d.Rows()), scratch: newScratch(d.Rows()), bestRound: -1,
	}
	return w, nil
}

// begin sets the score before the first tree.
func (w *watch) begin(start float64) {
	fill(w.scores, start)
	w.best = w.loss()
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

func (w *watch) loss() float64 {
	sum, total := 0.0, 0.0
	for r, score := range w.scores {
		sum += w.data.weight(r) * w.objective.Loss(score, w.data.Labels[r])
		total += w.data.weight(r)
	}
	return sum / total
}
