package pipeline

import (
	"path/filepath"
	"testing"
)

// An import that leaves every subject out has cost something all the same.
func TestEffortIsNotedWhereNothingWasRecordedAndAddsUp(t *testing.T) {
	history := filepath.Join(t.TempDir(), "history")
	first, err := now().addTo(history)
	if err != nil {
		t.Fatal(err)
	}
	second, err := now().addTo(history)
	if err != nil || second.CPU < first.CPU || second.Clock <= first.Clock {
		t.Errorf("%+v after %+v, %v", second, first, err)
	}
}
