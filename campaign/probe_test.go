package campaign

import (
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
)

// killsOf reads the kill matrix of a run folder.
func killsOf(t testing.TB, folder string) *kill.Matrix {
	t.Helper()
	m, err := kill.Read(filepath.Join(folder, dataset.KillsFile), kill.Everything)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// sameVerdicts holds a record made with probing runs to one made without, and
// returns how many pairs are reached and how many of them were not run.
func sameVerdicts(t testing.TB, probed, all *kill.Matrix) (reached, skipped int) {
	t.Helper()
	for m, id := range all.Mutants() {
		for test, name := range all.Tests() {
			with, without := probed.Cell(m, test), all.Cell(m, test)
			with.Micros, without.Micros = 0, 0
			if with.Cause == matrix.NotInfected {
				with.Cause = matrix.NoCause
				skipped++
			}
			if with != without {
				t.Errorf("mutant %s, test %s: %+v with probing runs, %+v without", id, name, with, without)
			}
			if probed.Killed(m).Get(test) && !probed.Infected(m).Get(test) || probed.Infected(m).Get(test) && !probed.Reached(m).Get(test) {
				t.Errorf("mutant %s, test %s: killed %v, infected %v, reached %v", id, name,
					probed.Killed(m).Get(test), probed.Infected(m).Get(test), probed.Reached(m).Get(test))
			}
			if probed.Reached(m).Get(test) != all.Reached(m).Get(test) {
				t.Errorf("mutant %s, test %s: probing changes what is reached", id, name)
			}
			if all.Reached(m).Get(test) {
				reached++
			}
		}
	}
	return reached, skipped
}

func TestARecordMadeWithProbingRunsHasThesameVerdicts(t *testing.T) {
	b := newBuilder(t)
	var records []*kill.Matrix
	for _, opts := range []RecordOptions{{}, {NoProbe: true}} {
		dir := filepath.Join(t.TempDir(), "run")
		summary, err := Record(t.Context(), b, grade(t), dir, opts)
		if err != nil {
			t.Fatal(err)
		}
		if summary.Unprobed > 0 || summary.Missed > 0 || (summary.Uninfected == 0) != opts.NoProbe {
			t.Errorf("%+v", summary)
		}
		records = append(records, killsOf(t, dir))
	}
	if _, skipped := sameVerdicts(t, records[0], records[1]); skipped == 0 {
		t.Error("every pair was run")
	}
}
