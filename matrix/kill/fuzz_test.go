package kill

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// FuzzRead: whatever the file, it is a matrix or an error.
func FuzzRead(f *testing.F) {
	m, err := New([]string{"m", "n"}, []string{"a", "b", "c"})
	if err == nil {
		err = m.Set(1, 2, Cell{Verdict: matrix.Killed, Cause: matrix.Output, Work: 7, Micros: 9})
	}
	small := filepath.Join(f.TempDir(), "small.parquet")
	if err == nil {
		err = Write(small, m)
	}
	if err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(small)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "kills.parquet")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		bounded.Check(t, len(data), func() {
			for _, detail := range []Detail{Everything, VerdictsOnly} {
				if m, err := Read(path, detail); (m == nil) == (err == nil) {
					t.Errorf("%v, %v", m, err)
				}
			}
		})
	})
}

// A file may name a hundred thousand mutants and as many tests, and say nothing of them.
func TestNamesWithoutRowsCostWhatTheNamesDo(t *testing.T) {
	list := make([]string, 100_000)
	for i := range list {
		list[i] = fmt.Sprintf("%q", fmt.Sprint(i))
	}
	names := "[" + strings.Join(list, ",") + "]"
	rows, err := table.New(Schema())
	if err != nil {
		t.Fatal(err)
	}
	rows.Meta = map[string]string{metaMutants: names, metaTests: names}
	path := filepath.Join(t.TempDir(), "kills.parquet")
	if err := table.Write(path, rows); err != nil {
		t.Fatal(err)
	}
	bounded.Check(t, 0, func() {
		m, err := Read(path, VerdictsOnly)
		if err != nil || !m.Reached(99_999).Empty() || m.Reached(99_999).Len() != len(list) {
			t.Errorf("%v", err)
		}
	})
}
