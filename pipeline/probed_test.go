package pipeline

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/rule"
	"github.com/winnow-mutants/winnow/predict"
)

// relations is a rule set whose mutants of gradeSource are known.
func relations(t *testing.T) Mutation {
	t.Helper()
	rules, err := rule.Lookup("ROR")
	if err != nil {
		t.Fatal(err)
	}
	return Mutation{Rules: rules}
}

// What a run of the original tells of points >= 50 can be read off: the tests are
// 49, 50 and 51.
func TestDynamicFeaturesOfAProjectAreWhatItsTestsTell(t *testing.T) {
	project, err := OpenProject(gradeProject(t))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Load(t.Context(), toolchain(t), project.Inputs(nil), LoadOptions{Mutation: relations(t)})
	if err != nil {
		t.Fatal(err)
	}
	edge := slices.IndexFunc(p.Mutants(), func(m mutant.Mutant) bool { return m.Original == "points >= 50" && m.Replacement == "points > 50" })
	if edge < 0 {
		t.Fatal("no mutant points > 50")
	}
	id := p.Mutants()[edge].ID
	probed, err := ProbeProject(t.Context(), toolchain(t), p, project, execute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d := probed.Dynamic
	if d.Infected[id] != 1 || d.Infections[id] != 1 || d.Reached[id] != d.Tests {
		t.Errorf("points > 50: %d of %d tests infect it, %d reach it", d.Infected[id], d.Tests, d.Reached[id])
	}
	// It costs the one run that may tell it; one that no test infects costs none.
	for _, m := range p.Mutants() {
		if paid := probed.Seconds[m.ID] > 0; paid != (d.Infected[m.ID] > 0) {
			t.Errorf("%s costs %v s and %d tests infect it", m.ID, probed.Seconds[m.ID], d.Infected[m.ID])
		}
	}
}

func TestAModelOfDynamicFeaturesAsksForTests(t *testing.T) {
	project, err := OpenProject(gradeProject(t))
	if err != nil {
		t.Fatal(err)
	}
	columns, err := features.Columns("complexity+dynamic")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := experiment.DefinitionsOf(columns)
	if err != nil {
		t.Fatal(err)
	}
	model := &models.Bundle{Card: models.Card{Name: "with-tests", Features: columns, Schema: schema}}
	p, err := Load(t.Context(), toolchain(t), project.Inputs(nil), LoadOptions{Mutation: relations(t)})
	if err != nil {
		t.Fatal(err)
	}
	opts := RankOptions{Model: model, Strategy: predict.All()[0]}
	if _, err := featureRows(p, opts); exit.Of(err) != exit.Usage {
		t.Errorf("without tests: %v", err)
	}
	opts.Probe = func(p *Program) (*Probed, error) {
		return &Probed{Dynamic: &features.Dynamic{Tests: 4, Reached: map[string]int{p.Mutants()[0].ID: 2}}}, nil
	}
	rows, err := featureRows(p, opts)
	if err != nil {
		t.Fatal(err)
	}
	reach := slices.Index(columns, "reach_share")
	if rows[0][reach] != 0.5 || !math.IsNaN(rows[1][reach]) || math.IsNaN(rows[1][0]) {
		t.Errorf("rows %v and %v of %v", rows[0], rows[1], columns)
	}
}

// Of three mutants that cost a second, nothing, and five, two seconds buy the
// first two, in the strategy's order.
func TestABudgetKeepsTheMutantsThatItBuys(t *testing.T) {
	project, err := OpenProject(gradeProject(t))
	if err != nil {
		t.Fatal(err)
	}
	p, err := Load(t.Context(), toolchain(t), project.Inputs(nil), LoadOptions{Mutation: relations(t)})
	if err != nil {
		t.Fatal(err)
	}
	opts := RankOptions{Strategy: predict.SDL, Budget: 2 * time.Second}
	if _, err := Rank(p, opts); exit.Of(err) != exit.Usage {
		t.Errorf("without tests: %v", err)
	}
	mutants := p.Mutants()
	probes := 0
	opts.Probe = func(*Program) (*Probed, error) {
		probes++
		out := &Probed{Seconds: map[string]float64{}}
		for i := range mutants {
			out.Seconds[mutants[i].ID] = 5
		}
		out.Seconds[mutants[2].ID] = 1
		delete(out.Seconds, mutants[1].ID)
		return out, nil
	}
	got, err := Rank(p, opts)
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range got.Mutants {
		listed[m.ID] = true
	}
	if len(got.Mutants) != 2 || !listed[mutants[1].ID] || !listed[mutants[2].ID] || got.Total != len(mutants) || probes != 1 {
		t.Errorf("%d of %d mutants after %d probes: %+v", len(got.Mutants), got.Total, probes, got.Mutants)
	}
	if b := got.Budget; b.Mutants != 2 || b.Spent != 1 || b.All != 1+5*float64(len(mutants)-2) || !strings.Contains(b.String(), "budget 2s: 2 mutants, which take about 1s") {
		t.Errorf("budget %+v: %v", b, b)
	}
}

func TestARecordedHistoryHasDynamicFeaturesOfItsExistingSuite(t *testing.T) {
	history := t.TempDir()
	c := grade(t)
	c.Fault, c.Fixed, c.Expected = "strict", c.Inputs, nil
	faulty := filepath.Join(t.TempDir(), "grade.c")
	writeFile(t, faulty, strings.Replace(gradeSource, ">= 50", "> 50", 1))
	c.Inputs = []Input{{Path: faulty}}
	if _, err := Record(t.Context(), newBuilder(t), c, filepath.Join(history, "run"), RecordOptions{Mutation: relations(t), Counts: true, Pool: revealedPool}); err != nil {
		t.Fatal(err)
	}
	columns, err := features.Columns("complexity+dynamic")
	if err != nil {
		t.Fatal(err)
	}
	_, whole, _, err := experiment.Subjects(t.Context(), history, columns[:1], experiment.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, subjects, _, err := experiment.Subjects(t.Context(), history, columns, experiment.Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	s := &subjects[0]
	// The suite decides no label: its test is out of the pool, and reveals nothing.
	if s.Tests() != whole[0].Tests()-1 || s.Reveals.Count() != whole[0].Reveals.Count() || len(s.Mutants) != len(whole[0].Mutants) {
		t.Errorf("%d tests, %d reveal; of %d tests %d reveal", s.Tests(), s.Reveals.Count(), whole[0].Tests(), whole[0].Reveals.Count())
	}
	_, held, _, err := experiment.Subjects(t.Context(), history, columns[:1], experiment.Options{Seed: 1, HoldSuite: true})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(held[0].Kills, s.Kills, matrix.Bits.Equal) || len(held[0].Columns) != 1 {
		t.Error("static features held against the same suite have other labels")
	}
	tests, share, statement := slices.Index(columns, "reach_tests"), slices.Index(columns, "reach_share"), slices.Index(columns, "statement_tests_share")
	for m, row := range s.Features.Dense() {
		// The suite is one of three quiet tests; who reaches a site reaches its statement.
		if len(row) != len(columns) || row[share] != row[tests] || !(row[statement] >= row[share]) {
			t.Errorf("%s: %v", s.Mutants[m].ID, row)
		}
	}
	if _, _, _, err := experiment.Subjects(t.Context(), history, append(columns, "zodiac"), experiment.Options{}); err == nil {
		t.Error("an unknown column was accepted")
	}
}
