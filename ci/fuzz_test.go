package ci

import (
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

// FuzzKept: kept verdicts cost time where they cannot be read, and accepted survivors are
// read or refused.
func FuzzKept(f *testing.F) {
	f.Add(`{"format": 1, "rows": {"k": null}, "survivors": [{"id": "m"}, {"id": ""}]}`)
	f.Add(`{"format": 1, "rows": {"": {"verdict": "killed"}}, "survivors": [{"id": "m"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		testfile.Write(t, filepath.Join(dir, storeFile), text)
		bounded.Check(t, len(text), func() {
			if s, err := openStore(dir); err != nil || s.kept.Rows == nil {
				t.Errorf("%+v, %v", s, err)
			}
			if accepted, err := ReadBaseline(filepath.Join(dir, storeFile)); err == nil && accepted[""] {
				t.Errorf("%v", accepted)
			}
		})
	})
}
