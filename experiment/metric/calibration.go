package metric

import "math"

// Brier is the mean squared distance between the probability predicted and
// what happened (1 or 0): 0 is perfect, 0.25 is what a constant 0.5 gets. NaN
// without items, and when a score is not a probability.
//
// Source: Brier, "Verification of forecasts expressed in terms of
// probability", Monthly Weather Review 78 (1950), in the usual form for two
// classes that counts one of them.
func (p Predictions) Brier() float64 {
	if !p.probabilities() {
		return math.NaN()
	}
	sum := 0.0
	for i, score := range p.scores {
		d := score - indicate(p.positive[i])
		sum += d * d
	}
	return sum / float64(p.Len())
}

// Bin is a range of predicted probabilities.
type Bin struct {
	// Low and High bound the range; High belongs to the next bin, except that
	// of the last.
	Low  float64
	High float64
	// Count is the number of items with a score in the range, Predicted their
	// mean score and Observed their share of positives. Both are NaN when
	// there is none.
	Count     int
	Predicted float64
	Observed  float64
}

// Reliability sorts the items into bins of equal width over [0, 1]: the data
// of a reliability diagram. Nil when bins is not positive, when there are no
// items or when a score is not a probability.
func (p Predictions) Reliability(bins int) []Bin {
	if bins < 1 || p.Len() == 0 || !p.probabilities() {
		return nil
	}
	out := make([]Bin, bins)
	for b := range out {
		out[b].Low, out[b].High = float64(b)/float64(bins), float64(b+1)/float64(bins)
	}
	for i, score := range p.scores {
		b := &out[min(int(score*float64(bins)), bins-1)]
		b.Count++
		b.Predicted += score
		b.Observed += indicate(p.positive[i])
	}
	for b := range out {
		out[b].Predicted /= float64(out[b].Count)
		out[b].Observed /= float64(out[b].Count)
	}
	return out
}

// ECE is the expected calibration error: the mean distance between predicted
// and observed share over bins of equal width, weighted by their items. NaN
// where Reliability is nil.
//
// Source: Naeini, Cooper and Hauskrecht, "Obtaining well calibrated
// probabilities using Bayesian binning", AAAI 2015.
func (p Predictions) ECE(bins int) float64 {
	table := p.Reliability(bins)
	if table == nil {
		return math.NaN()
	}
	sum := 0.0
	for _, b := range table {
		if b.Count > 0 {
			sum += float64(b.Count) * math.Abs(b.Predicted-b.Observed)
		}
	}
	return sum / float64(p.Len())
}

func (p Predictions) probabilities() bool {
	for _, score := range p.scores {
		if score < 0 || score > 1 {
			return false
		}
	}
	return true
}

func indicate(positive bool) float64 {
	if positive {
		return 1
	}
	return 0
}
