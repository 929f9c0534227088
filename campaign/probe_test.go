package campaign

import (
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/dataset/datasettest"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/program/build/buildtest"
)

func TestARecordMadeWithProbingRunsHasThesameVerdicts(t *testing.T) {
	b := buildtest.Builder(t)
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
		records = append(records, datasettest.Kills(t, dir))
	}
	if _, skipped := datasettest.SameVerdicts(t, records[0], records[1]); skipped == 0 {
		t.Error("every pair was run")
	}
}
