package command

import (
	"testing"

	"github.com/winnow-mutants/winnow/internal/bounded"
)

// FuzzTable: runs write to their table what they like.
func FuzzTable(f *testing.F) {
	f.Add(make([]byte, 3*pageBytes), 7)
	f.Add([]byte{255, 255, 255, 255}, 1)
	f.Add(append([]byte{0, 255, 255, 255, 255}, make([]byte, 2*pageBytes)...), 5000)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		if size < 1 || size > 1<<30 {
			return // no program's
		}
		bounded.Check(t, len(data), func() {
			noted := readTable(data, size)
			for _, sites := range noted.sites {
				if len(sites) != size {
					t.Errorf("a table of %d sites, not %d", len(sites), size)
				}
			}
			if len(data) >= pageBytes {
				if n := taken(data[:pageBytes], size); n < 0 || n > tableSize(size) {
					t.Errorf("%d bytes of %d are taken", n, tableSize(size))
				}
			}
		})
	})
}
