package evaluate

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/winnow-mutants/winnow/evaluate/significance"
	"github.com/winnow-mutants/winnow/internal/golden"
	"github.com/winnow-mutants/winnow/predict"
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
	sameNaN = cmp.Comparer(func(a, b Number) bool {
		return a == b || math.Abs(float64(a-b)) < 1e-9 || math.IsNaN(float64(a)) && math.IsNaN(float64(b))
	})
)

func TestAComparisonHoldsTheFiguresOfAHandmadeSimulation(t *testing.T) {
	c := compare(t, handmade(), CompareOptions{})
	nan := Number(math.NaN())
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

// study runs everything on small made-up subjects.
func study(t *testing.T) (*Comparison, []*Quality) {
	t.Helper()
	subjects := learnable(rand.New(rand.NewPCG(8, 8)), 12)
	boot := significance.Bootstrap{Replicates: 100, Seed: 1}
	fault, err := CrossValidate(t.Context(), subjects, label(t, "fault-revealing"), firstColumn, CrossValidateOptions{Folds: 4, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	quality, err := Assess(t.Context(), subjects, label(t, "fault-revealing"), fault, boot)
	if err != nil {
		t.Fatal(err)
	}
	scored, err := WithScores(subjects, fault, nil)
	if err != nil {
		t.Fatal(err)
	}
	sim := simulate(t, scored, SimulateOptions{
		Strategies: []predict.Strategy{predict.FaRM, predict.FaRMStar, predict.Random}, Repetitions: 20, Seed: 1,
		Budgets: []Budget{Share(predict.Percent(5)), Share(predict.Percent(20))},
	})
	return compare(t, sim, CompareOptions{Bootstrap: boot}), []*Quality{quality}
}

func TestTheTablesLookLikeTheGoldenFiles(t *testing.T) {
	c, q := study(t)
	for name, write := range map[string]func(*bytes.Buffer) error{
		"comparison.txt":  func(b *bytes.Buffer) error { return c.WriteText(b) },
		"comparison.csv":  func(b *bytes.Buffer) error { return c.WriteCSV(b) },
		"comparison.json": func(b *bytes.Buffer) error { return c.WriteJSON(b) },
		"quality.txt":     func(b *bytes.Buffer) error { return WriteQualityText(b, q) },
		"quality.csv":     func(b *bytes.Buffer) error { return WriteQualityCSV(b, q) },
		"quality.json":    func(b *bytes.Buffer) error { return WriteQualityJSON(b, q) },
	} {
		var out bytes.Buffer
		if err := write(&out); err != nil {
			t.Fatal(err)
		}
		golden.Check(t, filepath.Join("testdata", name+".golden"), out.Bytes())
	}
}

func TestJSONAndCSVHoldTheSameFigures(t *testing.T) {
	c, _ := study(t)
	var asJSON, asCSV bytes.Buffer
	if err := errors.Join(c.WriteJSON(&asJSON), c.WriteCSV(&asCSV)); err != nil {
		t.Fatal(err)
	}
	var back Comparison
	if err := json.Unmarshal(asJSON.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	exact := cmp.Comparer(func(a, b Number) bool { return a == b || a != a && b != b })
	if diff := cmp.Diff(*c, back, exact); diff != "" {
		t.Error("JSON does not read back:", diff)
	}
	rows, err := csv.NewReader(&asCSV).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(c.Rows)+1 {
		t.Fatalf("%d CSV lines for %d rows", len(rows), len(c.Rows))
	}
	for i, r := range c.Rows {
		if rows[i+1][0] != r.Measure || rows[i+1][1] != r.Strategy || rows[i+1][3] != r.Mean.csv() || len(rows[i+1]) != len(rows[0]) {
			t.Errorf("CSV line %v for %+v", rows[i+1], r)
		}
	}
}

func TestUndefinedFiguresAreNeverZeros(t *testing.T) {
	nan := Number(math.NaN())
	text, err := json.Marshal([]Number{nan, 0, Number(math.Inf(1))})
	if err != nil || string(text) != "[null,0,null]" {
		t.Errorf("JSON %s, %v", text, err)
	}
	if nan.csv() != "" || nan.text(2) != "-" || nan.signed(2) != "-" || nan.pValue() != "-" {
		t.Error("an undefined figure is printed as a number")
	}
	if Number(-0.001).text(1) != "0.0" || Number(0.001).signed(1) != "0.0" || Number(1.25).signed(1) != "+1.2" || Number(-3).signed(0) != "-3" {
		t.Error("signs of rounded figures")
	}
	if Number(.00001).pValue() != "<.0001" || Number(.05).pValue() != "0.0500" {
		t.Error("p-values")
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestAFailingWriterIsReported(t *testing.T) {
	c, q := study(t)
	for name, err := range map[string]error{
		"text": c.WriteText(fullDisk{}), "csv": c.WriteCSV(fullDisk{}), "json": c.WriteJSON(fullDisk{}),
		"quality text": WriteQualityText(fullDisk{}, q), "quality csv": WriteQualityCSV(fullDisk{}, q), "quality json": WriteQualityJSON(fullDisk{}, q),
	} {
		if err == nil {
			t.Errorf("%s: a full disk went unnoticed", name)
		}
	}
}
