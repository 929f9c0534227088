package study

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/evaluate"
	"github.com/winnow-mutants/winnow/evaluate/significance"
	"github.com/winnow-mutants/winnow/predict"
)

// comparison is a table of strategies against baselines by measures of the
// simulation.
type comparison struct {
	name, title string
	// measures are names of evaluate.Comparison, baselines of strategies.
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
func (m *Material) compare(ctx context.Context, r *Result, c comparison) error {
	t := Table{Name: c.name, Title: c.title, Keys: []string{"measure", "baseline", "order", "mutants"}, Columns: []Column{
		{Name: "median", Origin: Measured, Decimals: 1}, {Name: "mean", Origin: Measured, Decimals: 1},
		{Name: "median gain", Origin: Measured, Decimals: 1, Format: Signed}, {Name: "mean gain", Origin: Measured, Decimals: 1, Format: Signed},
		{Name: "gain low", Origin: Measured, Decimals: 1, Format: Signed}, {Name: "gain high", Origin: Measured, Decimals: 1, Format: Signed},
		{Name: "A12", Origin: Measured, Decimals: 2},
		{Name: "p rank-sum", Origin: Measured, Format: PValue}, {Name: "p signed-rank", Origin: Measured, Format: PValue}, {Name: "p Holm", Origin: Measured, Format: PValue},
		{Name: "of oracle %", Origin: Measured, Decimals: 0}, {Name: "of oracle low", Origin: Measured, Decimals: 0}, {Name: "of oracle high", Origin: Measured, Decimals: 0},
		{Name: "median", Origin: Published, Decimals: 1}, {Name: "median gain", Origin: Published, Decimals: 1, Format: Signed}, {Name: "A12", Origin: Published, Decimals: 2},
	}}
	for _, reachedOnly := range []bool{false, true} {
		sim, err := m.game(ctx, reachedOnly)
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
			got, err := evaluate.Compare(ctx, sim, evaluate.CompareOptions{Baseline: baseline, Bootstrap: m.bootstrap(), Measures: c.measures, Display: m.Display})
			if err != nil {
				return err
			}
			for _, row := range got.Rows {
				p := c.print(row, baseline)
				t.Add([]string{row.Measure, baseline, row.Strategy, group},
					row.Median, row.Mean, row.MedianDifference, row.MeanDifference, row.Low, row.High, row.A12, row.RankSumP, row.P, row.HolmP,
					row.OracleShare, row.OracleLow, row.OracleHigh, evaluate.Number(p.median), evaluate.Number(p.gain), evaluate.Number(p.a12))
			}
		}
	}
	r.Tables = append(r.Tables, t)
	return nil
}

// print looks up what the source prints for a row: it has one learner, so that
// its figures stand beside every learner's strategy of that name.
func (c comparison) print(row evaluate.ComparisonRow, baseline string) printedGain {
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
	for _, c := range evaluate.Costs() {
		out = append(out, "APFD ("+c.String()+")")
	}
	return out
}

// curve draws how many faults are found by how much analysis.
func (m *Material) curve(ctx context.Context, r *Result) error {
	sim, err := m.game(ctx, false)
	if err != nil {
		return err
	}
	f := Figure{Name: "revelation-curve", Title: "Faults found by mutants analysed (mean over faults)", X: "mutants analysed (%)", Y: "faults revealed (%)", Kind: Lines}
	for k, name := range sim.Strategies {
		s := Series{Name: name, Origin: Measured, X: []evaluate.Number{0}, Y: []evaluate.Number{0}}
		for p := range 100 {
			s.X = append(s.X, evaluate.Number(p+1))
			s.Y = append(s.Y, evaluate.Number(100*mean(sim.Outcomes[k], func(o evaluate.Outcome) float64 { return o.Revealed[p] })))
		}
		f.Series = append(f.Series, s)
	}
	r.Figures = append(r.Figures, f)
	return nil
}

// spread draws the distribution over faults of one figure by strategy.
func (m *Material) boxes(ctx context.Context, r *Result, name, title, y string, of func(evaluate.Outcome) float64) error {
	sim, err := m.game(ctx, false)
	if err != nil {
		return err
	}
	f := Figure{Name: name, Title: title, Y: y, Kind: Boxes, Labels: sim.Strategies}
	for k, strategy := range sim.Strategies {
		s := Series{Name: strategy, Origin: Measured}
		for _, o := range sim.Outcomes[k] {
			s.Y = append(s.Y, evaluate.Number(of(o)))
		}
		f.Series = append(f.Series, s)
	}
	r.Figures = append(r.Figures, f)
	return nil
}

