package studies

import (
	"cmp"
	"context"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/metric"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/report"
)

// rq2 asks how well fault-revealing mutants are predicted, and from what.
var rq2 = Study{
	Name:     "rq2",
	Title:    "Prediction of fault-revealing mutants",
	Question: "How well does learning from static features predict which mutants reveal the fault, and which features tell most?",
	Source:   "T. Titcheu Chekam, dissertation, section 6.6.2",
	Run: func(ctx context.Context, m *Material) (*report.Answer, error) {
		r := &report.Answer{Notes: []string{
			"A mutant is fault-revealing when some test kills it and all that do reveal the fault.",
			"The source found complexity and the dependence features to tell most, and a learner that kept only features of .02 bits or more no better than random; it prints no table of gains.",
		}}
		err := m.predictions(ctx, r, []task{{name: "fault-revealing", side: faultSide, truth: dataset.LookupLabel, auc: 0.62, published: map[int]printed{
			5: {5.7, 12.8, 7.8, 3.5, 7.8}, 10: {4.9, 22.0, 8.0, 2.7, 12.1}, 20: {3.9, 35.1, 7.0, 1.7, 15.1},
		}}})
		if err != nil {
			return nil, err
		}
		gains, err := m.informationGain(ctx)
		if err != nil {
			return nil, err
		}
		r.Tables = append(r.Tables, gains)
		return r, nil
	},
}

// gainsListed is how many features the table of gains shows.
const gainsListed = 30

// informationGain lists the features that tell most about either target.
func (m *Material) informationGain(ctx context.Context) (report.Table, error) {
	t := report.Table{Name: "information-gain", Title: "The features that tell most about fault revelation (bits, over all mutants)", Keys: []string{"feature"}, Columns: []report.Column{
		{Name: "fault-revealing", Origin: report.Measured, Decimals: 4}, {Name: "killable", Origin: report.Measured, Decimals: 4},
	}}
	type classes struct {
		positive []bool
		set      *crossval.TrainingSet
	}
	of := map[side]classes{}
	for _, which := range []side{faultSide, killSide} {
		label, err := dataset.LookupLabel(string(which))
		if err != nil {
			return t, err
		}
		set, err := crossval.NewTrainingSet(m.Faulty, label, crossval.Sampling{PerSubject: m.Split.Sample, Seed: m.Seed})
		if err != nil {
			return t, err
		}
		c := classes{set: &set, positive: make([]bool, len(set.Targets))}
		for i, target := range set.Targets {
			c.positive[i] = target == 1
		}
		of[which] = c
	}
	columns := m.Faulty[0].Columns
	rows, err := parallel.Map(ctx, m.Workers, columns, func(_ context.Context, column int, name string) (report.Row, error) {
		row := report.Row{Keys: []string{name}}
		for _, which := range []side{faultSide, killSide} {
			row.Values = append(row.Values, number.Float(metric.InformationGain(of[which].set.Column(column), of[which].positive)))
		}
		return row, nil
	})
	if err != nil {
		return t, err
	}
	slices.SortStableFunc(rows, func(a, b report.Row) int { return cmp.Compare(b.Values[0], a.Values[0]) })
	t.Rows = rows[:min(gainsListed, len(rows))]
	return t, nil
}
