package importer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/report"
)

// What is noted when a subject is done is there although the import never ends.
func TestEffortIsNotedSubjectBySubjectAndAddsUpFromImportToImport(t *testing.T) {
	history := t.TempDir()
	read := func() (sum effort) {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(history, effortFile))
		if err == nil {
			err = json.Unmarshal(text, &sum)
		}
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	killed := newMeter(history)
	run := &report.Run{HandedOn: 3}
	run.NoteFailure("reading the reply for selector 17: EOF")
	run.NoteFailure("reading the reply for selector 4: EOF")
	var before effort
	for _, r := range []*report.Run{nil, run, run} {
		if _, err := killed.note(r); err != nil {
			t.Fatal(err)
		}
		after := read()
		if after.Clock <= before.Clock || after.CPU < before.CPU {
			t.Errorf("%+v after %+v", after, before)
		}
		before = after
	}
	again := newMeter(history)
	last, err := again.note(nil)
	if err != nil || last.Clock <= before.Clock || last.Clock > before.Clock+60 {
		t.Errorf("%+v after %+v, %v", last, before, err)
	}
	if last.HandedOn != 6 || len(last.Failures) != 1 || last.Failures["reading the reply for selector N: EOF"] != 4 {
		t.Errorf("%+v", last)
	}
}
