package concrete

import (
	"math"
	"math/big"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// What memory holds of a word is the word again, for each type and size.
func TestWordsComeBackFromMemory(t *testing.T) {
	p := &program{wides: map[int64][2]uint64{}}
	floats := []float64{0, math.Copysign(0, -1), 1, -2.5, 1e300, -1e-300, 5e-324, math.MaxFloat64, math.Inf(1), math.Inf(-1)}
	for _, size := range []uint8{8, 10, 16} {
		for _, f := range floats {
			lo, hi := p.encode(floatWord(f), kindFloat, size)
			if got := wordFloat(p.decode(lo, hi, kindFloat, size)); got != f || math.Signbit(got) != math.Signbit(f) {
				t.Errorf("%g in %d bytes comes back as %g", f, size, got)
			}
		}
		lo, hi := p.encode(floatWord(math.NaN()), kindFloat, size)
		if got := wordFloat(p.decode(lo, hi, kindFloat, size)); !math.IsNaN(got) {
			t.Errorf("what is no number comes back from %d bytes as %g", size, got)
		}
	}
	for as := kind(1); as <= 64; as++ {
		for _, x := range []int64{0, 1, -1, math.MinInt64, math.MaxInt64, 0x5a5a5a5a5a5a5a5a} {
			x = as.wrap(x)
			lo, _ := p.encode(x, as, uint8((as+7)/8))
			if got := p.decode(lo&low(uint8((as+7)/8)), 0, as, uint8((as+7)/8)); got != x {
				t.Errorf("%d of %d bits comes back as %d", x, as, got)
			}
		}
	}
}

// A long double of x86 has its leading bit, its exponent and its sign where the machine has
// them.
func TestALongDoubleHasTheBitsOfTheMachine(t *testing.T) {
	for _, c := range []struct {
		f      float64
		lo, hi uint64
	}{{0, 0, 0}, {1, 1 << 63, 0x3fff}, {-2.5, 0xa << 60, 0xc000}, {.125, 1 << 63, 0x3ffc}} {
		if lo, hi := extend(math.Float64bits(c.f), 10); lo != c.lo || hi != c.hi {
			t.Errorf("%g is %x %x, on the machine %x %x", c.f, hi, lo, c.hi, c.lo)
		}
	}
}

// Equal words are equal wide values, and those that fit a word are themselves.
func TestWideValuesHaveOneWordEach(t *testing.T) {
	p, wide := &program{wides: map[int64][2]uint64{}}, op.Type{Class: op.Int, Bits: 128}
	seen := map[int64]string{}
	for _, text := range []string{"0", "-1", "77", "-9223372036854775808", "9223372036854775807", "9223372036854775808",
		"-9223372036854775809", "170141183460469231731687303715884105727", "-170141183460469231731687303715884105728"} {
		z, _ := new(big.Int).SetString(text, 10)
		x := p.ofWideInt(z, wide)
		if z.IsInt64() && x != z.Int64() {
			t.Errorf("%s is the word %d", text, x)
		}
		if before, twice := seen[x]; twice {
			t.Errorf("%s and %s are one word", before, text)
		}
		seen[x] = text
		if x != p.ofWideInt(z, wide) || p.wideInt(x).Cmp(z) != 0 {
			t.Errorf("%s comes back as %v", text, p.wideInt(x))
		}
	}
}
