package kill

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/table"
)

func names(prefix string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return out
}

func newMatrix(t *testing.T, mutants, tests []string) *Matrix {
	t.Helper()
	m, err := New(mutants, tests)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func set(t *testing.T, m *Matrix, mutant, test int, c Cell) {
	t.Helper()
	if err := m.Set(mutant, test, c); err != nil {
		t.Fatal(err)
	}
}

// fromCodes builds one mutant's row from Muteria's 1, 0 and -1.
func fromCodes(t *testing.T, name string, tests []string, codes ...int64) Source {
	t.Helper()
	m := newMatrix(t, []string{"m"}, tests)
	for i, code := range codes {
		v, err := matrix.VerdictOf(code)
		if err != nil {
			t.Fatal(err)
		}
		c := Cell{Verdict: v}
		if v == matrix.Killed {
			c.Cause = matrix.Output
		}
		set(t, m, 0, i, c)
	}
	return Source{name, m}
}

var causesOf = map[matrix.Verdict][]matrix.Cause{
	matrix.Killed:   {matrix.Output, matrix.Exit, matrix.Signal, matrix.Work, matrix.Time, matrix.Memory, matrix.OutputLimit, matrix.Trap},
	matrix.Survived: {matrix.NoCause, matrix.NotReached, matrix.NotInfected},
	matrix.Unknown:  {matrix.NotRun, matrix.Flaky, matrix.Failed},
}

func randomCell(r *rand.Rand) Cell {
	c := Cell{Verdict: matrix.Verdict(r.IntN(3))}
	causes := causesOf[c.Verdict]
	c.Cause = causes[r.IntN(len(causes))]
	if c.Cause != matrix.NotReached && c.Cause != matrix.NotRun && r.IntN(2) == 0 {
		c.Work, c.Micros = r.Int64N(1e12), r.Int64N(1e6)
	}
	return c
}

// fill sets random cells, several times over, and returns what each holds.
func fill(t *testing.T, r *rand.Rand, m *Matrix) map[[2]int]Cell {
	t.Helper()
	twin := map[[2]int]Cell{}
	cells := len(m.Mutants()) * len(m.Tests())
	for range 2 * cells {
		at, c := [2]int{r.IntN(len(m.Mutants())), r.IntN(len(m.Tests()))}, randomCell(r)
		set(t, m, at[0], at[1], c)
		twin[at] = c
	}
	return twin
}

func check(t *testing.T, m *Matrix, twin map[[2]int]Cell) {
	t.Helper()
	for i := range m.Mutants() {
		for j := range m.Tests() {
			want, ok := twin[[2]int{i, j}]
			if !ok {
				want = Cell{Cause: matrix.NotRun}
			}
			if got := m.Cell(i, j); got != want {
				t.Fatalf("cell (%d, %d) is %+v, want %+v", i, j, got, want)
			}
			if m.Killed(i).Get(j) != (want.Verdict == matrix.Killed) || m.Unknown(i).Get(j) != (want.Verdict == matrix.Unknown) {
				t.Fatalf("cell (%d, %d) is %v, but killed %v, unknown %v", i, j, want.Verdict, m.Killed(i).Get(j), m.Unknown(i).Get(j))
			}
		}
	}
}

func TestCellsHoldWhatWasSetLast(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		m := newMatrix(t, names("m", 1+r.IntN(12)), names("t", 1+r.IntN(80)))
		check(t, m, fill(t, r, m))
	}
}

func TestAMatrixSurvivesTheWayToItsFileAndBack(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	dir := t.TempDir()
	for round := range 10 {
		m := newMatrix(t, names("m", 1+r.IntN(12)), names("t", 1+r.IntN(80)))
		twin := fill(t, r, m)
		set(t, m, 0, 0, Cell{})
		m.SetReached(0, 0)
		twin[[2]int{}] = Cell{Cause: matrix.NotRun}
		path := filepath.Join(dir, fmt.Sprintf("%d.parquet", round))
		if err := Write(path, m); err != nil {
			t.Fatal(err)
		}
		got, err := Read(path, Everything)
		if err != nil {
			t.Fatal(err)
		}
		check(t, got, twin)
		lean, err := Read(path, VerdictsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for i := range m.Mutants() {
			for _, o := range []*Matrix{got, lean} {
				if !o.Killed(i).Equal(m.Killed(i)) || !o.Unknown(i).Equal(m.Unknown(i)) || !o.Reached(i).Equal(m.Reached(i)) || !o.Infected(i).Equal(m.Infected(i)) {
					t.Fatalf("mutant %d: the sets read differ from those written", i)
				}
			}
		}
		again := filepath.Join(dir, "again.parquet")
		if err := Write(again, got); err != nil {
			t.Fatal(err)
		}
		a, _ := os.ReadFile(path)
		b, _ := os.ReadFile(again)
		if !bytes.Equal(a, b) {
			t.Fatal("the same matrix gave other bytes")
		}
	}
}

func TestTheFileHasNoRowForAPairThatIsNotReached(t *testing.T) {
	m := newMatrix(t, names("m", 2), names("t", 2))
	set(t, m, 0, 0, Cell{Verdict: matrix.Killed, Cause: matrix.Signal, Work: 7})
	if err := m.SetNotReached(0, 1); err != nil {
		t.Fatal(err)
	}
	if err := m.SetNotReached(1, 0); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "kills.parquet")
	if err := Write(path, m); err != nil {
		t.Fatal(err)
	}
	rows, err := table.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	ids, err := rows.Strings("id")
	if err != nil {
		t.Fatal(err)
	}
	tests, err := rows.Strings("test_name")
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(ids, tests) != "[m0 m1] [t0 t1]" {
		t.Errorf("rows for %v, %v, want the kill and the cell that was not run", ids, tests)
	}
}

