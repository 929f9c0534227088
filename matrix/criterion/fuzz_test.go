package criterion

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
)

// FuzzRead: whatever the file, it is matrices or an error.
func FuzzRead(f *testing.F) {
	small := filepath.Join(f.TempDir(), "small.parquet")
	m, err := New("gcov", Line, []string{"a", "b"}, []string{"a.c:1", "a.c:2"})
	if err != nil {
		f.Fatal(err)
	}
	m.SetUnmeasured(1)
	if err := Write(small, []*Matrix{m}); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(small)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "criteria.parquet")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		bounded.Check(t, len(data), func() {
			if all, err := Read(path); err != nil && all != nil {
				t.Errorf("%v, %v", all, err)
			}
		})
	})
}
