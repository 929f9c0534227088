package metric

// AveragePrecision is the area under the precision-recall curve as a sum of
// steps: precision at each distinct score times the recall gained there. Its
// value for random scores is about the base rate, which makes it the sharper
// measure where positives are rare. NaN without positives.
//
// Source: Davis and Goadrich, "The relationship between precision-recall and
// ROC curves", ICML 2006, for why the curve is not joined by straight lines.
func (p Predictions) AveragePrecision() float64 {
	var taken step
	sum := 0.0
	p.steps(nil, func(s step) {
		taken.positives += s.positives
		taken.negatives += s.negatives
		sum += s.positives * taken.positives / taken.size()
	})
	return sum / taken.positives
}
