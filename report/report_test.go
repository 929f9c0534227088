package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/simulate"
	"github.com/winnow-mutants/winnow/internal/golden"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// example is a ranking with everything that tables have to cope with.
func example() *Ranking {
	return &Ranking{
		Program: "calendar", Model: "codeflaws 1", Strategy: "farm*", Seed: 7, Total: 812,
		Mutants: []Ranked{
			{ID: "3f2a", File: "src/calendar.c", Line: 12, Column: 9, Function: "leap", Operator: "relational", Type: "LT!LE",
				Original: "i < n", Replacement: "i <= n", Rank: 1, PFault: 0.8125, PKill: 1,
				Reasons: []Reason{{"loop_depth", 2, 0.41}, {"change_boundary", 1, 0.3}, {"function_mutants_share", 0.0123456, -0.2}}},
			{ID: "9c01", File: "src/calendar.c", Line: 140, Column: 21, Function: "days_between", Operator: "statement", Type: "STMT!NONE",
				Original:    "total = total + days_of(year, month) * factor(kind) + remainder;",
				Replacement: ";", Rank: 2, PFault: 0.25, PKill: Probability(math.NaN()),
				Reasons: []Reason{{"a_feature_with_a_name_that_is_longer_than_any_column_should_ever_be", 1, -0.1}, {"b", 0, 0.1}}},
			{ID: "77aa", File: "x.c", Operator: "literal", Type: "C!NEG", Rank: 3,
				Original:    "first(argument_one, argument_two) + second(argument_three, 1)\n  + third",
				Replacement: "first(argument_one, argument_two) + second(argument_three, -1)\n  + third"},
		},
		Skipped: []string{"src/calendar.c: fail: callbr"},
	}
}

