package studies

import (
	"context"
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// rq6 compares with ranking places by predicted defects.
var rq6 = Study{
	Name:     "rq6",
	Title:    "Prioritization against defect prediction",
	Question: "Does analysing mutants in the predicted order reveal faults earlier than visiting places in the order of predicted defects?",
	Source:   "T. Titcheu Chekam, dissertation, section 6.6.6",
	Run: func(ctx context.Context, m *Material) (*report.Answer, error) {
		r := &report.Answer{Notes: []string{m.simulationsNote(), apfdNote}}
		baseline := predict.Random.Name
		if slices.ContainsFunc(simulate.Usable(m.Faulty), func(s predict.Strategy) bool { return s.Name == predict.Defect.Name }) {
			baseline = predict.Defect.Name
		} else {
			r.Missing = append(r.Missing, "The comparison with defect prediction itself: the history lacks the measures of complexity that it reads. Random order stands in as the baseline; the source finds random order better than defect prediction (A12 .71), so that a gain here is on the strict side.")
		}
		err := m.compare(ctx, r, comparison{
			name: "against-defect-prediction", title: "APFD by mutants selected (percent)",
			measures: []string{"APFD (mutants selected)"}, baselines: []string{baseline},
			published: func(strategy, measure, baseline string) (printedGain, bool) {
				nan := math.NaN()
				switch {
				case baseline != predict.Defect.Name:
					return publishedAPFD(strategy, measure, baseline)
				case strategy == predict.FaRM.Name:
					return printedGain{98, 98 - 83.7, .76}, true
				case strategy == predict.Random.Name:
					return printedGain{93, 93 - 83.7, .71}, true
				case strategy == predict.Spread.Name:
					return printedGain{94, 94 - 83.7, .70}, true
				case strategy == predict.Defect.Name:
					return printedGain{83.7, nan, nan}, true
				}
				return printedGain{}, false
			},
		})
		if err != nil {
			return nil, err
		}
		return r, m.curve(ctx, r)
	},
}
