package cover

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// FuzzRead: whatever the file, and whatever it claims to be of, it is a matrix or an error.
func FuzzRead(f *testing.F) {
	small := filepath.Join(f.TempDir(), "small.parquet")
	m, err := New(Sites, []string{"a", "b"}, 3)
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
		path := filepath.Join(t.TempDir(), "cover.parquet")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		bounded.Check(t, len(data), func() {
			if m, err := Read(path); (m == nil) == (err == nil) {
				t.Errorf("%v, %v", m, err)
			}
		})
	})
}

var manyTests = func() string {
	names := make([]string, 1000)
	for i := range names {
		names[i] = fmt.Sprintf("%q", fmt.Sprint(i))
	}
	return strings.Join(names, ",")
}()

// What a file claims costs nothing before it is true.
func TestClaimsOfAFileAreNotBelieved(t *testing.T) {
	for head, accepted := range map[string]bool{
		`{"kind":"sites","tests":["a"],"sites":2000000000}`:             false,
		`{"kind":"sites","tests":["a"],"sites":-1}`:                     false,
		`{"kind":"sites","sites":16000000,"tests":[` + manyTests + `]}`: true,
	} {
		rows, err := table.New(Schema())
		if err != nil {
			t.Fatal(err)
		}
		rows.Meta = map[string]string{metaKey: head}
		path := filepath.Join(t.TempDir(), "cover.parquet")
		if err := table.Write(path, rows); err != nil {
			t.Fatal(err)
		}
		bounded.Check(t, len(head), func() {
			if _, err := Read(path); (err == nil) != accepted {
				t.Errorf("%s: %v", head, err)
			}
		})
	}
}
