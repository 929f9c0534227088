package table

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// Groups that are read by several goroutines, in any order, hold what parquet's own
// reader of rows gives.
func TestGroupsEqualReadingRowByRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 9))
	whole := randomTable(rng, 5000)
	path := filepath.Join(t.TempDir(), "t.parquet")
	w, err := Create(path, whole.Schema(), nil)
	if err != nil {
		t.Fatal(err)
	}
	w.limit = 700 // rows in a group
	if err := w.Write(whole); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	groups, err := r.Groups()
	if err != nil {
		t.Fatal(err)
	}
	got := make([]*Table, groups.Len())
	failed := make([]error, groups.Len())
	var all sync.WaitGroup
	for i := range got {
		all.Go(func() { got[i], failed[i] = groups.Read(i) })
	}
	all.Wait()
	for i, group := range r.file.RowGroups() {
		if failed[i] != nil || got[i].Rows() != groups.Rows(i) {
			t.Fatalf("group %d: %v", i, failed[i])
		}
		rows, space := group.Rows(), make([]parquet.Row, 1)
		for at := range got[i].Rows() {
			if n, err := rows.ReadRows(space); n != 1 {
				t.Fatalf("group %d, row %d: %v", i, at, err)
			}
			for col, v := range space[0] {
				var want any
				switch whole.Schema()[col].Type {
				case Float64:
					want = v.Double()
				case Int64:
					want = v.Int64()
				case String:
					want = string(v.ByteArray())
				case Bool:
					want = v.Boolean()
				}
				x, isFloat := want.(float64)
				if have := got[i].Value(at, col); have != want && !(isFloat && math.IsNaN(x) && math.IsNaN(have.(float64))) {
					t.Fatalf("group %d, row %d, column %d: %v, row by row %v", i, at, col, have, want)
				}
			}
		}
		rows.Close()
	}
	if len(got) != 8 {
		t.Errorf("%d groups of at most 700 rows", len(got))
	}
}
