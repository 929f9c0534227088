package metric

// AUC is the area under the ROC curve: the probability that a random positive
// has a larger score than a random negative, ties counting half. It is 0.5
// for random scores and NaN when a class has no item.
//
// Sources: Hanley and McNeil, "The meaning and use of the area under a
// receiver operating characteristic (ROC) curve", Radiology 143 (1982): the
// area is Mann and Whitney's U divided by the number of pairs.
func (p Predictions) AUC() float64 { return p.AUCOf(nil) }

// AUCOf is the AUC when item i occurs count[i] times: the statistic of a
// bootstrap, in time linear in the number of items.
func (p Predictions) AUCOf(count []int) float64 {
	above, wins, negatives := 0.0, 0.0, 0.0
	p.steps(count, func(s step) {
		wins += s.negatives * (above + s.positives/2)
		above += s.positives
		negatives += s.negatives
	})
	return wins / (above * negatives) // 0/0, NaN, without a class
}

// Point is one point of a ROC curve.
type Point struct {
	FalsePositiveRate float64
	TruePositiveRate  float64
}

// ROC returns the curve from (0,0) to (1,1), one point for each distinct
// score; nil when a class has no item.
func (p Predictions) ROC() []Point {
	positives := float64(p.Positives())
	negatives := float64(p.Len()) - positives
	if positives == 0 || negatives == 0 {
		return nil
	}
	curve := []Point{{}}
	var taken step
	p.steps(nil, func(s step) {
		taken.positives += s.positives
		taken.negatives += s.negatives
		curve = append(curve, Point{taken.negatives / negatives, taken.positives / positives})
	})
	return curve
}
