package campaign

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/testfile"
	"github.com/winnow-mutants/winnow/ir/clang/clangtest"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
	"github.com/winnow-mutants/winnow/program/programtest"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/project/projecttest"
)

// What a run of the original tells of points >= 50 can be read off: the tests are
// 49, 50 and 51.
func TestDynamicFeaturesOfAProjectAreWhatItsTestsTell(t *testing.T) {
	project, err := project.Open(projecttest.Folder(t))
	if err != nil {
		t.Fatal(err)
	}
	p, err := program.Load(t.Context(), clangtest.Tools(t), project.Inputs(nil), program.LoadOptions{Mutation: programtest.Rules("ROR")})
	if err != nil {
		t.Fatal(err)
	}
	edge := slices.IndexFunc(p.Mutants(), func(m mutant.Mutant) bool { return m.Original == "points >= 50" && m.Replacement == "points > 50" })
	if edge < 0 {
		t.Fatal("no mutant points > 50")
	}
	id := p.Mutants()[edge].ID
	probed, err := Observe(t.Context(), clangtest.Tools(t), p, project, execute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	columns, err := features.Columns("dynamic")
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float64, len(columns))
	told := func(id, column string) float64 {
		probed.Dynamic.Fill(id, row)
		return row[slices.Index(columns, column)]
	}
	if told(id, "infect_tests") != 1 || told(id, "infections") != 1 || told(id, "reach_share") != 1 {
		t.Errorf("points > 50: %v tests infect it, %v of all reach it", told(id, "infect_tests"), told(id, "reach_share"))
	}
	// It costs the one run that may tell it; one that no test infects costs none.
	for _, m := range p.Mutants() {
		if paid := probed.Seconds[m.ID] > 0; paid != (told(m.ID, "infect_tests") > 0) {
			t.Errorf("%s costs %v s and %v tests infect it", m.ID, probed.Seconds[m.ID], told(m.ID, "infect_tests"))
		}
	}
}

func TestARecordedHistoryHasDynamicFeaturesOfItsExistingSuite(t *testing.T) {
	history := t.TempDir()
	c := grade(t)
	c.Fault, c.Fixed, c.Expected = "strict", c.Inputs, nil
	faulty := filepath.Join(t.TempDir(), "grade.c")
	testfile.Write(t, faulty, strings.Replace(projecttest.Source, ">= 50", "> 50", 1))
	c.Inputs = []program.Input{{Path: faulty}}
	if _, err := Record(t.Context(), buildtest.Builder(t), c, filepath.Join(history, "run"), RecordOptions{Mutation: programtest.Rules("ROR"), Counts: true, Pool: RevealedPool}); err != nil {
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
