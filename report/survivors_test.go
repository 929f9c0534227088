package report_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/report"
)

// recorded is a run of three tests on mutants of two functions. A row is the mutant's
// id, function, line, and a letter a test: k killed, i infected, r reached, - not reached,
// ? no verdict.
func recorded(t *testing.T, rows ...string) *dataset.Subject {
	t.Helper()
	mutants, err := table.New(dataset.MutantsSchema())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, row := range rows {
		ids = append(ids, strings.Fields(row)[0])
	}
	kills, err := kill.New(ids, []string{"one", "two", "three"})
	if err != nil {
		t.Fatal(err)
	}
	for k, row := range rows {
		f := strings.Fields(row)
		name, _, _ := strings.Cut(f[0], "-") // as a program names a mutant that another unit has, too
		line := int64(f[2][0]-'0')*10 + int64(f[2][1]-'0')
		if err := mutants.Append(f[0], int64(k+1), int64(k), int64(k), "AOR", "ADD", "SUB", "ADD!SUB", f[1], "a.c", line, int64(5), "x + "+name, "x - "+name, false, false, ""); err != nil {
			t.Fatal(err)
		}
		for test, letter := range f[3] {
			cell := map[rune]kill.Cell{
				'k': {Verdict: matrix.Killed, Cause: matrix.Output}, 'i': {Verdict: matrix.Survived, Cause: matrix.NoCause},
				'r': {Verdict: matrix.Survived, Cause: matrix.NotInfected}, '-': {Verdict: matrix.Survived, Cause: matrix.NotReached},
				'?': {Verdict: matrix.Unknown, Cause: matrix.NotRun},
			}[letter]
			if err := kills.Set(k, test, cell); err != nil {
				t.Fatal(err)
			}
		}
	}
	return &dataset.Subject{Manifest: dataset.Manifest{Program: "demo"}, Mutants: mutants, Kills: kills}
}

func example(t *testing.T) *dataset.Subject {
	return recorded(t,
		"aa01 late 30 ---", "aa02 late 31 ---", "aa03 late 33 ---",
		"bb01 first 12 k--", "bb02 first 12 rr-", "bb03 first 12 ir-", "bb04 first 12 ir-", "bb05 first 11 iii",
		"bb06 first 13 ???", "bb07 first 14 ---")
}

