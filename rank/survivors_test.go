package rank

import (
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/report"
)

// Beside a suite that was run, what it kills is left out, and the report says how far its
// tests come with the others.
func TestOnlySurvivorsOfTestsThatWereRunAreListed(t *testing.T) {
	p, folder := loadedAndWritten(t)
	var ids []string
	for _, m := range p.Mutants() {
		ids = append(ids, m.ID)
	}
	kills, err := kill.New(ids, []string{"first", "second"})
	if err != nil {
		t.Fatal(err)
	}
	killed := map[string]bool{}
	for m, id := range ids {
		cells := [2]kill.Cell{{Verdict: matrix.Survived}, {Verdict: matrix.Survived, Cause: matrix.NotReached}}
		if m%3 == 0 {
			cells[1] = kill.Cell{Verdict: matrix.Killed, Cause: matrix.Exit}
			killed[id] = true
		}
		for test, c := range cells {
			if err := kills.Set(m, test, c); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := kill.Write(filepath.Join(folder, dataset.KillsFile), kills); err != nil {
		t.Fatal(err)
	}
	ranked := func(survivors bool) *report.Ranking {
		tables, err := OpenTables(folder)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Order(t.Context(), tables, Options{Model: released(t), Strategy: predict.Winnow, Seed: 1, Reasons: 1, Survivors: survivors})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	all, left := ranked(false), ranked(true)
	if len(all.Mutants) != len(ids) || all.LeftOut.Killed != 0 || all.Mutants[0].Tests != nil {
		t.Errorf("%d of %d mutants are listed where the tests were not asked", len(all.Mutants), len(ids))
	}
	proofs, err := dataset.ProofTable([]dataset.Proof{{ID: left.Mutants[0].ID, Verdict: dataset.Equivalent, Evidence: "smt/bits"}, {ID: ids[0], Verdict: dataset.Equivalent, Evidence: "smt/bits"}}) // the second is killed
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Write(filepath.Join(folder, dataset.ProofsFile), proofs); err != nil {
		t.Fatal(err)
	}
	if proved := ranked(true); proved.Total != left.Total-1 || proved.LeftOut.Equivalent != left.LeftOut.Equivalent+1 || proved.LeftOut.Killed != len(killed) {
		t.Errorf("with a proof %d of %d are listed, and %+v left out", proved.Total, left.Total, proved.LeftOut)
	}
	if len(left.Mutants) != len(ids)-len(killed) || left.Total != len(left.Mutants) || left.LeftOut.Killed != len(killed) {
		t.Errorf("%d mutants of %d are listed, %d left out; %d are killed", len(left.Mutants), left.Total, left.LeftOut.Killed, len(killed))
	}
	seen := map[string]bool{}
	for k, m := range left.Mutants {
		if killed[m.ID] || seen[m.ID] || m.Rank != k+1 || m.Tests == nil || *m.Tests != (report.Seen{Tests: 2, Reached: 1, Infected: 1}) || len(m.Reasons) != 1 {
			t.Fatalf("at %d: %+v", k, m)
		}
		seen[m.ID] = true
	}
}