// The slow twin asks for every cell.
func TestTheRowsOfAFileAreAllCellsThatAreReachedOrNotKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	m := newMatrix(t, names("m", 40), names("t", 130))
	fill(t, r, m)
	for range 300 { // some cells change after they were filled
		i, test := r.IntN(40), r.IntN(130)
		if r.IntN(2) == 0 {
			m.SetReached(i, test)
		} else if err := m.SetNotReached(i, test); err != nil {
			t.Fatal(err)
		}
	}
	for i := range m.rows {
		var all, some []string
		for test := range m.tests {
			if c := m.Cell(i, test); c.Cause != matrix.NotReached {
				all = append(all, fmt.Sprint(test, c))
			}
		}
		for test, c := range m.rows[i].written() {
			some = append(some, fmt.Sprint(test, c))
		}
		if !slices.Equal(all, some) {
			t.Fatalf("mutant %d: cells %v, rows %v", i, all, some)
		}
	}
}

func TestWhatIsNotKnownIsNeverCountedAsSurvival(t *testing.T) {
	m := newMatrix(t, names("m", 3), names("t", 2))
	for i := range 2 {
		if err := m.SetNotReached(0, i); err != nil {
			t.Fatal(err)
		}
	}
	set(t, m, 1, 0, Cell{Verdict: matrix.Killed, Cause: matrix.Output})
	set(t, m, 2, 0, Cell{Verdict: matrix.Survived})
	for i, want := range []matrix.Verdict{matrix.Survived, matrix.Killed, matrix.Unknown} {
		if got := m.Verdict(i); got != want {
			t.Errorf("mutant %d is %v, want %v", i, got, want)
		}
	}
	if score, unknown := m.Score(); score != 0.5 || math.Abs(unknown-1.0/3) > 1e-15 {
		t.Errorf("score %v with %v unknown, want 1/2 and 1/3", score, unknown)
	}
	if score, unknown := newMatrix(t, nil, names("t", 1)).Score(); !math.IsNaN(score) || !math.IsNaN(unknown) {
		t.Errorf("no mutants score %v, %v: want no score at all", score, unknown)
	}
	if got := newMatrix(t, names("m", 1), nil).Verdict(0); got != matrix.Unknown {
		t.Errorf("without tests a mutant is %v", got)
	}
}