func TestSurvivorsStandByFunctionAndLineWithTheirLikeBehindThem(t *testing.T) {
	s, err := report.NewSurvivors(example(t))
	if err != nil {
		t.Fatal(err)
	}
	if s.Mutants != 10 || s.Killed != 1 || s.Unknown != 1 || s.Survived != 8 || s.Unreached != 4 {
		t.Errorf("counted %+v", s)
	}
	var got []string
	for _, f := range s.Functions {
		for _, m := range f.Groups {
			got = append(got, f.Function+" "+m.ID+" "+strings.Join(m.Alike, ",")+": "+m.Why())
		}
	}
	want := []string{
		"first bb05 : run by 3 tests, and none notices",
		"first bb03 bb04: run by 2 tests, makes a difference in 1, and none notices",
		"first bb02 : run by 2 tests, never with values that make a difference",
		"first bb07 : no test runs it",
		"late aa01 : no test runs it", "late aa02 : no test runs it", "late aa03 : no test runs it",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A proof takes a mutant out of what a tester is to read, and says why; a kill speaks against it.
func TestWhatNoTestCanKillIsCountedApart(t *testing.T) {
	run := example(t)
	var err error
	if run.Proofs, err = dataset.ProofTable([]dataset.Proof{{ID: "bb05", Verdict: dataset.Equivalent, Evidence: "smt/bits", Reason: "both leave the same"}, {ID: "bb01", Verdict: dataset.Equivalent, Evidence: "smt/bits", Reason: "wrong"},
		{ID: "bb03", Verdict: dataset.Different, Evidence: "smt/replay", Reason: "first(1) returns 2, the mutant 3"}}); err != nil {
		t.Fatal(err)
	}
	s, err := report.NewSurvivors(run)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := s.WriteText(&out, report.SurvivorsOptions{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), "; 1 more no test can kill; 1 have no verdict\n") || strings.Contains(out.String(), "bb05") {
		t.Errorf("counted %+v:\n%s", s, out.String())
	}
	for id, want := range map[string]string{"bb05": "Equivalent: no test can kill it: both leave the same.", "bb01": "Killed by 1 test", "bb03": "run by 2 tests; first(1) returns 2, the mutant 3."} {
		v, err := report.NewVerdict(run, id)
		if err != nil {
			t.Fatal(err)
		}
		out.Reset()
		if err := v.WriteText(&out); err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %v\n%s", id, err, out.String())
		}
	}
}

func TestSurvivorsWhereNoTestComesAreOneLineUnlessAskedFor(t *testing.T) {
	s, err := report.NewSurvivors(example(t))
	if err != nil {
		t.Fatal(err)
	}
	text := func(o report.SurvivorsOptions) string {
		var out strings.Builder
		if err := s.WriteText(&out, o); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	short := text(report.SurvivorsOptions{})
	for _, want := range []string{"demo: 8 of 10 mutants survive 3 tests, 4 of them in code that no test runs; 1 have no verdict\n",
		"a.c: late, 3 of 3 survive: no test runs it\n", "1 where no test comes (line 14)", "+1 alike"} {
		if !strings.Contains(short, want) {
			t.Errorf("%q is not in\n%s", want, short)
		}
	}
	if strings.Contains(short, "aa02") || !strings.Contains(text(report.SurvivorsOptions{Unreached: true}), "aa02") {
		t.Error("mutants that no test runs are listed where they should not be, or not where they should")
	}
	if cut := text(report.SurvivorsOptions{Most: 1}); strings.Contains(cut, "bb02") || !strings.Contains(cut, "2 lines more") {
		t.Errorf("of three lines one is shown as\n%s", cut)
	}
}

func TestOneMutantIsFoundByTheBeginningOfItsID(t *testing.T) {
	subject := example(t)
	v, err := report.NewVerdict(subject, "bb01")
	if err != nil {
		t.Fatal(err)
	}
	if v.Verdict != "killed" || len(v.KilledBy) != 1 || v.KilledBy[0].Test != "one" || v.KilledBy[0].Cause != "output" {
		t.Errorf("bb01: %+v", v)
	}
	var out strings.Builder
	if err := v.WriteText(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"bb01  a.c:12:5, in first (operator AOR)", "x + bb01 → x - bb01", "Killed by 1 test: one (output)"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
	for _, id := range []string{"bb0", "cc"} {
		if _, err := report.NewVerdict(subject, id); !errors.Is(err, report.ErrNoSuchMutant) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if text, err := json.Marshal(v); err != nil || !strings.Contains(string(text), `"verdict":"killed"`) {
		t.Errorf("as JSON: %s %v", text, err)
	}
}

func TestOfManySurvivorsThoseAreShownThatTestsComeNearestToNoticing(t *testing.T) {
	s, err := report.NewSurvivors(example(t))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := s.WriteText(&text, report.SurvivorsOptions{Most: 2}); err != nil {
		t.Fatal(err)
	}
	got := text.String()
	if !strings.Contains(got, "bb05") || !strings.Contains(got, "bb03") || strings.Contains(got, "bb02") || strings.Contains(got, "late") || !strings.Contains(got, "and 1 lines more") {
		t.Errorf("of three lines that tests reach, two are to be shown:\n%s", got)
	}
}

func TestMissedDiffHoldsTheSurvivorsThatTestsReach(t *testing.T) {
	dir := t.TempDir()
	if err := report.WriteMissed(dir, example(t)); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, report.MissedFile))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{"bb05": true, "bb03": true, "bb04": true, "bb02": true, "bb01": false, "bb06": false, "aa01": false} {
		if got := strings.Contains(string(text), id); got != want {
			t.Errorf("%s is there: %v, want %v:\n%s", id, got, want, text)
		}
	}
}

func TestAChangeOfAFileThatIsCompiledTwiceIsShownOnce(t *testing.T) {
	survivors, err := report.NewSurvivors(recorded(t, "aa01 f 12 i--", "aa01-1 f 12 -i-"))
	if err != nil {
		t.Fatal(err)
	}
	if groups := survivors.Functions[0].Groups; len(groups) != 1 || len(groups[0].Alike) != 1 {
		t.Errorf("%d lines for one change: %+v", len(groups), groups)
	}
}
