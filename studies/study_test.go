package studies

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/experiment/subject/subjecttest"
	"github.com/winnow-mutants/winnow/internal/number"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// madeUp is a small history: faults with mutants that two noisy features tell
// something about.
func madeUp(t *testing.T, faults int) *Material {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	m := &Material{Grouped: "problem", Repetitions: 5, Suites: 50, Seed: 1, Split: crossval.Options{Folds: 3, Seed: 1}}
	for i := range faults {
		const tests = 20
		s := subject.Subject{Program: fmt.Sprint("p", i), Problem: fmt.Sprint("q", i/2), Fault: "f", Class: []string{"DCCR", "OILN"}[i%2],
			Columns: []string{"kill_hint", "fault_hint"}, Reveals: matrix.BitsOf(tests, 0, 1, 2)}
		var rows [][]float64
		for k := range 40 {
			kill, reached := matrix.NewBits(tests), matrix.NewBits(tests)
			hints := []float64{rng.Float64(), rng.Float64()}
			if k%5 > 0 {
				for range 1 + rng.IntN(5) {
					test := rng.IntN(tests)
					kill.Set(test)
					reached.Set(test)
				}
				hints[0] += 0.4
			}
			if k%7 == 1 {
				kill = matrix.BitsOf(tests, rng.IntN(3))
				reached.Or(kill)
				hints[1] += 0.5
			}
			if k%10 > 0 {
				reached.Set(rng.IntN(tests))
			}
			infected := kill.Clone()
			infected.Or(reached)
			s.Kills, s.Reached, s.Infected = append(s.Kills, kill), append(s.Reached, reached), append(s.Infected, infected)
			rows = append(rows, hints)
			replacer := "SUB"
			if k%20 == 0 {
				replacer = "DELSTMT"
			}
			s.Mutants = append(s.Mutants, predict.Score{ID: fmt.Sprintf("m%02d", k), Statement: k / 4, Operator: []string{"arithmetic", "statement"}[k%2],
				Matcher: "ADD", Replacer: replacer, Fault: math.NaN(), Kill: math.NaN()})
		}
		s.Features = subjecttest.Pack(rows)
		m.Faulty = append(m.Faulty, s)
	}
	label, err := dataset.LookupLabel("fault-revealing")
	if err != nil {
		t.Fatal(err)
	}
	byHint := func(_ context.Context, set crossval.TrainingSet) (crossval.Predictor, error) {
		column := slices.Index([]string{"killable", "fault-revealing"}, set.Label)
		return func(rows *crossval.Rows) ([]float64, error) {
			out := rows.Column(column)
			for i := range out {
				out[i] /= 2
			}
			return out, nil
		}, nil
	}
	m.Contenders = []Contender{{Name: "hints", Doc: "scores by a hint", FaultLabel: label, Fit: byHint}}
	return m
}

