package dataset

import (
	"testing"

	"github.com/winnow-mutants/winnow/matrix/table"
)

// Tables of proofs that were written before these held inputs are read as before, and ones of any
// other form are not.
func TestProofsWithoutInputsAreRead(t *testing.T) {
	of := func(columns ...int) error {
		var schema table.Schema
		var row []any
		for _, c := range columns {
			schema, row = append(schema, ProofsSchema()[c]), append(row, []any{"a1", Different, "smt/bits", "f(x = 1) returns 1, the mutant 2", "1\n"}[c])
		}
		proofs, err := table.New(schema)
		if err != nil {
			t.Fatal(err)
		}
		if err := proofs.Append(row...); err != nil {
			t.Fatal(err)
		}
		s := &Subject{Proofs: proofs}
		if err := s.Validate(); err != nil {
			return err
		}
		if e := s.Examples()["a1"]; e.Reason == "" || (e.Input == "") != (len(columns) == 4) {
			t.Errorf("columns %v are read as %+v", columns, e)
		}
		return nil
	}
	if err := of(0, 1, 2, 3, 4); err != nil {
		t.Error(err)
	}
	if err := of(0, 1, 2, 3); err != nil {
		t.Error(err)
	}
	for _, bad := range [][]int{{0, 1, 2}, {0, 1, 2, 4}, {1, 0, 2, 3, 4}} {
		if of(bad...) == nil {
			t.Errorf("columns %v are taken", bad)
		}
	}
}
