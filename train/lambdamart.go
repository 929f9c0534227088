package train

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/models/tree"
)

// NDCG ranks the rows of a group, LambdaMART (Burges, "From RankNet to LambdaRank
// to LambdaMART" (2010)): for every pair in the wrong order, the loss of RankNet
// times what swapping the two would gain in the ranking's measure.
var NDCG = Objective{
	Name:       "ndcg",
	Doc:        "LambdaMART: the order within each group, most at its head (NDCG); the model's scores mean nothing but their order.",
	Link:       tree.Ranking,
	CheckLabel: checkRatio,
	Listwise:   func(d *Data, seed uint64) (Listwise, error) { return newLambda(d, seed, logDiscount) },
}

// Revelation is LambdaMART for testers who stop early. The label is the
// probability that analysing the row finds what is looked for, and the measure is
// what a tester finds who stops after a number of rows drawn evenly between 1 and
// a tenth of the group.
var Revelation = Objective{
	Name:       "revelation",
	Doc:        "LambdaMART: what is found within the first tenth of each group; the model's scores mean nothing but their order.",
	Link:       tree.Ranking,
	CheckLabel: checkRatio,
	Listwise:   func(d *Data, seed uint64) (Listwise, error) { return newLambda(d, seed, tenthDiscount) },
}

// ErrNoOrder is wrapped by the errors of objectives that rank for data in which no row
// belongs before another.
var ErrNoOrder = errors.New("no group has rows with different labels: there is no order to learn")

// logDiscount is the weight of NDCG for the row at a position from 0 (Järvelin
// and Kekäläinen 2002).
func logDiscount(position, _ int) float64 { return 1 / math.Log2(float64(position+2)) }

// tenthDiscount is the share of the budgets from 1 to a tenth of n rows that
// reach a position from 0.
func tenthDiscount(position, n int) float64 {
	budget := float64(max(n/10, 10))
	return max(0, 1-float64(position)/budget)
}

// headRows is how deep a pair's better-placed row may lie: LightGBM's
// lambdarank_truncation_level. Deeper swaps hardly move a measure of the head.
const headRows = 30

// lambda is the state of LambdaMART.
type lambda struct {
	labels, weights []float64
	lists           []list
	tie             []int32 // random order among equal scores, by row
}

// list is one group: its rows, the discount by position and the best sum.
type list struct {
	rows     []int32
	discount []float64
	ideal    float64
}

// newLambda gathers the groups of d. Rows of one group need not stand together.
func newLambda(d *Data, seed uint64, discount func(position, n int) float64) (*lambda, error) {
	l := &lambda{labels: d.Labels, weights: d.Weights, tie: make([]int32, d.Rows())}
	for i, r := range stream(seed, "ties", 0).Perm(d.Rows()) {
		l.tie[i] = int32(r)
	}
	at := map[int32]int{}
	for r := range d.Rows() {
		group := int32(0)
		if d.Groups != nil {
			group = d.Groups[r]
		}
		if _, known := at[group]; !known {
			at[group] = len(l.lists)
			l.lists = append(l.lists, list{})
		}
		own := &l.lists[at[group]]
		own.rows = append(own.rows, int32(r))
	}
	something := false
	for i := range l.lists {
		own := &l.lists[i]
		best := make([]float64, len(own.rows))
		for k, r := range own.rows {
			own.discount = append(own.discount, discount(k, len(own.rows)))
			best[k] = d.Labels[r]
		}
		slices.SortFunc(best, func(a, b float64) int { return cmpFloat(b, a) })
		for k, y := range best {
			own.ideal += y * own.discount[k]
		}
		something = something || best[0] > best[len(best)-1]
	}
	if !something {
		return nil, fmt.Errorf("data: %w", ErrNoOrder)
	}
	return l, nil
}

// order returns the rows of a list by score, best first.
func (l *lambda) order(own *list, scores []float64) []int32 {
	order := slices.Clone(own.rows)
	slices.SortFunc(order, func(a, b int32) int {
		if c := cmpFloat(scores[b], scores[a]); c != 0 {
			return c
		}
		return int(l.tie[a]) - int(l.tie[b])
	})
	return order
}

// Derivatives writes those of every row. Groups are independent, so any number
// of workers gives the same numbers.
func (l *lambda) Derivatives(scores, first, second []float64, workers int) {
	parallel(workers, len(l.lists), func(i int) { l.derive(&l.lists[i], scores, first, second) })
}

func (l *lambda) derive(own *list, scores, first, second []float64) {
	for _, r := range own.rows {
		first[r], second[r] = 0, 0
	}
	if own.ideal == 0 {
		return
	}
	order := l.order(own, scores)
	total := 0.0
	for i := range min(headRows, len(order)) {
		for j := i + 1; j < len(order); j++ {
			better, worse := order[i], order[j]
			if l.labels[better] == l.labels[worse] {
				continue
			}
			if l.labels[better] < l.labels[worse] {
				better, worse = worse, better
			}
			gain := (l.labels[better] - l.labels[worse]) * math.Abs(own.discount[i]-own.discount[j]) / own.ideal
			p := 1 / (1 + math.Exp(scores[better]-scores[worse])) // of the wrong order
			push, curve := gain*p, gain*p*(1-p)
			first[better] -= push
			first[worse] += push
			second[better] += curve
			second[worse] += curve
			total += 2 * push
		}
	}
	if total == 0 {
		return
	}
	// A group's pull grows with the logarithm of its pairs, as in LightGBM
	// (lambdarank_norm): a large program must not outweigh all others.
	scale := math.Log2(1+total) / total
	for _, r := range own.rows {
		w := scale
		if l.weights != nil {
			w *= l.weights[r]
		}
		first[r] *= w
		second[r] *= w
	}
}

// Loss is 1 less the mean over groups of the measure, as a share of the best
// possible. Groups without a row worth finding do not count.
func (l *lambda) Loss(scores []float64) float64 {
	sum, groups := 0.0, 0
	for i := range l.lists {
		own := &l.lists[i]
		if own.ideal == 0 {
			continue
		}
		got := 0.0
		for k, r := range l.order(own, scores) {
			got += l.labels[r] * own.discount[k]
		}
		sum += got / own.ideal
		groups++
	}
	if groups == 0 {
		return 0
	}
	return 1 - sum/float64(groups)
}