func answer(t *testing.T, m *Material, name string) *report.Answer {
	t.Helper()
	at := slices.IndexFunc(All(), func(s Study) bool { return s.Name == name })
	if at < 0 {
		t.Fatalf("no study is called %s", name)
	}
	r, err := All()[at].Answer(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func table(t *testing.T, r *report.Answer, name string) report.Table {
	t.Helper()
	at := slices.IndexFunc(r.Tables, func(t report.Table) bool { return t.Name == name })
	if at < 0 {
		t.Fatalf("%s has no table %s", r.Study, name)
	}
	return r.Tables[at]
}

// value is the number of the row with the given keys in a column.
func value(t *testing.T, tab report.Table, origin report.Origin, column string, keys ...string) float64 {
	t.Helper()
	c := slices.IndexFunc(tab.Columns, func(c report.Column) bool { return c.Name == column && c.Origin == origin })
	r := slices.IndexFunc(tab.Rows, func(r report.Row) bool { return slices.Equal(r.Keys, keys) })
	if c < 0 || r < 0 {
		t.Fatalf("table %s has no %s column %q or no row %v", tab.Name, origin, column, keys)
	}
	return float64(tab.Rows[r].Values[c])
}

func TestEveryStudyAnswersAndTheNumberOfWorkersDoesNotMatter(t *testing.T) {
	one, three := madeUp(t, 8), madeUp(t, 8)
	one.Workers, one.Split.Workers, three.Workers, three.Split.Workers = 1, 1, 3, 3
	for _, s := range All() {
		if s.Name == "" || s.Title == "" || s.Question == "" || s.Source == "" {
			t.Errorf("study %q lacks a part", s.Name)
		}
		var texts [2]bytes.Buffer
		for i, m := range []*Material{one, three} {
			if err := json.NewEncoder(&texts[i]).Encode(answer(t, m, s.Name)); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(texts[0].Bytes(), texts[1].Bytes()) {
			t.Errorf("%s: one worker and three give different answers", s.Name)
		}
	}
}

func TestAStudyRefusesFeaturesThatKnowTheAnswer(t *testing.T) {
	m := madeUp(t, 8)
	for i := range m.Faulty {
		s := &m.Faulty[i]
		rows := s.Features.Dense()
		for k := range rows {
			if !s.Kills[k].Empty() {
				rows[k][0] += 10
			}
		}
		s.Features = subjecttest.Pack(rows)
	}
	if _, err := rq1.Answer(t.Context(), m); err == nil || !strings.Contains(err.Error(), "kill_hint") {
		t.Errorf("error %v", err)
	}
}

func TestTheIndicatorsOfTheWorkedExample(t *testing.T) {
	// K: m1 {t1}, m2 {t1, t2}, m3 {t1}, m4 {t3}, m5 {}; I: m1 {t1, t2},
	// m2 {t1, t2}, m3 all, m4 {t3}, m5 {t2}; R = {t1}.
	s := subject.Subject{Program: "p", Fault: "f", Reveals: matrix.BitsOf(4, 0),
		Kills:    []matrix.Bits{matrix.BitsOf(4, 0), matrix.BitsOf(4, 0, 1), matrix.BitsOf(4, 0), matrix.BitsOf(4, 2), matrix.NewBits(4)},
		Infected: []matrix.Bits{matrix.BitsOf(4, 0, 1), matrix.BitsOf(4, 0, 1), matrix.BitsOf(4, 0, 1, 2, 3), matrix.BitsOf(4, 2), matrix.BitsOf(4, 1)}}
	for i := range 5 {
		s.Mutants = append(s.Mutants, predict.Score{ID: fmt.Sprint("m", i+1), Operator: "o"})
	}
	m := &Material{Faulty: []subject.Subject{s}}
	prevalence := table(t, answer(t, m, "indicators"), "prevalence")
	for name, want := range map[string]float64{
		"killable": 4, "FR-1.0": 2, "FR-0.9": 2, "subsuming": 3, "Hard-0.050": 0, "HardP-0.25": 1, "HardP-0.10": 0,
		"non-duplicated": 2, "one per class": 3, "disjoint": 2, "minimal": 2,
	} {
		if got := value(t, prevalence, report.Measured, "mutants", name); got != want {
			t.Errorf("%s: %v mutants, want %v", name, got, want)
		}
	}
	overlap := table(t, answer(t, m, "indicators"), "overlap")
	if got := value(t, overlap, report.Measured, "FR-1.0", "subsuming"); math.Abs(got-200.0/3) > 1e-9 {
		t.Errorf("of the subsuming %v %% are fault-revealing, want two of three", got)
	}
	m.Faulty[0].Infected = nil
	r := answer(t, m, "indicators")
	if got := value(t, table(t, r, "prevalence"), report.Measured, "mutants", "HardP-0.25"); !math.IsNaN(got) || len(r.Missing) == 0 {
		t.Errorf("without infections HardP is %v, missing %v", got, r.Missing)
	}
	// A mutant with a verdict that is not known leaves the population.
	m.Faulty[0].Unknown = []matrix.Bits{matrix.BitsOf(4, 3), matrix.NewBits(4), matrix.NewBits(4), matrix.NewBits(4), matrix.NewBits(4)}
	if got := value(t, table(t, answer(t, m, "indicators"), "prevalence"), report.Measured, "mutants", "FR-1.0"); got != 1 {
		t.Errorf("without m1 %v mutants are FR-1.0, want m3 alone", got)
	}
}

func TestCouplingRegionsAddUp(t *testing.T) {
	m := madeUp(t, 8)
	r := answer(t, m, "criteria")
	faults, strong := 0.0, 0.0
	for _, row := range table(t, r, "coupling-regions").Rows {
		faults += float64(row.Values[0])
		if strings.Contains(row.Keys[0], "strong mutation") {
			strong += float64(row.Values[0])
		}
	}
	if faults != 8 || strong != value(t, table(t, r, "coupling"), report.Measured, "faults", "strong mutation") {
		t.Errorf("regions hold %v faults, %v of strong mutation", faults, strong)
	}
	// The printed Venn diagram: 55 = 53 + 2, branch = 26 + 3, weak = 26 + 5.
	if publishedCoupled["strong mutation"]+2 != publishedFaults-6 || publishedCoupled["branch"] != 26+3 || publishedCoupled["weak mutation"] != 26+5 {
		t.Errorf("published couplings %v do not agree with the figures", publishedCoupled)
	}
	if !slices.ContainsFunc(r.Missing, func(s string) bool { return strings.HasPrefix(s, "branch") }) {
		t.Errorf("branch coverage is not recorded, and is not missed: %v", r.Missing)
	}
}

// reading reads fixed versions that are there.
func reading(fixed map[string]*subject.Subject) func(context.Context) (map[string]*subject.Subject, error) {
	return func(context.Context) (map[string]*subject.Subject, error) { return fixed, nil }
}

// withBranches makes the branches of a subject known: what each mutant's place is
// reached by.
func withBranches(s *subject.Subject) { s.Branches = s.Reached }

func TestFaultsWithoutACriterionAreLeftOutWhenTheyAreFew(t *testing.T) {
	m := madeUp(t, 12)
	for i := range m.Faulty[1:] {
		withBranches(&m.Faulty[1+i])
	}
	r := answer(t, m, "criteria")
	if len(r.Missing) != 1 || !strings.Contains(r.Missing[0], "clean program") {
		t.Errorf("missing: %v", r.Missing)
	}
	if !slices.ContainsFunc(r.Notes, func(s string) bool { return strings.HasPrefix(s, "1 of 12 faults are left out") }) {
		t.Errorf("notes: %v", r.Notes)
	}
	faults := 0.0
	for _, row := range table(t, r, "coupling-regions").Rows {
		faults += float64(row.Values[0])
	}
	if faults != 11 {
		t.Errorf("%v faults are compared", faults)
	}
	m.Faulty[1].Branches, m.Faulty[2].Branches = nil, nil // a quarter of the twelve
	r = answer(t, m, "criteria")
	if !slices.ContainsFunc(r.Missing, func(s string) bool { return strings.HasPrefix(s, "branch: not known of 3 faults: p0/f") }) {
		t.Errorf("missing: %v", r.Missing)
	}
}

func TestBranchesThatStandForStatementsAreComparedAlike(t *testing.T) {
	m := madeUp(t, 8)
	twins := map[string]*subject.Subject{}
	for i := range m.Faulty {
		withBranches(&m.Faulty[i])
		twin := m.Faulty[i]
		if i == 0 {
			twin.Branches = nil // unknown of one fixed version
		}
		twins[twin.Name()] = &twin
	}
	m.Fixed = reading(twins)
	r := answer(t, m, "criteria")
	// The source's figures beside ours, for all four criteria.
	if got := value(t, table(t, r, "levels"), report.Published, "highest", "7.5%", "branch", "highest 10%"); got != .530 {
		t.Errorf("published %v", got)
	}
	clean := table(t, r, "clean-program")
	if value(t, clean, report.Measured, "faults", "branch") != 7 || value(t, clean, report.Measured, "faults", "statement") != 8 {
		t.Errorf("faults compared: %+v", clean.Rows)
	}
	if got := value(t, clean, report.Measured, "A12 median", "branch"); got != .5 {
		t.Errorf("A12 of a version with itself: %v", got)
	}
}

func TestVersionsThatBehaveAlikeDoNotDiffer(t *testing.T) {
	m := madeUp(t, 8)
	twin := m.Faulty[0]
	worse := m.Faulty[1] // of every mutant of its twin no more than half of the kills are left
	worse.Kills = slices.Clone(worse.Kills)
	for i, kill := range worse.Kills {
		worse.Kills[i] = kill.Clone()
		if i%2 == 0 && i > 0 {
			worse.Kills[i] = matrix.NewBits(kill.Len())
			worse.Kills[i].Set(19) // a single hard test
		}
	}
	m.Fixed = reading(map[string]*subject.Subject{m.Faulty[0].Name(): &twin})
	same := table(t, answer(t, m, "criteria"), "clean-program")
	if got := value(t, same, report.Measured, "A12 median", "strong mutation"); got != .5 {
		t.Errorf("A12 of a version with itself: %v", got)
	}
	if got := value(t, same, report.Measured, "significant %", "strong mutation"); got != 0 {
		t.Errorf("%v %% of the faults differ significantly from themselves", got)
	}
	m.Fixed = reading(map[string]*subject.Subject{m.Faulty[1].Name(): &worse})
	if got := value(t, table(t, answer(t, m, "criteria"), "clean-program"), report.Measured, "A12 median", "strong mutation"); got <= .5 {
		t.Errorf("the faulty version scores more, and A12 is %v", got)
	}
}

func TestPublishedPrecisionAndRecallGiveThePublishedF1(t *testing.T) {
	r := answer(t, madeUp(t, 8), "rq2")
	retrieval := table(t, r, "retrieval")
	keys := []string{"hints", "fault-revealing", "all", "5%"}
	p, q := value(t, retrieval, report.Published, "precision", keys...), value(t, retrieval, report.Published, "recall", keys...)
	if f1 := 2 * p * q / (p + q); math.Abs(f1-7.9) > 0.05 || math.Abs(f1-value(t, retrieval, report.Published, "F1", keys...)) > 0.15 {
		t.Errorf("F1 of %v and %v is %v", p, q, f1)
	}
}

func TestAResultThatHidesAnOriginIsRefused(t *testing.T) {
	good := report.Answer{Tables: []report.Table{{Name: "t", Title: "T", Keys: []string{"k"}, Columns: []report.Column{{Name: "c", Origin: report.Measured}}}}}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*report.Answer){
		"no origin":        func(r *report.Answer) { r.Tables[0].Columns[0].Origin = "" },
		"a made-up origin": func(r *report.Answer) { r.Tables[0].Columns[0].Origin = "guessed" },
		"ragged row":       func(r *report.Answer) { r.Tables[0].Add([]string{"x"}) },
		"two of a name":    func(r *report.Answer) { r.Tables = append(r.Tables, r.Tables[0]) },
		"name for no file": func(r *report.Answer) { r.Tables[0].Name = "../t" },
		"series of nowhere": func(r *report.Answer) {
			r.Figures = []report.Figure{{Name: "f", Title: "F", Kind: report.Bars, Series: []report.Series{{Name: "s"}}}}
		},
		"uneven line": func(r *report.Answer) {
			r.Figures = []report.Figure{{Name: "f", Title: "F", Kind: report.Lines, Series: []report.Series{{Name: "s", Origin: report.Measured, X: []number.Float{1}}}}}
		},
	} {
		bad := report.Answer{Tables: []report.Table{{Name: "t", Title: "T", Keys: []string{"k"}, Columns: []report.Column{{Name: "c", Origin: report.Measured}}}}}
		change(&bad)
		if bad.Validate() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
