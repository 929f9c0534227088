package studies

import (
	"context"
	"math"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/report"
)

// rq1 asks how well killable and equivalent mutants are predicted.
var rq1 = Study{
	Name:     "rq1",
	Title:    "Prediction of killable mutants",
	Question: "How well does learning from static features predict which mutants are killable, and which are equivalent?",
	Source:   "T. Titcheu Chekam, dissertation, section 6.6.1",
	Run: func(ctx context.Context, m *Material) (*report.Answer, error) {
		r := &report.Answer{Notes: []string{
			"Killable is: killed by a test of the pool. Equivalent is its opposite, as in the source: a mutant that survives the pool is taken for equivalent.",
			"The source had removed mutants that a compiler proves equivalent; whether this history did depends on how it was recorded.",
		}}
		return r, m.predictions(ctx, r, []task{
			{name: "killable", side: killSide, truth: dataset.LookupLabel, auc: 0.88, published: map[int]printed{
				5: {98.8, 5.7, 10.7, 12.3, 0.7}, 10: {98.8, 11.4, 20.4, 12.2, 1.4}, 20: {98.7, 22.8, 37.0, 12.1, 2.8},
			}},
			{name: "equivalent", side: killSide, truth: equivalent, invert: true, auc: math.NaN(), published: map[int]printed{
				5: {95.1, 35.0, 51.2, 81.6, 30.1}, 10: {79.1, 58.6, 67.3, 65.7, 48.7}, 20: {49.3, 73.2, 58.9, 35.8, 53.3},
			}},
		})
	},
}

// equivalent is the opposite of killable.
func equivalent(string) (dataset.Label, error) {
	killable, err := dataset.LookupLabel(string(killSide))
	if err != nil {
		return killable, err
	}
	out := killable
	out.Name, out.Doc = "equivalent", "no test of the pool kills the mutant"
	out.Run = func(e *dataset.Evidence) []dataset.Value {
		values := killable.Run(e)
		for i := range values {
			values[i].Target = 1 - values[i].Target // NaN stays NaN
		}
		return values
	}
	return out, nil
}
