package studies

import (
	"context"
	"math"

	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// rq3 asks whether selecting by prediction reveals more faults than chance.
var rq3 = Study{
	Name:     "rq3",
	Title:    "Selection against random selection",
	Question: "Do the mutants selected by prediction reveal more faults than as many selected at random?",
	Source:   "T. Titcheu Chekam, dissertation, section 6.6.3",
	Run: func(ctx context.Context, m *Material) (*report.Answer, error) {
		r := &report.Answer{Notes: []string{m.simulationsNote()}}
		err := m.compare(ctx, r, comparison{
			name: "selection", title: "Faults revealed by the selected mutants",
			measures: revealedAt("1%", "2%", "5%", "10%", "15%", "20%"), baselines: []string{predict.Random.Name, predict.Spread.Name},
			published: publishedSelection,
		})
		if err != nil {
			return nil, err
		}
		if err := m.suiteScores(ctx, r); err != nil {
			return nil, err
		}
		return r, m.curve(ctx, r)
	},
}

// publishedSelection is the median gain in revelation and the effect size, by
// strategy, budget and baseline (section 6.6.3). A12 of PredKillable is printed
// for random over it, and turned round here.
func publishedSelection(strategy, measure, baseline string) (printedGain, bool) {
	type cell struct{ gain, a12 float64 }
	budgets := map[string]int{"revealed at 2%": 0, "revealed at 5%": 1, "revealed at 10%": 2}
	baselines := map[string]int{predict.Random.Name: 0, predict.Spread.Name: 1}
	table := map[string][2][3]cell{
		predict.FaRM.Name:         {{{22, .60}, {34, .66}, {20, .65}}, {{24, .63}, {34, .66}, {17, .63}}},
		predict.FaRMStar.Name:     {{{22, .62}, {24, .64}, {20, .64}}, {{24, .65}, {24, .65}, {17, .61}}},
		predict.PredKillable.Name: {{{-23, .16}, {-37, .12}, {-43, .13}}, {{-21, .18}, {-37, .16}, {-46, .15}}},
	}
	rows, known := table[strategy]
	b, at := budgets[measure]
	of, against := baselines[baseline]
	if !known || !at || !against {
		return printedGain{}, false
	}
	return printedGain{math.NaN(), rows[of][b].gain, rows[of][b].a12}, true
}
