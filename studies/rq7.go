package studies

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// largeProgram is the number of mutants from which a program counts as large:
// CoREBench's versions have 35,000 on average, Codeflaws' 1,900.
const largeProgram = 10000

// rq7 asks the same of large programs.
var rq7 = Study{
	Name:     "rq7",
	Title:    "Large programs",
	Question: "Do the findings hold on large, independently chosen programs?",
	Source:   "T. Titcheu Chekam, dissertation, section 6.6.7 (CoREBench, 45 faults)",
	Run: func(ctx context.Context, m *Material) (*report.Answer, error) {
		r := &report.Answer{Notes: []string{m.simulationsNote(), apfdNote}}
		m.sizeNote(r)
		err := m.compare(ctx, r, comparison{
			name: "prioritization", title: "APFD by the three costs (percent), beside what was printed for CoREBench",
			measures: apfds(), baselines: []string{predict.Random.Name, predict.Spread.Name}, published: publishedLarge,
		})
		if err != nil {
			return nil, err
		}
		if err := m.programs(ctx, r); err != nil {
			return nil, err
		}
		return r, m.curve(ctx, r)
	},
}

// sizeNote says whether the history is one of large programs.
func (m *Material) sizeNote(r *report.Answer) {
	var sizes []float64
	for i := range m.Faulty {
		sizes = append(sizes, float64(len(m.Faulty[i].Mutants)))
	}
	if len(sizes) == 0 {
		return
	}
	if middle, largest := significance.Median(sizes), slices.Max(sizes); largest < largeProgram {
		r.Missing = append(r.Missing, fmt.Sprintf("Large programs: the programs of this history have %.0f mutants in the median and %.0f at most, CoREBench's some 35,000. Record a history of large programs with their faults and ask again; the figures below are of small programs.", middle, largest))
	}
}

// programs lists APFD program by program, since large programs are few.
func (m *Material) programs(ctx context.Context, r *report.Answer) error {
	sim, err := m.simulation(ctx, false)
	if err != nil {
		return err
	}
	t := report.Table{Name: "programs", Title: "APFD by mutants selected, fault by fault (percent)", Keys: []string{"fault"}, Columns: []report.Column{{Name: "mutants", Origin: report.Measured}}}
	for _, name := range sim.Strategies {
		t.Columns = append(t.Columns, report.Column{Name: name, Origin: report.Measured, Decimals: 1})
	}
	for i, name := range sim.Subjects {
		values := []number.Float{number.Float(len(m.Faulty[i].Mutants))}
		for k := range sim.Strategies {
			values = append(values, number.Float(100*sim.Outcomes[k][i].APFD[simulate.Selected]))
		}
		t.Add([]string{name}, values...)
	}
	r.Tables = append(r.Tables, t)
	return nil
}

// publishedLarge is the median APFD on CoREBench and the effect sizes against
// random and spread (section 6.6.7).
func publishedLarge(strategy, measure, baseline string) (printedGain, bool) {
	return printedOrders{
		medians: map[printedOrder]float64{
			{predict.FaRM.Name, byMutants}: 99, {predict.FaRMStar.Name, byMutants}: 99, {predict.PredKillable.Name, byMutants}: 94,
			{predict.Random.Name, byMutants}: 99, {predict.Spread.Name, byMutants}: 99,
			{predict.FaRM.Name, byTests}: 92, {predict.FaRMStar.Name, byTests}: 92, {predict.PredKillable.Name, byTests}: 79,
			{predict.Random.Name, byTests}: 83, {predict.Spread.Name, byTests}: 81,
		},
		effects: map[printedOrder][2]float64{
			{predict.FaRM.Name, byAnalysed}: {.58, .60}, {predict.FaRMStar.Name, byAnalysed}: {.61, .63}, {predict.PredKillable.Name, byAnalysed}: {.56, .58},
			{predict.FaRM.Name, byTests}: {.74, .77}, {predict.FaRMStar.Name, byTests}: {.70, .74},
		},
	}.look(strategy, measure, baseline)
}