// effort tells what the repetitions that found the fault cost.
func (m *Material) effort(ctx context.Context, r *Result) error {
	sim, err := m.game(ctx, false)
	if err != nil {
		return err
	}
	t := Table{Name: "effort", Title: "What it took to reveal a fault, where it was revealed (median over faults)", Keys: []string{"order"}, Columns: []Column{
		{Name: "faults ever revealed %", Origin: Measured, Decimals: 1}}}
	for _, c := range evaluate.Costs() {
		t.Columns = append(t.Columns, Column{Name: c.String(), Origin: Measured, Decimals: 1})
	}
	t.Columns = append(t.Columns, Column{Name: "executions of mutants", Origin: Measured, Decimals: 0})
	for k, name := range sim.Strategies {
		values := []evaluate.Number{evaluate.Number(100 * mean(sim.Outcomes[k], func(o evaluate.Outcome) float64 { return o.Ever }))}
		for _, c := range evaluate.Costs() {
			values = append(values, median(sim.Outcomes[k], func(o evaluate.Outcome) float64 { return o.Spent[c] }))
		}
		values = append(values, median(sim.Outcomes[k], func(o evaluate.Outcome) float64 { return o.Runs }))
		t.Add([]string{name}, values...)
	}
	r.Tables = append(r.Tables, t)
	r.Notes = append(r.Notes, "An execution is one mutant on one test that reaches it; every mutant analysed is run on all of them. The source gives seconds of its machines instead.")
	return nil
}

// suiteScores tells what the suites are worth that selections lead to.
func (m *Material) suiteScores(ctx context.Context, r *Result) error {
	budgets := []evaluate.Budget{evaluate.Share(predict.Percent(5)), evaluate.Share(predict.Percent(10)), evaluate.Share(predict.Percent(20))}
	t := Table{Name: "suite-scores", Title: "The suites that killing the selected mutants leads to (mean over faults)", Keys: []string{"selected", "order"}, Columns: []Column{
		{Name: "mutation score %", Origin: Measured, Decimals: 1}, {Name: "subsuming mutation score %", Origin: Measured, Decimals: 1}, {Name: "tests", Origin: Measured, Decimals: 1}}}
	rows := make([][]Row, len(budgets))
	for _, part := range m.parts() {
		scored, err := m.scored(ctx, part.contender)
		if err != nil {
			return err
		}
		got, err := evaluate.SimulateSuites(ctx, scored, evaluate.SimulateOptions{
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
				rows[b] = append(rows[b], Row{Keys: []string{budget, part.prefix() + name}, Values: []evaluate.Number{
					evaluate.Number(significance.Mean(sum[0])), evaluate.Number(significance.Mean(sum[1])), evaluate.Number(significance.Mean(sum[2]))}})
			}
		}
	}
	t.Rows = slices.Concat(rows...)
	r.Tables = append(r.Tables, t)
	r.Notes = append(r.Notes, "The source finds that on CoREBench FaRM leads to lower mutation and subsuming mutation scores than random order does; it prints no table of them.")
	return nil
}

func mean(outcomes []evaluate.Outcome, of func(evaluate.Outcome) float64) float64 {
	var values []float64
	for _, o := range outcomes {
		values = append(values, of(o))
	}
	return significance.Mean(values)
}

// median leaves out undefined values.
func median(outcomes []evaluate.Outcome, of func(evaluate.Outcome) float64) evaluate.Number {
	var values []float64
	for _, o := range outcomes {
		if v := of(o); !math.IsNaN(v) {
			values = append(values, v)
		}
	}
	return evaluate.Number(significance.Median(values))
}

// gamesNote says how the simulated sessions go.
func (m *Material) gamesNote() string {
	return fmt.Sprintf("%d simulated sessions an order and fault: the mutants are analysed in order, each that can be killed by a random test that kills it, those dead already are passed over; figures are percent of the sessions. Gains are against the baseline of the row, intervals a bootstrap over problems, Holm's correction over the orders of one baseline and measure.", m.Repetitions)
}
