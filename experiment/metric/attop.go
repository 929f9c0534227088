package metric

import "github.com/winnow-mutants/winnow/predict"

// Retrieval describes a choice of the best-scored items.
type Retrieval struct {
	// Chosen is the number of items chosen.
	Chosen int
	// Precision is the share of the chosen that are positive, Recall the share
	// of the positives that are chosen, F1 their harmonic mean (van Rijsbergen,
	// "Information retrieval" (1979), chapter 7; dissertation, section 2.4.4).
	Precision float64
	Recall    float64
	F1        float64
}

// At returns precision, recall and F1 when the best-scored items are chosen.
// Where the cut falls among equal scores, the number of positives chosen is
// its mean over all orders of the tied items. Precision is NaN when there is
// no item, Recall when there is no positive.
func (p Predictions) At(top predict.Top) Retrieval {
	chosen := top.Of(p.Len())
	left, found := float64(chosen), 0.0
	p.steps(nil, func(s step) {
		take := min(left, s.size())
		found += s.positives * (take / s.size())
		left -= take
	})
	r := Retrieval{
		Chosen:    chosen,
		Precision: found / float64(chosen),
		Recall:    found / float64(p.Positives()),
	}
	r.F1 = F1(r.Precision, r.Recall)
	return r
}

// F1 is the harmonic mean of precision and recall; 0 when both are 0.
func F1(precision, recall float64) float64 {
	if precision == 0 && recall == 0 {
		return 0
	}
	return 2 * precision * recall / (precision + recall)
}
