package criterion

import (
	"bytes"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
)

// of makes a matrix of rows of 1, 0 and - (unknown); tests are t0, t1, …, elements e0, e1, …
func of(t *testing.T, rows ...string) *Matrix {
	t.Helper()
	var tests, elements []string
	for i := range rows[0] {
		tests = append(tests, "t"+string(rune('0'+i)))
	}
	for i := range rows {
		elements = append(elements, "e"+string(rune('0'+i)))
	}
	m, err := New("gcov", Line, tests, elements)
	if err != nil {
		t.Fatal(err)
	}
	for e, row := range rows {
		for i, c := range row {
			m.Set(e, i, map[rune]matrix.Verdict{'1': matrix.Killed, '0': matrix.Survived, '-': matrix.Unknown}[c])
		}
	}
	return m
}

// Acceptance test F2.2 of Muteria's specification.
func TestMergingKeepsWhatEitherKnowsAndNamesBothSourcesOfAConflict(t *testing.T) {
	merged, err := Merge(Source{"monday", of(t, "10-")}, Source{"tuesday", of(t, "-01")})
	if err != nil {
		t.Fatal(err)
	}
	for test, want := range []matrix.Verdict{matrix.Killed, matrix.Survived, matrix.Killed} {
		if got := merged.Cell(0, test); got != want || len(merged.Tests) != 3 {
			t.Errorf("(1,0,-1) and (-1,0,1): test %d is %v, want %v of (1,0,1)", test, got, want)
		}
	}
	_, err = Merge(Source{"monday", of(t, "1")}, Source{"tuesday", of(t, "0")})
	if err == nil || !strings.Contains(err.Error(), "monday") || !strings.Contains(err.Error(), "tuesday") {
		t.Errorf("1 against 0: %v, want an error that names both sources", err)
	}
}

func TestAnElementIsUndecidedOnlyWhileNoTestCoversIt(t *testing.T) {
	m := of(t, "1-", "0-", "00", "-1")
	if got, want := m.Score(), (Score{Elements: 4, Covered: 2, Undecided: 1}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if share := m.Score().Share(); math.Abs(share-2.0/3) > 1e-12 {
		t.Errorf("share %v, want 2/3: the undecided element counts for neither side", share)
	}
}

// Part of F2.6: never 0 or 100 % of nothing.
func TestNothingHasNoScore(t *testing.T) {
	for name, m := range map[string]*Matrix{"no elements": {}, "all unknown": of(t, "--")} {
		if share := m.Score().Share(); !math.IsNaN(share) {
			t.Errorf("%s: share %v, want none", name, share)
		}
	}
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "criteria.parquet")
	if err := Write(path, []*Matrix{of(t, "1-", "10")}); err == nil {
		t.Error("what is unknown of one element alone was written, and lost")
	}
	line := of(t, "10-", "00-")
	failed, err := New("llvm-cov", Branch, line.Tests, nil)
	if err != nil {
		t.Fatal(err)
	}
	failed.Fail("it did not compile")
	if err := Write(path, []*Matrix{line, failed}); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || !reflect.DeepEqual(got[0], line) || got[1].Failed != failed.Failed || !reflect.DeepEqual(got[1].Tests, failed.Tests) {
		t.Errorf("read %+v, want %+v and %+v", got, line, failed)
	}
}

func TestTheTextIsThatOfMuteria(t *testing.T) {
	var text bytes.Buffer
	m := of(t, "10-")
	m.Elements[0] = "a.c:3 branch 1"
	if err := m.WriteText(&text); err != nil {
		t.Fatal(err)
	}
	if want := "MUTERIA_MATRIX_KEY_COL t0 t1 t2\na.c:3_branch_1 1 0 -1\n"; text.String() != want {
		t.Errorf("%q, want %q", text.String(), want)
	}
}
