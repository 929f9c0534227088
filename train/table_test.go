package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomTable bins random data and returns, as the slow twin, the bin of every
// row of every column found one by one.
func randomTable(rng *rand.Rand, rows int) (*table, [][]uint8) {
	d := &Data{Labels: make([]float64, rows)}
	for range 6 {
		values := make([]float64, rows)
		usual, share := float64(rng.IntN(2)), rng.IntN(20)
		for r := range values {
			values[r] = usual
			if rng.IntN(20) < share {
				values[r] = float64(rng.IntN(9) - 4)
			}
			if rng.IntN(20) == 0 {
				values[r] = math.NaN()
			}
		}
		d.Columns = append(d.Columns, Compress(values))
	}
	t, err := binData(d, &Options{Bins: 4 + rng.IntN(5), Workers: 2})
	if err != nil {
		panic(err) // the data above are sound
	}
	codes := make([][]uint8, len(d.Columns))
	for i := range d.Columns {
		c := &d.Columns[i]
		for r := range rows {
			x := 0.0
			if !c.sparse() {
				x = c.Values[r]
			} else if at, ok := slices.BinarySearch(c.Rows, int32(r)); ok {
				x = c.Values[at]
			}
			codes[i] = append(codes[i], t.bins[i].bin(x))
		}
	}
	return t, codes
}

func TestPartitionEqualsFilteringRowByRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 1))
	for range 300 {
		table, codes := randomTable(rng, 80)
		s := newScratch(80)
		for column := range table.columns {
			var goesLeft [256]bool
			for b := range goesLeft {
				goesLeft[b] = rng.IntN(2) == 0
			}
			rows := drawRows(rng, 80, 1+rng.IntN(80))
			var left, right []int32
			for _, r := range rows {
				if goesLeft[codes[column][r]] {
					left = append(left, r)
				} else {
					right = append(right, r)
				}
			}
			n := table.partition(rows, column, &goesLeft, s)
			if n != len(left) || !slices.Equal(rows, append(left, right...)) {
				t.Fatalf("got %v and %v, want %v and %v", rows[:n], rows[n:], left, right)
			}
		}
		if slices.Max(s.mark) != 0 {
			t.Fatal("the scratch memory was not cleared")
		}
	}
}

func TestHistogramsEqualCountingCellByCell(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 2))
	for range 400 {
		table, codes := randomTable(rng, 80)
		derivatives := make([]cell, 80)
		for r := range derivatives {
			derivatives[r] = cell{first: rng.Int64N(1000) - 500, both: rng.Int64N(1000)}
		}
		l := newLayout(table, 1, 1+rng.IntN(4))
		allowed := make([]bool, len(codes))
		for i := range allowed {
			allowed[i] = rng.IntN(3) > 0
		}
		all := l.newHistogram()
		some, others := slices.Clone(all), slices.Clone(all)
		rows := drawRows(rng, 80, 80)
		rng.Shuffle(80, func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		n := rng.IntN(80)
		if rng.IntN(2) == 0 {
			l.restrict(allowed, slices.Sorted(slices.Values(rows)), 2)
		} else {
			allowed = slices.Repeat([]bool{true}, len(codes))
		}
		for _, c := range []struct {
			histogram []cell
			rows      []int32
		}{{all, rows}, {some, rows[:n]}, {others, rows[n:]}} {
			want := l.newHistogram()
			var total cell
			for _, r := range c.rows {
				total.add(derivatives[r])
				for _, i := range l.columns {
					if !allowed[i] {
						continue
					}
					want[l.offset[i]+int(codes[i][r])].add(derivatives[r])
				}
			}
			l.fill(c.histogram, c.rows, derivatives, total, 2)
			if !slices.Equal(c.histogram, want) {
				t.Fatalf("got %v, want %v", c.histogram, want)
			}
		}
		subtract(all, some)
		if !slices.Equal(all, others) {
			t.Fatal("the difference of two histograms is not that of the other rows")
		}
	}
}

func TestSharesOfSparseColumnsCoverAllInOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 3))
	for range 100 {
		table, _ := randomTable(rng, 40)
		l := &layout{table: table}
		columns := []int{0, 1, 2, 3, 4, 5}[:rng.IntN(7)]
		workers := 1 + rng.IntN(8)
		shares := l.shareOut(columns, workers)
		if len(shares) > workers || !slices.Equal(slices.Concat(shares...), columns) && len(columns) > 0 {
			t.Fatalf("%d workers share %v as %v", workers, columns, shares)
		}
	}
}

func TestPackedDerivativesKeepTheirSums(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 4))
	for _, scale := range []float64{1e-200, 1e-9, 1, 1e9, 1e200} {
		first, second, cells := make([]float64, 5000), make([]float64, 5000), make([]cell, 5000)
		sumFirst, sumSecond := 0.0, 0.0
		for r := range first {
			first[r], second[r] = rng.NormFloat64()*scale, rng.Float64()*scale
			sumFirst += first[r]
			sumSecond += second[r]
		}
		p, err := pack(first, second, cells)
		if err != nil {
			t.Fatal(err)
		}
		var sum cell
		for _, c := range cells {
			sum.add(c)
		}
		if p.rows(sum) != 5000 {
			t.Errorf("scale %v: %d rows", scale, p.rows(sum))
		}
		if math.Abs(p.first(sum)-sumFirst) > 1e-9*scale || math.Abs(p.second(sum)-sumSecond) > 1e-6*scale {
			t.Errorf("scale %v: sums %v and %v, exactly %v and %v", scale, p.first(sum), p.second(sum), sumFirst, sumSecond)
		}
	}
}

func TestThePackedSumsOfTheLargestTableDoNotOverflow(t *testing.T) {
	for _, rows := range []int{maxRows - 1, maxRows} { // just below and at a power of two
		for _, first := range []float64{-1, 1} {
			// All rows at the extreme: one cell, as often as there may be rows.
			// Units are powers of two, so just below one is the tightest fit.
			most := math.Nextafter(1, 0)
			p := newPrecision(most, most, rows)
			one := p.cell(first*most, most)
			sum := cell{first: one.first * int64(rows), both: one.both * int64(rows)}
			if n := float64(rows); p.rows(sum) != rows || math.Abs(p.first(sum)-first*n) > 1e-6*n || math.Abs(p.second(sum)-n) > 1e-6*n {
				t.Errorf("%d rows of %v: %d rows, sums %v and %v", rows, first, p.rows(sum), p.first(sum), p.second(sum))
			}
		}
	}
}

func TestDerivativesThatAreNotNumbersAreRefused(t *testing.T) {
	for _, bad := range []struct{ first, second float64 }{{math.NaN(), 1}, {math.Inf(1), 1}, {0, math.NaN()}, {0, -1}, {0, math.Inf(1)}} {
		if _, err := pack([]float64{bad.first}, []float64{bad.second}, make([]cell, 1)); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}
