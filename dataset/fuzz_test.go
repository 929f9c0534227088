package dataset

import (
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
	"github.com/winnow-mutants/winnow/internal/testfile"
)

// FuzzReadManifest: whatever a manifest says, and whatever was fed back, it is read or
// refused.
func FuzzReadManifest(f *testing.F) {
	f.Add(`{"format": 1, "tool": "winnow", "program": "p", "seed": 1, "files": {"kills.parquet": {"schema": "s", "rows": -1, "sha256": ""}}}`)
	f.Add(`{"format": 1, "program": "../../p", "counts": {"mutants": 9223372036854775807}}`)
	f.Fuzz(func(t *testing.T, text string) {
		dir := t.TempDir()
		testfile.Write(t, filepath.Join(dir, ManifestFile), text)
		testfile.Write(t, filepath.Join(dir, FeedbackFile), text)
		bounded.Check(t, len(text), func() {
			if m, err := ReadManifest(dir); err == nil && m.Program == "" {
				t.Errorf("%+v", m)
			}
			if h, err := OpenHistory(dir); err == nil && len(h.Runs)+len(h.Fixed) > 1 {
				t.Errorf("%+v", h)
			}
			if list, err := ReadFeedback(dir); err == nil && len(list) > len(text) {
				t.Errorf("%d rows in %d bytes", len(list), len(text))
			}
		})
	})
}