func TestCellsThatContradictThemselvesAreRefused(t *testing.T) {
	m := newMatrix(t, names("m", 1), names("t", 1))
	for _, c := range []Cell{
		{Verdict: matrix.Killed},
		{Verdict: matrix.Killed, Cause: matrix.NotReached},
		{Verdict: matrix.Killed, Cause: matrix.Flaky},
		{Verdict: matrix.Survived, Cause: matrix.NotRun},
		{Verdict: matrix.Unknown, Cause: matrix.NotReached},
		{Verdict: 7},
		{Verdict: matrix.Survived, Work: -1},
	} {
		if err := m.Set(0, 0, c); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
	if err := m.Set(0, 1, Cell{}); err == nil {
		t.Error("a cell outside the matrix: no error")
	}
	if _, err := New([]string{"a", "a"}, nil); err == nil {
		t.Error("two mutants of one id: no error")
	}
}

func TestMergingKeepsWhatEitherSourceKnows(t *testing.T) {
	tests := names("t", 3)
	got, err := Merge(fromCodes(t, "a", tests, 1, 0, -1), fromCodes(t, "b", tests, -1, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []int64{1, 0, 1} {
		if code := got.Cell(0, i).Verdict.Code(); code != want {
			t.Errorf("test %d: %d, want %d", i, code, want)
		}
	}
}

func TestMergingContradictionsNamesBothSources(t *testing.T) {
	tests := names("t", 1)
	_, err := Merge(fromCodes(t, "monday", tests, 1), fromCodes(t, "tuesday", tests, 0))
	if err == nil || !strings.Contains(err.Error(), "monday") || !strings.Contains(err.Error(), "tuesday") || !strings.Contains(err.Error(), "t0") {
		t.Errorf("error %v, want one that names monday, tuesday and t0", err)
	}
}

func TestMergingJoinsOtherMutantsAndTests(t *testing.T) {
	a := newMatrix(t, []string{"m1", "m2"}, []string{"t1"})
	set(t, a, 0, 0, Cell{Verdict: matrix.Killed, Cause: matrix.Exit, Work: 5})
	b := newMatrix(t, []string{"m3", "m1"}, []string{"t2", "t1"})
	set(t, b, 0, 0, Cell{Verdict: matrix.Killed, Cause: matrix.Time, Micros: 9})
	set(t, b, 1, 1, Cell{Verdict: matrix.Killed, Cause: matrix.Output})
	b.SetReached(1, 0)
	m, err := Merge(Source{"a", a}, Source{"b", b})
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(m.Mutants(), m.Tests()) != "[m1 m2 m3] [t1 t2]" {
		t.Fatalf("names %v, %v", m.Mutants(), m.Tests())
	}
	if c := m.Cell(0, 0); c.Cause != matrix.Exit || c.Work != 5 {
		t.Errorf("where both know, the first source's details count, not %+v", c)
	}
	if c := m.Cell(2, 1); c.Cause != matrix.Time || c.Micros != 9 {
		t.Errorf("(m3, t2) is %+v", c)
	}
	if m.Cell(1, 1).Verdict != matrix.Unknown || !m.Reached(0).Get(1) {
		t.Errorf("(m2, t2) is %+v, (m1, t2) reached %v", m.Cell(1, 1), m.Reached(0).Get(1))
	}
}

func TestATableOfAnotherKindIsNotAKillMatrix(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.parquet")
	other, err := table.FromColumns(table.Schema{{Name: "x", Type: table.Bool}}, []bool{true})
	if err != nil {
		t.Fatal(err)
	}
	if err := table.Write(path, other); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(path, Everything); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v, want one that names the file", err)
	}
}

func TestInAFileFromBeforeProbingRunsWhatIsReachedMayBeInfected(t *testing.T) {
	m := newMatrix(t, names("m", 1), names("t", 3))
	set(t, m, 0, 0, Cell{Verdict: matrix.Survived})
	set(t, m, 0, 1, Cell{Verdict: matrix.Survived, Cause: matrix.NotInfected})
	set(t, m, 0, 2, Cell{Verdict: matrix.Survived, Cause: matrix.NotReached})
	if m.Infected(0).Count() != 1 || !m.Infected(0).Get(0) {
		t.Errorf("infected: %v", m.Infected(0))
	}
	path := filepath.Join(t.TempDir(), "kills.parquet")
	var old table.Schema
	for _, c := range Schema() {
		if c.Name != "infected" {
			old = append(old, c)
		}
	}
	meta, err := lists(m.Mutants(), m.Tests())
	if err != nil {
		t.Fatal(err)
	}
	w, err := table.Create(path, old, meta)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := table.FromColumns(old, []int64{0, 0}, []string{"m0", "m0"}, []int64{0, 1}, []string{"t0", "t1"}, []int64{0, 0},
		[]string{"none", "none"}, []bool{true, true}, []int64{0, 0}, []int64{0, 0})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Commit(); err != nil {
		t.Fatal(err)
	}
	got, err := Read(path, Everything)
	if err != nil {
		t.Fatal(err)
	}
	if !got.Infected(0).Equal(got.Reached(0)) || got.Reached(0).Count() != 2 {
		t.Errorf("reached %v, infected %v", got.Reached(0), got.Infected(0))
	}
}

func TestTheMatrixOnSomeTestsHasTheirCells(t *testing.T) {
	m, err := New([]string{"a", "b"}, []string{"t0", "t1", "t2"})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range []Cell{
		{Verdict: matrix.Killed, Cause: matrix.Output, Work: 5}, {Verdict: matrix.Survived, Work: 6}, {Verdict: matrix.Killed, Cause: matrix.Signal, Work: 7, Micros: 3},
	} {
		if err := m.Set(0, i, c); err != nil {
			t.Fatal(err)
		}
	}
	some := m.OnTests(func(test string) bool { return test != "t1" })
	if got := fmt.Sprint(some.Tests(), some.Mutants()); got != "[t0 t2] [a b]" {
		t.Fatalf("%s", got)
	}
	for to, from := range []int{0, 2} {
		for i := range 2 {
			if some.Cell(i, to) != m.Cell(i, from) || some.Reached(i).Get(to) != m.Reached(i).Get(from) {
				t.Errorf("mutant %d, test %d: %+v, want %+v", i, to, some.Cell(i, to), m.Cell(i, from))
			}
		}
	}
}
