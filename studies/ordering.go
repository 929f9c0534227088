package studies

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// comparison is a table of strategies against baselines by measures of the
// simulation.
type comparison struct {
	name, title string
	// measures are names of simulate.Comparison, baselines of strategies.
	measures, baselines []string
	// published returns what the source prints for a strategy (farm, farm*,
	// predkillable or a baseline) by a measure; ok is false where nothing.
	published func(strategy, measure, baseline string) (printedGain, bool)
}

// printedGain is a published median, its distance from the baseline's and the
// effect size, NaN where not printed.
type printedGain struct{ median, gain, a12 float64 }

// compare lays a comparison out, with and without the mutants that no test
// reaches.
func (m *Material) compare(ctx context.Context, r *report.Answer, c comparison) error {
	t := report.Table{Name: c.name, Title: c.title, Keys: []string{"measure", "baseline", "order", "mutants"}, Columns: []report.Column{
		{Name: "median", Origin: report.Measured, Decimals: 1}, {Name: "mean", Origin: report.Measured, Decimals: 1},
		{Name: "median gain", Origin: report.Measured, Decimals: 1, Format: report.Signed}, {Name: "mean gain", Origin: report.Measured, Decimals: 1, Format: report.Signed},
		{Name: "gain low", Origin: report.Measured, Decimals: 1, Format: report.Signed}, {Name: "gain high", Origin: report.Measured, Decimals: 1, Format: report.Signed},
		{Name: "A12", Origin: report.Measured, Decimals: 2},
		{Name: "p rank-sum", Origin: report.Measured, Format: report.PValue}, {Name: "p signed-rank", Origin: report.Measured, Format: report.PValue}, {Name: "p Holm", Origin: report.Measured, Format: report.PValue},
		{Name: "of oracle %", Origin: report.Measured, Decimals: 0}, {Name: "of oracle low", Origin: report.Measured, Decimals: 0}, {Name: "of oracle high", Origin: report.Measured, Decimals: 0},
		{Name: "median", Origin: report.Published, Decimals: 1}, {Name: "median gain", Origin: report.Published, Decimals: 1, Format: report.Signed}, {Name: "A12", Origin: report.Published, Decimals: 2},
	}}
	for _, reachedOnly := range []bool{false, true} {
		sim, err := m.simulation(ctx, reachedOnly)
		if err != nil {
			return err
		}
		if sim == nil {
			r.Missing = append(r.Missing, "Figures without the mutants that no test reaches: the history does not hold what tests reach.")
			break
		}
		group := allMutants
		if reachedOnly {
			group = reachedMutants
		}
		for _, baseline := range c.baselines {
			got, err := simulate.Compare(ctx, sim, simulate.CompareOptions{Baseline: baseline, Bootstrap: m.bootstrap(), Measures: c.measures, Display: m.Display})
			if err != nil {
				return err
			}
			for _, row := range got.Rows {
				p := c.print(row, baseline)
				t.Add([]string{row.Measure, baseline, row.Strategy, group},
					row.Median, row.Mean, row.MedianDifference, row.MeanDifference, row.Low, row.High, row.A12, row.RankSumP, row.P, row.HolmP,
					row.OracleShare, row.OracleLow, row.OracleHigh, number.Float(p.median), number.Float(p.gain), number.Float(p.a12))
			}
		}
	}
	r.Tables = append(r.Tables, t)
	return nil
}

// print looks up what the source prints for a row: it has one learner, so that
// its figures stand beside every learner's strategy of that name.
func (c comparison) print(row simulate.ComparisonRow, baseline string) printedGain {
	if c.published != nil {
		if p, ok := c.published(bare(row.Strategy), row.Measure, baseline); ok {
			return p
		}
	}
	return printedGain{math.NaN(), math.NaN(), math.NaN()}
}

// bare is a strategy's name without its learner's.
func bare(strategy string) string {
	if _, name, found := strings.Cut(strategy, ": "); found {
		return name
	}
	return strategy
}

// revealedAt names measures of the simulation by budget.
func revealedAt(budgets ...string) []string {
	var out []string
	for _, b := range budgets {
		out = append(out, "revealed at "+b)
	}
	return out
}

// apfds are the measures by the three costs.
func apfds() []string {
	var out []string
	for _, c := range simulate.Costs() {
		out = append(out, "APFD ("+c.String()+")")
	}
	return out
}

// curve draws how many faults are found by how much analysis.
func (m *Material) curve(ctx context.Context, r *report.Answer) error {
	sim, err := m.simulation(ctx, false)
	if err != nil {
		return err
	}
	f := report.Figure{Name: "revelation-curve", Title: "Faults found by mutants analysed (mean over faults)", X: "mutants analysed (%)", Y: "faults revealed (%)", Kind: report.Lines}
	for k, name := range sim.Strategies {
		s := report.Series{Name: name, Origin: report.Measured, X: []number.Float{0}, Y: []number.Float{0}}
		for p := range 100 {
			s.X = append(s.X, number.Float(p+1))
			s.Y = append(s.Y, number.Float(100*mean(sim.Outcomes[k], func(o simulate.Outcome) float64 { return o.Revealed[p] })))
		}
		f.Series = append(f.Series, s)
	}
	r.Figures = append(r.Figures, f)
	return nil
}

