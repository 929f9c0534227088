package metric

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Predictions are scored items of two classes, checked and sorted once for all
// metrics. The zero value has no items.
type Predictions struct {
	scores   []float64
	positive []bool
	order    []int // positions by descending score, ties by position
}

// ErrPredictions is wrapped by the errors of NewPredictions.
var ErrPredictions = errors.New("unusable predictions")

// NewPredictions pairs scores, larger meaning more likely positive, with the
// true classes. It fails on slices of different lengths and on NaN scores: an
// item without prediction has to be left out or given a score by the caller,
// who knows what its absence means. The slices are kept, not copied.
func NewPredictions(scores []float64, positive []bool) (Predictions, error) {
	if len(scores) != len(positive) {
		return Predictions{}, fmt.Errorf("%w: %d scores for %d items", ErrPredictions, len(scores), len(positive))
	}
	if at := slices.IndexFunc(scores, math.IsNaN); at >= 0 {
		return Predictions{}, fmt.Errorf("%w: the score of item %d is NaN", ErrPredictions, at)
	}
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		if c := cmp.Compare(scores[b], scores[a]); c != 0 {
			return c
		}
		return a - b
	})
	return Predictions{scores: scores, positive: positive, order: order}, nil
}

// Len is the number of items.
func (p Predictions) Len() int { return len(p.scores) }

// Positives is the number of positive items.
func (p Predictions) Positives() int {
	n := 0
	for _, is := range p.positive {
		if is {
			n++
		}
	}
	return n
}

// BaseRate is the share of positives: the precision of a random choice.
func (p Predictions) BaseRate() float64 {
	return float64(p.Positives()) / float64(p.Len())
}

// step is a group of items with equal scores.
type step struct{ positives, negatives float64 }

func (s step) size() float64 { return s.positives + s.negatives }

// steps calls visit for each group of equal scores, the largest score first.
// count gives each item's weight; nil weighs each once.
func (p Predictions) steps(count []int, visit func(step)) {
	for start := 0; start < len(p.order); {
		var s step
		end := start
		for ; end < len(p.order) && p.scores[p.order[end]] == p.scores[p.order[start]]; end++ {
			i := p.order[end]
			weight := 1.0
			if count != nil {
				weight = float64(count[i])
			}
			if p.positive[i] {
				s.positives += weight
			} else {
				s.negatives += weight
			}
		}
		visit(s)
		start = end
	}
}