func TestTheTableOfARankingFitsItsTexts(t *testing.T) {
	var out bytes.Buffer
	if err := example().WriteTable(&out, TableOptions{Explain: true}); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/ranking.txt", out.Bytes())
	var plain bytes.Buffer
	if err := (&Ranking{Program: "p", Strategy: "random", Total: 1, Mutants: []Ranked{{File: "a.c", Line: 1, Column: 2, Function: "f", Original: "a", Replacement: "b", Rank: 1}}}).WriteTable(&plain, TableOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := plain.String(); strings.Contains(got, "p(fault)") || strings.Contains(got, "why") || !strings.Contains(got, "no model") {
		t.Errorf("without a model:\n%s", got)
	}
}

func TestAChangeShowsWhereTheTextsDiffer(t *testing.T) {
	long := strings.Repeat("x", 100)
	for _, c := range []struct{ a, b, want string }{
		{"a", "b", "a → b"},
		{"s = 1;\n\tt", ";", "s = 1; t → ;"},
		{long + "1" + long, long + "2" + long, "…xxxxxxxxxx1xxxxxxxxxx… → …xxxxxxxxxx2xxxxxxxxxx…"},
		{long, "", strings.Repeat("x", 60) + "… → "},
		{long + "a", long + "aa", "…xxxxxxxxxa → …xxxxxxxxxaa"},
		{`strspn(text, "0123456789-") != strlen(text)`, `strspn(text, "0123456789-") == strlen(text)`, `strspn(text, "0123456789-") != strlen(text) → … == …`},
		{"rest >= days_in_month(d.year, d.month)", "rest = days_in_month(d.year, d.month)", "rest >= days_in_month(d.year, d.month) → … = …"},
		{"context->state[1] = SHA1_INITIAL_STATE_OF_ONE", "context->state[1] = 0", "context->state[1] = SHA1_INITIAL_STATE_OF_ONE → … = 0"},
		{"first(of, them, all) + second(of, them) + third", "first(of, them, all) + third", "…m, all) + second(of, them) + third → …m, all) + third"},
		{"push_aff(s, line, col, pwaff) < 0", "(push_aff(s, line, col, pwaff) < 0) - 1", "push_a… < 0 → (push_a… < 0) - 1"},
		{"sb.valid & ZIP_STAT_NAME", "(unsigned long)(ZIP_STAT_NAME < sb.valid)", "sb.valid & ZIP_ST…NAME → (unsigned long)(ZIP_ST…NAME < sb.valid)"},
		{strings.Repeat("a1", 20), strings.Repeat("b2", 30), "a1a1a1a1a1a1a1a1a1a1a1a1a1a1a… → b2b2b2b2b2b2b2b2b2b2b2b2b2b2b…"},
		{"k", "k + " + strings.Repeat("b2", 40), "k → k + b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b…"},
	} {
		if got := ChangeText(c.a, c.b); got != c.want {
			t.Errorf("%.20q → %.20q: %q, want %q", c.a, c.b, got, c.want)
		}
	}
}

func FuzzAChangeIsNarrowAndTellsTextsApart(f *testing.F) {
	f.Add("i < n", "i <= n")
	f.Add(strings.Repeat("ab", 60), strings.Repeat("ab", 59)+"a")
	f.Fuzz(func(t *testing.T, a, b string) {
		got := ChangeText(a, b)
		if n := len([]rune(got)); n > maxChange {
			t.Errorf("%q is %d characters long", got, n)
		}
		if strings.ContainsAny(got, "\n\t") {
			t.Errorf("%q breaks the table", got)
		}
		if string([]rune(oneLine(a))) != string([]rune(oneLine(b))) && got == ChangeText(a, a) {
			t.Errorf("%q → %q looks like no change: %q", a, b, got)
		}
	})
}

func TestTheJSONOfARankingHasTheFieldsPromised(t *testing.T) {
	var out bytes.Buffer
	if err := example().WriteJSON(&out); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Program  *string `json:"program"`
		Model    *string `json:"model"`
		Strategy *string `json:"strategy"`
		Mutants  []map[string]any
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if got.Program == nil || got.Model == nil || got.Strategy == nil || len(got.Mutants) != 3 {
		t.Fatalf("%s", out.Bytes())
	}
	for _, field := range []string{"id", "file", "line", "column", "function", "operator", "original", "replacement", "rank", "p_fault", "p_kill"} {
		if _, ok := got.Mutants[0][field]; !ok {
			t.Errorf("a mutant lacks %s", field)
		}
	}
	if value, ok := got.Mutants[1]["p_kill"]; !ok || value != nil {
		t.Errorf("a probability that is not known is %v, want null", value)
	}
	if got.Mutants[0]["p_kill"] != 1.0 || got.Mutants[0]["original"] != "i < n" {
		t.Errorf("mutant %v", got.Mutants[0])
	}
	if !strings.Contains(out.String(), `"i <= n"`) {
		t.Error("C text is escaped as if for HTML")
	}
}

func TestARankingSurvivesTheWayToParquetAndBack(t *testing.T) {
	var out bytes.Buffer
	if err := example().WriteParquet(&out); err != nil {
		t.Fatal(err)
	}
	got, err := table.Decode(bytes.NewReader(out.Bytes()), int64(out.Len()), "ranking.parquet")
	if err != nil {
		t.Fatal(err)
	}
	want, err := example().Table()
	if err != nil {
		t.Fatal(err)
	}
	if !got.Equal(want) || got.Rows() != 3 {
		t.Error("the table read is not the table written")
	}
	kill, err := got.Floats("p_kill")
	if err != nil || !math.IsNaN(kill[1]) {
		t.Errorf("a probability that is not known is %v, %v, want NaN", kill, err)
	}
	for key, value := range map[string]string{dataset.RankingStrategy: "farm*", dataset.RankingSeed: "7", dataset.RankingModel: "codeflaws 1"} {
		if got.Meta[key] != value {
			t.Errorf("metadata %s is %q, want %q", key, got.Meta[key], value)
		}
	}
	// What a run folder holds is the beginning of it.
	names := dataset.RankingSchema().Names()
	head, err := got.Select(names...)
	if err != nil {
		t.Fatal(err)
	}
	if d := dataset.RankingSchema().Difference(head.Schema()); d != "" {
		t.Error(d)
	}
}

func TestTheSummaryOfRunsNamesWhatWasNotUsed(t *testing.T) {
	var out bytes.Buffer
	err := WriteRuns(&out, []*Run{
		{Program: "calendar", Fault: "leap", Mutants: 200, Tests: 30, Killed: 150, Survived: 49, Unknown: 1,
			Causes: map[string]int{"output": 120, "exit": 30, "work": 3}, SetAside: []string{"clock: flaky"}, Audited: 40, Disagreed: 2},
		{Program: "empty", Skipped: []string{"empty.c: f: callbr"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/runs.txt", out.Bytes())
}

func TestTheSummaryOfAnEvaluationSetsOrdersSideBySide(t *testing.T) {
	nan := number.Float(math.NaN())
	row := func(measure, strategy string, mean number.Float) simulate.ComparisonRow {
		r := simulate.ComparisonRow{Measure: measure, Strategy: strategy, Mean: mean}
		r.MeanDifference, r.Low, r.High, r.A12, r.HolmP, r.OracleShare = 12.345, -1, 20.55, 0.61, 0.00001, 40.4
		if strategy == "random" {
			r.MeanDifference, r.Low, r.High, r.A12, r.HolmP, r.OracleShare = nan, nan, nan, nan, nan, nan
		}
		return r
	}
	s := &experiment.Evaluation{
		Subjects: 3, Mutants: 40, Folds: 2,
		Qualities: []*crossval.Quality{{Learnt: "fault-revealing", Judged: "fault-revealing", AUC: 0.7, AUCLow: nan, AUCHigh: nan, SubjectAUCMean: 0.65, BaseRate: 0.1}},
		Comparison: &simulate.Comparison{Baseline: "random", Subjects: 3, Problems: 2, Repetitions: 100, Rows: []simulate.ComparisonRow{
			row("revealed at 2%", "farm", 10), row("revealed at 2%", "random", 8),
			row("revealed at 5%", "farm", 33.333), row("revealed at 5%", "random", 20),
			row("APFD (mutants analysed)", "farm", 90), row("APFD (mutants analysed)", "random", nan),
		}},
	}
	var out bytes.Buffer
	if err := WriteSummary(&out, s); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, "testdata/evaluation.txt", out.Bytes())
	out.Reset()
	if err := WriteDetails(&out, s); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "APFD (mutants analysed)") {
		t.Errorf("the details lack a measure:\n%s", out.String())
	}
	text, err := json.Marshal(s)
	if err != nil || !strings.Contains(string(text), `"auc_low":null`) {
		t.Errorf("a figure that is not defined is not null: %s, %v", text, err)
	}
}

func TestTestsThatAreNotUsedForOneReasonAreNamedTogether(t *testing.T) {
	aside := []string{"a: it fails", "b: flaky: it ends with 1, and with 0"}
	for i := range 7 {
		aside = append(aside, fmt.Sprintf("c%d: it says that it was skipped", i))
	}
	want := []string{"test not used: a: it fails", "test not used: b: flaky: it ends with 1, and with 0",
		"7 tests not used: c0, c1, c2, c3, c4, …: it says that it was skipped"}
	if got := NotUsed(aside); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := NotUsed([]string{"a: x", "b: x"}); !slices.Equal(got, []string{"2 tests not used: a, b: x"}) {
		t.Errorf("%q", got)
	}
}