// spread draws the distribution over faults of one figure by strategy.
func (m *Material) boxes(ctx context.Context, r *report.Answer, name, title, y string, of func(simulate.Outcome) float64) error {
	sim, err := m.simulation(ctx, false)
	if err != nil {
		return err
	}
	f := report.Figure{Name: name, Title: title, Y: y, Kind: report.Boxes, Labels: sim.Strategies}
	for k, strategy := range sim.Strategies {
		s := report.Series{Name: strategy, Origin: report.Measured}
		for _, o := range sim.Outcomes[k] {
			s.Y = append(s.Y, number.Float(of(o)))
		}
		f.Series = append(f.Series, s)
	}
	r.Figures = append(r.Figures, f)
	return nil
}

// effort tells what the repetitions that found the fault cost.
func (m *Material) effort(ctx context.Context, r *report.Answer) error {
	sim, err := m.simulation(ctx, false)
	if err != nil {
		return err
	}
	t := report.Table{Name: "effort", Title: "What it took to reveal a fault, where it was revealed (median over faults)", Keys: []string{"order"}, Columns: []report.Column{
		{Name: "faults ever revealed %", Origin: report.Measured, Decimals: 1}}}
	for _, c := range simulate.Costs() {
		t.Columns = append(t.Columns, report.Column{Name: c.String(), Origin: report.Measured, Decimals: 1})
	}
	t.Columns = append(t.Columns, report.Column{Name: "executions of mutants", Origin: report.Measured, Decimals: 0})
	for k, name := range sim.Strategies {
		values := []number.Float{number.Float(100 * mean(sim.Outcomes[k], func(o simulate.Outcome) float64 { return o.Ever }))}
		for _, c := range simulate.Costs() {
			values = append(values, median(sim.Outcomes[k], func(o simulate.Outcome) float64 { return o.Spent[c] }))
		}
		values = append(values, median(sim.Outcomes[k], func(o simulate.Outcome) float64 { return o.Runs }))
		t.Add([]string{name}, values...)
	}
	r.Tables = append(r.Tables, t)
	r.Notes = append(r.Notes, "An execution is one mutant on one test that reaches it; every mutant analysed is run on all of them. The source gives seconds of its machines instead.")
	return nil
}

// suiteScores tells what the suites are worth that selections lead to.
func (m *Material) suiteScores(ctx context.Context, r *report.Answer) error {
	budgets := []simulate.Budget{simulate.Share(predict.Percent(5)), simulate.Share(predict.Percent(10)), simulate.Share(predict.Percent(20))}
	t := report.Table{Name: "suite-scores", Title: "The suites that killing the selected mutants leads to (mean over faults)", Keys: []string{"selected", "order"}, Columns: []report.Column{
		{Name: "mutation score %", Origin: report.Measured, Decimals: 1}, {Name: "subsuming mutation score %", Origin: report.Measured, Decimals: 1}, {Name: "tests", Origin: report.Measured, Decimals: 1}}}
	rows := make([][]report.Row, len(budgets))
	for _, part := range m.parts() {
		scored, err := m.scored(ctx, part.contender)
		if err != nil {
			return err
		}
		got, err := simulateSuites(ctx, scored, simulate.Options{
			Strategies: part.strategies, Budgets: budgets, Repetitions: m.Repetitions, Seed: m.Seed, Workers: m.Workers, Display: m.Display})
		if err != nil {
			return err
		}
		for k, name := range got.Strategies {
			for b, budget := range got.Budgets {
				var sum [3][]float64
				for i := range got.Scores[k] {
					s := got.Scores[k][i][b]
					if !math.IsNaN(s.Mutation) {
						sum[0], sum[1], sum[2] = append(sum[0], 100*s.Mutation), append(sum[1], 100*s.Subsuming), append(sum[2], s.Tests)
					}
				}
				rows[b] = append(rows[b], report.Row{Keys: []string{budget, part.prefix() + name}, Values: []number.Float{
					number.Float(significance.Mean(sum[0])), number.Float(significance.Mean(sum[1])), number.Float(significance.Mean(sum[2]))}})
			}
		}
	}
	t.Rows = slices.Concat(rows...)
	r.Tables = append(r.Tables, t)
	r.Notes = append(r.Notes, "The source finds that on CoREBench FaRM leads to lower mutation and subsuming mutation scores than random order does; it prints no table of them.")
	return nil
}

func mean(outcomes []simulate.Outcome, of func(simulate.Outcome) float64) float64 {
	var values []float64
	for _, o := range outcomes {
		values = append(values, of(o))
	}
	return significance.Mean(values)
}

// median leaves out undefined values.
func median(outcomes []simulate.Outcome, of func(simulate.Outcome) float64) number.Float {
	var values []float64
	for _, o := range outcomes {
		if v := of(o); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return number.Float(significance.Median(values))
}

// simulationsNote says how the simulated sessions go.
func (m *Material) simulationsNote() string {
	return fmt.Sprintf("%d simulated sessions an order and fault: the mutants are analysed in order, each that can be killed by a random test that kills it, those dead already are passed over; figures are percent of the sessions. Gains are against the baseline of the row, intervals a bootstrap over problems, Holm's correction over the orders of one baseline and measure.", m.Repetitions)
}
