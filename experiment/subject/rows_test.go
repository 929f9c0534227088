package subject

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// packed keeps rows of equal length.
func packed(rows [][]float64) *Rows {
	columns := 0
	if len(rows) > 0 {
		columns = len(rows[0])
	}
	out, err := PackRows(rows, columns)
	if err != nil {
		panic(err)
	}
	return out
}

func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) })
}

// The plain rows are the slow twin: constant columns, columns of few and of many
// values, missing ones, both zeros.
func TestPackedRowsGiveBackEveryBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 1))
	for _, n := range []int{0, 1, 2, 255, 256, 257, 700} {
		rows := make([][]float64, n)
		for i := range rows {
			rows[i] = []float64{7, float64(i % 256), float64(i % 257), rng.Float64(), math.Copysign(0, float64(i%2)-0.5), math.NaN(),
				math.Float64frombits(0x7ff8000000000000 | uint64(i%3)), float64(rng.IntN(3)), math.Inf(1)}
		}
		r, err := PackRows(rows, 9)
		if err != nil || r.Len() != n || r.Columns() != 9 {
			t.Fatalf("%d rows: %d, %d, %v", n, r.Len(), r.Columns(), err)
		}
		positions := rng.Perm(n)[:n/2]
		picked := r.Pick(positions).Dense()
		for i, row := range r.Dense() {
			if !sameBits(row, rows[i]) {
				t.Fatalf("row %d of %d is %v, was %v", i, n, row, rows[i])
			}
		}
		for i, p := range positions {
			if !sameBits(picked[i], rows[p]) {
				t.Fatalf("picked row %d is %v, was %v", i, picked[i], rows[p])
			}
		}
		for k := range 9 {
			for i, x := range r.Column(k, nil) {
				if !sameBits([]float64{x}, []float64{rows[i][k]}) {
					t.Fatalf("column %d, row %d is %v, was %v", k, i, x, rows[i][k])
				}
			}
		}
	}
}

func TestColumnsOfTwoTablesAreChosen(t *testing.T) {
	a, b := packed([][]float64{{1, 2}, {3, 4}}), packed([][]float64{{5}, {6}})
	got := a.Choose([]int{1, ^0, 0}, b).Dense()
	if !slices.Equal(got[0], []float64{2, 5, 1}) || !slices.Equal(got[1], []float64{4, 6, 3}) {
		t.Errorf("rows %v", got)
	}
}

func TestRowsOfUnequalLengthAreRefused(t *testing.T) {
	if _, err := PackRows([][]float64{{1}, {1, 2}}, 1); !errors.Is(err, ErrSubject) {
		t.Errorf("error %v", err)
	}
}

// What the packing is for: most columns of one program say little.
func TestConstantColumnsTakeNoRoom(t *testing.T) {
	r := packed([][]float64{{1, 0}, {1, 5}, {1, 0}})
	if r.columns[0].codes != nil || len(r.columns[0].values) != 1 || len(r.columns[1].codes) != 3 || len(r.columns[1].values) != 2 {
		t.Errorf("columns %+v", r.columns)
	}
}

func TestColumnsAreChosenOfOthersAlone(t *testing.T) {
	others, err := PackRows([][]float64{{1, 2}, {3, 4}, {5, 4}}, 2)
	if err != nil {
		t.Fatal(err)
	}
	var none *Rows
	got := none.Choose([]int{^1, ^0}, others)
	if got.Len() != 3 || got.Columns() != 2 || got.Dense()[2][0] != 4 || got.Dense()[2][1] != 5 {
		t.Errorf("%v", got.Dense())
	}
}
