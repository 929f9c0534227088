package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/criterion"
	"github.com/winnow-mutants/winnow/report"
)

// overviewed is a run whose mutants aa01 and aa02 the same tests kill, with stages, branches and lines of gcov.
func overviewed(t *testing.T) *dataset.Subject {
	t.Helper()
	s := recorded(t, "aa01 f 10 k--", "aa02 f 11 k--", "aa03 f 11 kk-", "aa04 g 20 --k", "aa05 g 20 --i", "aa06 g 21 --?", "aa07 h 30 ---", "aa08 f 10 k?i")
	s.Manifest.Stages = []dataset.Stage{{Name: "mutate", Seconds: 1}, {Name: "probe", Seconds: 0.5}, {Name: "execute", Seconds: 2.5}}
	tests := s.Kills.Tests()
	var err error
	if s.Branches, err = cover.New(cover.Branches, tests, 2); err != nil {
		t.Fatal(err)
	}
	s.Branches.SetUnmeasured(1)
	if err := s.Branches.Set(0, 0); err != nil {
		t.Fatal(err)
	}
	lines, err := criterion.New("gcov", criterion.Line, tests, []string{"a.c:10", "a.c:11", "a.c:30", "a.c:31", "b.c:7"})
	if err != nil {
		t.Fatal(err)
	}
	lines.Set(0, 0, matrix.Killed)
	lines.Set(1, 1, matrix.Killed)
	failed, err := criterion.New("llvm-cov", criterion.Branch, tests, nil)
	if err != nil {
		t.Fatal(err)
	}
	failed.Fail("clang is broken")
	s.Criteria = []*criterion.Matrix{lines, failed}
	return s
}

// Acceptance test F2.8 of Muteria's specification.
func TestTheTotalsAreTheSumsOfTheMatrices(t *testing.T) {
	o, err := report.NewOverview(overviewed(t))
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Coverage) != 8 || len(o.Matrices()) != 8 {
		t.Fatalf("%d criteria, %d matrices, want winnow's six, gcov's lines and llvm-cov's branches", len(o.Coverage), len(o.Matrices()))
	}
	for k, m := range o.Matrices() {
		want := criterion.Score{Elements: len(m.Elements)}
		for e := range m.Elements {
			var row []matrix.Verdict
			for test := range m.Tests {
				row = append(row, m.Cell(e, test))
			}
			if slices.Contains(row, matrix.Killed) {
				want.Covered++
			} else if slices.Contains(row, matrix.Unknown) {
				want.Undecided++
			}
		}
		c := o.Coverage[k]
		if c.Score != want || len(c.Uncovered) != want.Elements-want.Covered-want.Undecided && c.Failed == "" {
			t.Errorf("%s: reported %+v with %d uncovered, summed from the matrix %+v", m.Name(), c.Score, len(c.Uncovered), want)
		}
		if decided := want.Elements - want.Undecided; decided == 0 && c.Share != nil || decided > 0 && *c.Share != float64(want.Covered)/float64(decided) {
			t.Errorf("%s: share %v of %+v", m.Name(), c.Share, want)
		}
	}
	seconds := 0.0
	for _, s := range o.Time.Stages {
		seconds += s.Seconds
	}
	mutants := o.Subsumption.Undecided
	for _, c := range o.Subsumption.Classes {
		mutants += 1 + len(c.Alike)
	}
	killed := 0
	for k, m := range o.Matrices() {
		if m.Criterion == criterion.Strong {
			killed = o.Coverage[k].Covered
		}
	}
	if seconds != o.Time.Seconds || mutants != killed {
		t.Errorf("%v s of %v s; %d mutants in classes or left out, %d killed", seconds, o.Time.Seconds, mutants, killed)
	}
}

func TestWinnowsOwnCriteriaFollowFromWhatTestsReachInfectAndKill(t *testing.T) {
	o, err := report.NewOverview(overviewed(t))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range o.Coverage {
		if c.Tool == dataset.OwnTool {
			got[c.Criterion] = fmt.Sprintf("%d of %d, %d open", c.Covered, c.Elements, c.Undecided)
		}
	}
	want := map[string]string{
		criterion.Line: "3 of 5, 1 open", criterion.Statement: "6 of 8, 1 open", criterion.Function: "2 of 3, 0 open",
		criterion.Branch: "1 of 2, 1 open", criterion.Weak: "6 of 8, 1 open", criterion.Strong: "5 of 8, 1 open",
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestOneMutantOfEachMinimalClassStandsForAllThatAreKilled(t *testing.T) {
	o, err := report.NewOverview(overviewed(t))
	if err != nil {
		t.Fatal(err)
	}
	s := o.Subsumption
	if s.Killed != 4 || s.Undecided != 1 || s.Minimal != 2 || s.Levels != 2 || len(s.Classes) != 3 {
		t.Fatalf("%+v", s)
	}
	first := s.Classes[0]
	if first.ID != "aa01" || !slices.Equal(first.Alike, []string{"aa02"}) || !first.Minimal || !slices.Equal(first.Subsumes, []int{1}) || first.StandsFor != 1 || s.Classes[1].Minimal {
		t.Errorf("first class %+v, second %+v", first, s.Classes[1])
	}
	var dot bytes.Buffer
	if err := s.WriteGraph(&dot); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"0 -> 1;", `x + aa01 → x - aa01\n+1 alike\n1 test", tooltip="aa01", peripheries=2`} {
		if !strings.Contains(dot.String(), want) {
			t.Errorf("the graph lacks %q:\n%s", want, &dot)
		}
	}
}

func TestTheOverviewSaysWhatIsCoveredAndWhyTheRestIsNotKnown(t *testing.T) {
	o, err := report.NewOverview(overviewed(t))
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := o.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"demo: what its 3 tests cover", "lines that no test runs (gcov): a.c:30-31, b.c:7", "llvm-cov failed, so that nothing is known of what it measures: clang is broken",
		"who kills these 2 kills all 4", "1 killed mutant is left out", "Where the time went: 4.0 s",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, &text)
		}
	}
	if _, err := json.Marshal(o); err != nil {
		t.Errorf("as JSON: %v", err)
	}
}

// Part of F2.6: never 0 or 100 % of nothing.
func TestARunWithoutMutantsHasNoScore(t *testing.T) {
	o, err := report.NewOverview(recorded(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range o.Coverage {
		if c.Share != nil {
			t.Errorf("%s: %v of nothing", c.Criterion, *c.Share)
		}
	}
}
