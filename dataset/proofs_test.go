package dataset

import (
	"reflect"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// Tables of proofs that were written before these held inputs are read as before, and ones of any
// other form are not.
func TestProofsWithoutInputsAreRead(t *testing.T) {
	of := func(columns ...int) error {
		var schema table.Schema
		var row []any
		for _, c := range columns {
			schema, row = append(schema, ProofsSchema()[c]), append(row, []any{"a1", Different, "smt/bits", "f(x = 1) returns 1, the mutant 2", "1\n", `["-n","two words"]`}[c])
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
		if e := s.Examples()["a1"]; e.Reason == "" || (e.Input == "") != (len(columns) == 4) || slices.Equal(e.Args, []string{"-n", "two words"}) != (len(columns) == 6) {
			t.Errorf("columns %v are read as %+v", columns, e)
		}
		return nil
	}
	for _, known := range [][]int{{0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4}, {0, 1, 2, 3}} {
		if err := of(known...); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range [][]int{{0, 1, 2}, {0, 1, 2, 4}, {1, 0, 2, 3, 4}, {0, 1, 2, 3, 5}} {
		if of(bad...) == nil {
			t.Errorf("columns %v are taken", bad)
		}
	}
}

// What a test is given is read back as it was, and a list that is none is refused.
func TestTheArgumentsAndFilesOfAProofAreLists(t *testing.T) {
	proofs := []Proof{{ID: "a1", Verdict: Different, Evidence: Interpreted, Reason: "it prints 1", Given: inputs.Given{Args: []string{"", "it's", "a \"b\""}, Files: []inputs.File{{Name: "in.txt", Text: "a\n\"b\""}, {Name: "b"}}}}, {ID: "a2", Verdict: Equivalent, Evidence: "smt/bits"}, {ID: "a3", Verdict: Different, Evidence: InterpretedCall, Reason: "f(1) returns 1, the mutant 2", Given: inputs.Given{UnitTest: "assert(f(1) == 1);"}}}
	written, err := ProofTable(proofs)
	if err != nil {
		t.Fatal(err)
	}
	if got := (&Subject{Proofs: written}).ProofRows(); !reflect.DeepEqual(got, proofs) {
		t.Errorf("%+v is read as %+v", proofs, got)
	}
	for _, list := range [][2]string{{"1 2", ""}, {`[1]`, ""}, {"", "in.txt"}, {"", `["in.txt"]`}} {
		broken, err := table.New(ProofsSchema())
		if err != nil {
			t.Fatal(err)
		}
		if err := broken.Append("a1", Different, Interpreted, "it prints 1", "", list[0], list[1], ""); err != nil {
			t.Fatal(err)
		}
		if err := (&Subject{Proofs: broken}).Validate(); err == nil {
			t.Errorf("%q are taken for arguments and files", list)
		}
	}
}
