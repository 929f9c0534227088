package studies

import (
	"context"
	"math"

	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// rq5 asks about whole orders rather than their heads.
var rq5 = Study{
	Name:     "rq5",
	Title:    "Prioritization against random order",
	Question: "Does analysing mutants in the predicted order reveal faults earlier than random order?",
	Source:   "T. Titcheu Chekam, dissertation, section 6.6.5",
	Run: func(ctx context.Context, m *Material) (*report.Answer, error) {
		r := &report.Answer{Notes: []string{m.simulationsNote(), apfdNote}}
		err := m.compare(ctx, r, comparison{
			name: "prioritization", title: "APFD by the three costs (percent)",
			measures: apfds(), baselines: []string{predict.Random.Name, predict.Spread.Name}, published: publishedAPFD,
		})
		if err != nil {
			return nil, err
		}
		if err := m.effort(ctx, r); err != nil {
			return nil, err
		}
		if err := m.curve(ctx, r); err != nil {
			return nil, err
		}
		return r, m.boxes(ctx, r, "apfd", "APFD by mutants selected, over faults", "APFD (%)",
			func(o simulate.Outcome) float64 { return 100 * o.APFD[simulate.Selected] })
	},
}

const apfdNote = "APFD of one fault revealed at place k of N is 1 - k/N + 1/(2N), 0 where it was not revealed; N is the number of mutants, or of tests where tests are counted. It has little room: random order is near the top already, so read the share of the oracle's gain."

// publishedAPFD is the median APFD, and the effect size against random and
// spread (section 6.6.5). The source gives random order 93 in one sentence and
// 94 in the next, and likewise spread.
func publishedAPFD(strategy, measure, baseline string) (printedGain, bool) {
	return printedOrders{
		medians: map[printedOrder]float64{
			{predict.FaRM.Name, byMutants}: 98, {predict.FaRMStar.Name, byMutants}: 97, {predict.PredKillable.Name, byMutants}: 72,
			{predict.Random.Name, byMutants}: 93, {predict.Spread.Name, byMutants}: 94,
			{predict.FaRM.Name, byTests}: 81, {predict.FaRMStar.Name, byTests}: 81, {predict.PredKillable.Name, byTests}: 76,
			{predict.Random.Name, byTests}: 77, {predict.Spread.Name, byTests}: 77,
		},
		effects: map[printedOrder][2]float64{
			{predict.FaRM.Name, byAnalysed}: {.57, .61}, {predict.FaRMStar.Name, byAnalysed}: {.60, .64}, {predict.PredKillable.Name, byAnalysed}: {.60, .65},
			{predict.FaRM.Name, byTests}: {.58, .61}, {predict.FaRMStar.Name, byTests}: {.58, .61},
		},
	}.look(strategy, measure, baseline)
}

// The measures that the source prints of orders.
const byMutants, byTests, byAnalysed = "APFD (mutants selected)", "APFD (tests required)", "APFD (mutants analysed)"

// printedOrder is a strategy judged by a measure.
type printedOrder struct{ strategy, measure string }

// printedOrders is what the source prints of orders on one benchmark: medians, and
// the effect sizes against random and against spread.
type printedOrders struct {
	medians map[printedOrder]float64
	effects map[printedOrder][2]float64
}

// look finds what is printed of a strategy; the gain is over the baseline's median.
func (o printedOrders) look(strategy, measure, baseline string) (printedGain, bool) {
	p := printedGain{math.NaN(), math.NaN(), math.NaN()}
	median, hasMedian := o.medians[printedOrder{strategy, measure}]
	effect, hasEffect := o.effects[printedOrder{strategy, measure}]
	if hasMedian {
		p.median = median
		if base, known := o.medians[printedOrder{baseline, measure}]; known && strategy != baseline {
			p.gain = median - base
		}
	}
	if hasEffect {
		p.a12 = effect[0]
		if baseline == predict.Spread.Name {
			p.a12 = effect[1]
		}
	}
	return p, hasMedian || hasEffect
}
