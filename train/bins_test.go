package train

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// slowBin is the definition of a bin.
func slowBin(b *binning, x float64) uint8 {
	for i, upper := range b.upper {
		if x <= upper {
			return uint8(i)
		}
	}
	return b.missing()
}

func TestABinIsTheFirstWhoseUpperEndIsNotBelowTheValue(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	for range 300 {
		values := make([]float64, 1+rng.IntN(400))
		for i := range values {
			values[i] = math.Round(rng.NormFloat64() * 50)
		}
		c := Dense(values)
		b := newBinning(&c, len(values), nil, 2+rng.IntN(254))
		for _, upper := range b.upper {
			values = append(values, upper, math.Nextafter(upper, math.Inf(-1)), math.Nextafter(upper, everything))
		}
		for _, x := range append(values, 0, math.Copysign(0, -1), -everything, everything) {
			if got, want := b.bin(x), slowBin(&b, x); got != want {
				t.Fatalf("%v is in bin %d of %v, should be %d", x, got, b.upper, want)
			}
		}
		if b.bin(math.NaN()) != b.missing() {
			t.Fatal("NaN has an ordinary bin")
		}
	}
}

func TestSortKeysAreInTheOrderOfTheNumbers(t *testing.T) {
	negativeZero := math.Copysign(0, -1)
	if sortKey(negativeZero) != sortKey(0) {
		t.Error("-0 and 0 have different keys")
	}
	numbers := []float64{math.Inf(-1), -everything, -1, -math.SmallestNonzeroFloat64, 0, math.SmallestNonzeroFloat64, 0.5, 1, everything, math.Inf(1)}
	for _, x := range numbers {
		if got := keyValue(sortKey(x)); got != x {
			t.Errorf("the key of %v is that of %v", x, got)
		}
	}
	for i := 1; i < len(numbers); i++ {
		if sortKey(numbers[i-1]) >= sortKey(numbers[i]) {
			t.Errorf("%v does not come before %v", numbers[i-1], numbers[i])
		}
	}
}

func TestFewValuesHaveABinEachAndManyShareFairly(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 2))
	for _, kinds := range []int{1, 2, 10, 50, 51, 300, 5000} {
		const rows, bins = 20_000, 50
		values := make([]float64, rows)
		for i := range values {
			values[i] = float64(rng.IntN(kinds)) / 3
		}
		c := Dense(values)
		b := newBinning(&c, rows, nil, bins)
		if want := min(kinds, bins); b.count > bins || kinds <= bins && b.count != want || b.count < want*9/10 {
			t.Errorf("%d values share %d bins of %d", kinds, b.count, bins)
		}
		counts := make([]int, b.count)
		for _, x := range values {
			counts[b.bin(x)]++
		}
		if most := slices.Max(counts); kinds > bins && most > 3*rows/bins {
			t.Errorf("%d values: a bin holds %d of %d rows", kinds, most, rows)
		}
		if slices.Min(counts) == 0 {
			t.Errorf("%d values: an empty bin", kinds)
		}
	}
}

func TestAFrequentValueStandsAlone(t *testing.T) {
	values := make([]float64, 10_000) // mostly 0
	for i := range 2000 {
		values[i] = float64(i-1000) + 0.5
	}
	c := Compress(values)
	b := newBinning(&c, len(values), nil, 20)
	zero := b.bin(0)
	if b.bin(-0.5) == zero || b.bin(0.5) == zero {
		t.Errorf("0 shares a bin: %v", b.upper)
	}
}

func TestAMidpointIsAlwaysBetween(t *testing.T) {
	big, tiny := math.MaxFloat64, math.SmallestNonzeroFloat64
	for _, p := range [][2]float64{{1, 2}, {-big, big}, {0, tiny}, {-tiny, 0}, {1, math.Nextafter(1, 2)}, {big / 2, big}, {-big, -big / 2}} {
		if m := between(p[0], p[1]); !(m >= p[0] && m < p[1]) {
			t.Errorf("between(%v, %v) = %v", p[0], p[1], m)
		}
	}
}

func TestSparseColumnsAreTalliedAsDenseOnes(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 3))
	for range 100 {
		values, sample := make([]float64, 50), make([]bool, 50)
		for i := range values {
			sample[i] = rng.IntN(2) == 0
			switch rng.IntN(6) {
			case 0:
				values[i] = math.NaN()
			case 1:
				values[i] = float64(rng.IntN(5) - 2)
			}
		}
		dense, sparse := Dense(values), Compress(values)
		for _, s := range [][]bool{nil, sample} {
			if a, b := tallies(&dense, 50, s), tallies(&sparse, 50, s); !slices.Equal(a, b) {
				t.Fatalf("dense %v, sparse %v", a, b)
			}
		}
		a, b := newBinning(&dense, 50, nil, 10), newBinning(&sparse, 50, nil, 10)
		if a.min != b.min || a.max != b.max {
			t.Fatalf("dense from %v to %v, sparse from %v to %v", a.min, a.max, b.min, b.max)
		}
	}
}

func TestDrawnRowsAreASampleWithoutReplacement(t *testing.T) {
	hits := make([]int, 20)
	const draws = 20_000
	for i := range draws {
		rows := drawRows(stream(1, "test", i), 20, 5)
		if len(rows) != 5 || !slices.IsSorted(rows) || len(slices.Compact(slices.Clone(rows))) != 5 {
			t.Fatalf("drew %v", rows)
		}
		for _, r := range rows {
			hits[r]++
		}
	}
	for r, n := range hits {
		// The number is binomial with mean 5,000 and standard deviation 61.
		if math.Abs(float64(n)-draws/4) > 5*61 {
			t.Errorf("row %d was drawn %d times of %d", r, n, draws/4)
		}
	}
}

// BenchmarkBin finds the bin of one value of 255.
func BenchmarkBin(b *testing.B) {
	rng := rand.New(rand.NewPCG(16, 1))
	values := make([]float64, 100_000)
	for i := range values {
		values[i] = rng.NormFloat64()
	}
	c := Dense(values)
	bins := newBinning(&c, len(values), nil, maxBins)
	i := 0
	for b.Loop() {
		bins.bin(values[i])
		i = (i + 1) % len(values)
	}
}

func TestSortingKeysByBytesEqualsComparing(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 9))
	var buffer keyBuffer
	for round := range 60 {
		buffer.keys = buffer.keys[:0]
		for range rng.IntN(3000) {
			x := rng.NormFloat64() * math.Exp(20*rng.NormFloat64())
			if round%3 == 0 {
				x = float64(rng.IntN(5) - 2)
			}
			buffer.keys = append(buffer.keys, sortKey(x))
		}
		want := slices.Sorted(slices.Values(buffer.keys))
		if got := buffer.sort(); !slices.Equal(got, want) {
			t.Fatalf("round %d: %d keys in another order", round, len(want))
		}
	}
}
