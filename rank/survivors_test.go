package rank

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/survivor"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/models/tree/treetest"
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
	by := func(opts Options) *report.Ranking {
		tables, err := OpenTables(folder)
		if err != nil {
			t.Fatal(err)
		}
		if opts.Model == nil {
			opts.Model = released(t)
		}
		opts.Strategy, opts.Seed, opts.Reasons = predict.Winnow, 1, 1
		r, err := Order(t.Context(), tables, opts)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	ranked := func(survivors bool) *report.Ranking { return by(Options{Survivors: survivors}) }
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
		if killed[m.ID] || seen[m.ID] || m.Rank != k+1 || m.Tests == nil || !reflect.DeepEqual(*m.Tests, report.Seen{Tests: 2, Reached: 1, Infected: 1}) || len(m.Reasons) != 1 {
			t.Fatalf("at %d: %+v", k, m)
		}
		seen[m.ID] = true
	}

	// The others may follow. A test that was made since and that the first survives, too, makes it
	// worth less.
	whole := by(Options{Survivors: true, Rest: true})
	if len(whole.Mutants) != len(ids) {
		t.Errorf("%d of %d mutants are listed", len(whole.Mutants), len(ids))
	}
	for k := range whole.Mutants {
		if k < len(left.Mutants)-1 && killed[whole.Mutants[k].ID] {
			t.Errorf("at %d of %d is a mutant that is killed, before survivors", k, len(ids))
		}
	}
	first := whole.Mutants[0].ID

	// A model that has learnt of survivors says how likely another test is to kill them, in place of any test.
	learnt := released(t)
	learnt.Survivor, learnt.Otherwise = treetest.Stump(survivor.Columns(), "reaching", .25, .875, .125), nil
	for _, m := range by(Options{Survivors: true, Model: learnt}).Mutants {
		if float64(m.PKill) != .125 {
			t.Fatalf("p(kill) of survivor %s is %v", m.ID, m.PKill)
		}
	}
	for _, m := range by(Options{Model: learnt}).Mutants {
		if float64(m.PKill) == .125 {
			t.Errorf("p(kill) of %s is told beside tests that were not asked", m.ID)
		}
	}
	if since := by(Options{Survivors: true, Since: map[string]int{first: 50}}); since.Mutants[0].ID == first {
		t.Errorf("%s is the first although it has survived fifty more tests that infect it", first)
	}
}
