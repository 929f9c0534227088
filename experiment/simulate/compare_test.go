package simulate

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/winnow-mutants/winnow/experiment/significance"
	"github.com/winnow-mutants/winnow/internal/number"
)

// handmade is a simulation of five faults of four problems with one budget,
// whose figures are easy to follow: random reveals 10 % more from fault to
// fault, farm 20 points more than that, and the oracle all.
func handmade() *Simulation {
	sim := &Simulation{
		Budgets: []string{"5%"}, Repetitions: 10,
		Strategies: []string{"farm", "random", OracleName},
		Subjects:   []string{"a", "b", "c", "d", "e"}, Problems: []string{"p", "q", "r", "s", "s"},
	}
	for _, reveal := range []func(i int) float64{
		func(i int) float64 { return float64(i+3) / 10 },
		func(i int) float64 { return float64(i+1) / 10 },
		func(int) float64 { return 1 },
	} {
		var outcomes []Outcome
		for i := range 5 {
			r := reveal(i)
			outcomes = append(outcomes, Outcome{Revealed: []float64{r}, APFD: [costs]float64{r, r, .5}, Ever: r})
		}
		sim.Outcomes = append(sim.Outcomes, outcomes)
	}
	return sim
}

func compare(t *testing.T, sim *Simulation, opts CompareOptions) *Comparison {
	t.Helper()
	c, err := Compare(t.Context(), sim, opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func row(t *testing.T, c *Comparison, measure, strategy string) ComparisonRow {
	t.Helper()
	at := slices.IndexFunc(c.Rows, func(r ComparisonRow) bool { return r.Measure == measure && r.Strategy == strategy })
	if at < 0 {
		t.Fatalf("no row for %s, %s", measure, strategy)
	}
	return c.Rows[at]
}

var (
	approx  = cmpopts.EquateApprox(0, 1e-9)
	sameNaN = cmp.Comparer(func(a, b number.Float) bool {
		return a == b || math.Abs(float64(a-b)) < 1e-9 || math.IsNaN(float64(a)) && math.IsNaN(float64(b))
	})
)

func TestAComparisonHoldsTheFiguresOfAHandmadeSimulation(t *testing.T) {
	c := compare(t, handmade(), CompareOptions{})
	nan := number.Float(math.NaN())
	// Of the 25 pairs of 30..70 and 10..50, farm wins 19 and ties 3. All five
	// differences have one sign: p = 2/32. Only one contender is tested, so
	// Holm changes nothing. The rank-sum test is package significance's to
	// test.
	got := row(t, c, "revealed at 5%", "farm")
	want := ComparisonRow{
		Measure: "revealed at 5%", Strategy: "farm", Median: 50, Mean: 50, MedianDifference: 20, MeanDifference: 20, Low: 20, High: 20,
		A12: 20.5 / 25, RankSumP: got.RankSumP, P: 2.0 / 32, HolmP: 2.0 / 32, OracleShare: 100 * 20.0 / 70,
		OracleLow: got.OracleLow, OracleHigh: got.OracleHigh,
	}
	if diff := cmp.Diff(want, got, approx, sameNaN); diff != "" {
		t.Error(diff)
	}
	// The oracle's gain is 50 to 90 points, so the share of a resample lies
	// between 20/90 and 20/50.
	if got.OracleLow < 100*20.0/90 || got.OracleLow >= got.OracleShare || got.OracleHigh <= got.OracleShare || got.OracleHigh > 100*20.0/50 {
		t.Errorf("share of the oracle %v, interval %v to %v", got.OracleShare, got.OracleLow, got.OracleHigh)
	}
	random := row(t, c, "revealed at 5%", "random")
	if diff := cmp.Diff(ComparisonRow{
		Measure: "revealed at 5%", Strategy: "random", Median: 30, Mean: 30, MedianDifference: nan, MeanDifference: nan,
		Low: nan, High: nan, A12: nan, RankSumP: nan, P: nan, HolmP: nan, OracleShare: nan, OracleLow: nan, OracleHigh: nan,
	}, random, approx, sameNaN); diff != "" {
		t.Error(diff)
	}
	if o := row(t, c, "revealed at 5%", OracleName); o.OracleShare != 100 || o.MeanDifference != 70 || !math.IsNaN(float64(o.HolmP)) {
		t.Errorf("oracle %+v", o)
	}
	// All reach the same APFD by tests: nothing to gain, no evidence.
	flat := row(t, c, "APFD (tests required)", "farm")
	if flat.MeanDifference != 0 || flat.P != 1 || flat.A12 != .5 || !math.IsNaN(float64(flat.OracleShare)) {
		t.Errorf("no difference: %+v", flat)
	}
	if c.Problems != 4 || c.Subjects != 5 {
		t.Errorf("%d subjects of %d problems", c.Subjects, c.Problems)
	}
}

// Another ceiling is shown like the oracle, with its share of what that gains, and
// makes no other test stricter.
func TestACeilingIsNoContender(t *testing.T) {
	sim := handmade()
	without := compare(t, handmade(), CompareOptions{})
	sim.Strategies = slices.Insert(sim.Strategies, 2, KillableOracleName)
	sim.Outcomes = slices.Insert(sim.Outcomes, 2, sim.Outcomes[0])
	c := compare(t, sim, CompareOptions{})
	for _, name := range []string{"farm", "random", OracleName} {
		if diff := cmp.Diff(row(t, without, "revealed at 5%", name), row(t, c, "revealed at 5%", name), sameNaN); diff != "" {
			t.Error(diff)
		}
	}
	farm, ceiling := row(t, c, "revealed at 5%", "farm"), row(t, c, "revealed at 5%", KillableOracleName)
	if ceiling.OracleShare != farm.OracleShare || !math.IsNaN(float64(ceiling.HolmP)) || ceiling.P != farm.P {
		t.Errorf("%+v, as a contender %+v", ceiling, farm)
	}
}

func TestAnyStrategyCanBeTheBaseline(t *testing.T) {
	c := compare(t, handmade(), CompareOptions{Baseline: "farm"})
	if r := row(t, c, "revealed at 5%", "random"); math.Abs(float64(r.MeanDifference)+20) > 1e-9 || r.A12 >= .5 {
		t.Errorf("random against farm: %+v", r)
	}
	if _, err := Compare(t.Context(), handmade(), CompareOptions{Baseline: "spread"}); err == nil || !strings.Contains(err.Error(), "farm, random") {
		t.Errorf("a baseline that was not simulated: error %v", err)
	}
	if _, err := Compare(t.Context(), handmade(), CompareOptions{Bootstrap: significance.Bootstrap{Level: 2}}); err == nil {
		t.Error("a confidence level of 2 was accepted")
	}
}
