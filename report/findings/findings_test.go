package findings_test

import (
	"math"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/report"
	"github.com/winnow-mutants/winnow/report/findings"
	"github.com/winnow-mutants/winnow/report/findings/findingstest"
)

func found(t *testing.T, ranking *report.Ranking) *findings.Run {
	t.Helper()
	r, err := findings.Of(findingstest.Subject(t), ranking)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEveryMutantHasItsFateAndAReasonInWords(t *testing.T) {
	want := map[string][2]string{
		"m1": {"survived", "run by 3 tests, makes a difference in 1, and none notices"},
		"m3": {"killed", "killed by 2 tests: other output"},
		"m4": {"unreached", "no test runs it"},
		"m5": {"unknown", "its runs gave no verdict, or there was no time for them"},
		"e1": {"equivalent", "no test can tell it from the original (tce/default)"},
		"d1": {"duplicate", "the same program as mutant m3 (tce/default)"},
		"u1": {"undefined", "it does what C leaves undefined (tce/default)"},
	}
	r := found(t, nil)
	if len(r.Findings) != 8 {
		t.Fatalf("%d findings", len(r.Findings))
	}
	for _, f := range r.Findings {
		if w, ok := want[f.ID]; ok && (string(f.Status) != w[0] || f.Why != w[1]) {
			t.Errorf("%s: %s, %q; want %v", f.ID, f.Status, f.Why, w)
		}
		if (f.Edit == nil) != (f.ID == "m5" || !f.Status.WasRun()) {
			t.Errorf("%s: edit %v", f.ID, f.Edit)
		}
	}
}

func TestAMutantThatCMayLeaveUndefinedSaysSo(t *testing.T) {
	s := findingstest.Subject(t)
	var err error
	if s.Proofs, err = dataset.ProofTable([]dataset.Proof{
		{ID: "m1", Verdict: dataset.Undefined, Evidence: "ub/signed overflow", Reason: "signed overflow: line 3 a + 1 may overflow"},
		{ID: "m3", Verdict: dataset.Undefined, Evidence: "ub/null dereference", Reason: "null dereference: where p is null, line 4 uses it"},
	}); err != nil {
		t.Fatal(err)
	}
	r, err := findings.Of(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"m1": "run by 3 tests, makes a difference in 1, and none notices; C may not define what it does (signed overflow: line 3 a + 1 may overflow)",
		"m3": "killed by 2 tests: other output; C may not define what it does (null dereference: where p is null, line 4 uses it)",
	}
	for _, f := range r.Findings {
		if w, ok := want[f.ID]; ok && f.Why != w || (f.Undefined != "") != ok {
			t.Errorf("%s: %q, undefined %q; want %q", f.ID, f.Why, f.Undefined, w)
		}
	}
}

func TestSurvivorsOfALineThatTheSameTestsSeeAreOneGap(t *testing.T) {
	r := found(t, nil)
	if len(r.Gaps) != 2 || len(r.Gaps[0].Alike) != 1 || r.Findings[r.Gaps[1].Lead].ID != "m4" {
		t.Errorf("%+v", r.Gaps)
	}
	if f := r.Functions; len(f) != 2 || f[0].Name != "max" || f[0].Gaps != 1 || f[0].Mutants != 4 || f[0].Killed != 1 || f[1].Unreached != 1 || f[1].Line != 5 {
		t.Errorf("%+v", f)
	}
}

func TestAGapIsShownByAMutantThatAnInputTells(t *testing.T) {
	s := findingstest.Subject(t)
	var err error
	if s.Proofs, err = dataset.ProofTable([]dataset.Proof{
		{ID: "m2", Verdict: dataset.Different, Evidence: dataset.Interpreted, Reason: `for "1 1" it prints "0", not "1"`},
	}); err != nil {
		t.Fatal(err)
	}
	r, err := findings.Of(s, &report.Ranking{Mutants: []report.Ranked{{ID: "m1", Rank: 1}, {ID: "m2", Rank: 2}, {ID: "m4", Rank: 3}}})
	if err != nil {
		t.Fatal(err)
	}
	lead := r.Findings[r.Gaps[0].Lead]
	if lead.ID != "m2" || !lead.Told || len(r.Gaps[0].Alike) != 1 || r.Findings[r.Gaps[0].Alike[0]].ID != "m1" || lead.Gap != 0 {
		t.Errorf("%+v led by %+v", r.Gaps, lead)
	}
}

func TestTheOrderIsTheRankings(t *testing.T) {
	r := found(t, &report.Ranking{Strategy: "farm", Mutants: []report.Ranked{{ID: "m2", Rank: 1, PFault: 0.5}, {ID: "m4", Rank: 2}, {ID: "m1", Rank: 3}}})
	if r.Findings[0].ID != "m2" || r.Findings[1].ID != "m4" || r.Findings[2].ID != "m1" || r.Findings[0].PFault != 0.5 || !math.IsNaN(r.Findings[5].PFault) {
		t.Errorf("%+v", r.Findings[:3])
	}
	// What no test runs comes behind what tests come near to.
	if r.Findings[r.Gaps[0].Lead].ID != "m2" || !strings.Contains(r.Order, "farm") {
		t.Errorf("%+v %s", r.Gaps, r.Order)
	}
}

func TestAChangeOutsideOfItsFileIsRefused(t *testing.T) {
	s := findingstest.Subject(t)
	if err := s.Edits.Append("m5", "max.c", int64(5), int64(1<<20), ""); err != nil {
		t.Fatal(err)
	}
	if _, err := findings.Of(s, nil); err == nil || !strings.Contains(err.Error(), "m5") {
		t.Error(err)
	}
}

func TestTheCurveEndsWithAllKilledAndASurvivorCostsALook(t *testing.T) {
	c := found(t, &report.Ranking{Mutants: []report.Ranked{{ID: "m1", Rank: 1}, {ID: "m2", Rank: 2}, {ID: "m3", Rank: 3}}}).Curve()
	// Two survivors first, then the one mutant that is killed.
	for k, want := range []float64{0, 0, 0, 1, 1, 1} {
		if c.Ordered[k] != want {
			t.Fatalf("%v", c.Ordered)
		}
	}
	if c.Random[1] <= 0 || c.Random[len(c.Random)-1] != 1 || findings.Half(c.Ordered) != 3 {
		t.Errorf("%v", c.Random)
	}
}
