package mutant

import (
	"math"
	"math/bits"
)

// Values is a set of numbers that a place of the original program had, as far as a
// probing run remembers it (schemata.Probe): the classes they are of and, in the upper
// half, a sketch that tells about how many there were. The union of two sets is their
// bitwise or.
type Values uint64

// The classes of Values. The sizes of the others follow one another: 2 and 3, 4 to
// 15, 16 to 255, 256 to 65,535, and what is larger.
const (
	ValueZero     Values = 1 << 0
	ValueOne      Values = 1 << 1 // the first of six sizes of positive numbers
	ValueMinusOne Values = 1 << 7 // the first of six sizes of negative numbers
	ValueFraction Values = 1 << 13
	ValueNoNumber Values = 1 << 14

	ValuePositive = ValueOne * (1<<6 - 1)
	ValueNegative = ValueMinusOne * (1<<6 - 1)

	valueClasses = ValueNoNumber<<1 - 1
)

// Changes is a set of differences that a mutant made to a value, as far as a probing
// run remembers it: what they are like, and a sketch as that of Values.
type Changes uint64

// What a change may be like.
const (
	// ChangeByOne is the first of six sizes of the difference, those of Values;
	// ChangeByFraction is below them, of real numbers.
	ChangeByOne      Changes = 1 << 0
	ChangeByFraction Changes = 1 << 6
	ChangeUp         Changes = 1 << 7  // to a greater value
	ChangeDown       Changes = 1 << 8  // to a smaller one
	ChangeSign       Changes = 1 << 9  // one of the two is negative
	ChangeZero       Changes = 1 << 10 // one of the two is 0
	ChangeParity     Changes = 1 << 11 // one of the two is odd
	ChangeWay        Changes = 1 << 12 // a branch goes elsewhere
	ChangeToZero     Changes = 1 << 13
	ChangeToOne      Changes = 1 << 14
	ChangeToNegative Changes = 1 << 15
	ChangeNoNumber   Changes = 1 << 16 // one of the two is infinite or not a number

	changeSizes = ChangeByOne * (1<<6 - 1)
)

// Sizes is how many sizes numbers have: 1, 2 to 3, 4 to 15, 16 to 255, 256 to 65,535,
// and what is larger.
const Sizes = 6

// ValueOf is the set of one integer.
func ValueOf(x int64) Values {
	switch {
	case x == 0:
		return ValueZero | Values(sketch(0))
	case x > 0:
		return ValueOne<<sizeOf(uint64(x)) | Values(sketch(uint64(x)))
	}
	return ValueMinusOne<<sizeOf(-uint64(x)) | Values(sketch(uint64(x)))
}

// ChangeOf is the set of the difference between an original integer and a mutant's,
// none when they are the same.
func ChangeOf(original, mutant int64) Changes {
	if original == mutant {
		return 0
	}
	size := uint64(mutant) - uint64(original)
	out := ChangeUp | Changes(sketch(size))
	if mutant < original {
		size, out = -size, ChangeDown|Changes(sketch(size))
	}
	out |= ChangeByOne << sizeOf(size)
	for _, is := range []struct {
		so   bool
		like Changes
	}{
		{(original < 0) != (mutant < 0), ChangeSign}, {original == 0 || mutant == 0, ChangeZero}, {(original^mutant)&1 != 0, ChangeParity},
		{mutant == 0, ChangeToZero}, {mutant == 1, ChangeToOne}, {mutant < 0, ChangeToNegative},
	} {
		if is.so {
			out |= is.like
		}
	}
	return out
}

// ValueOfReal is the set of one real number.
func ValueOfReal(x float64) Values {
	out := Values(sketch(math.Float64bits(x)))
	switch size := math.Abs(x); {
	case !(size <= math.MaxFloat64):
		return out | ValueNoNumber
	case size == 0:
		return out | ValueZero
	case size < 1:
		return out | ValueFraction
	case x > 0:
		return out | ValueOne<<sizeOfReal(size)
	default:
		return out | ValueMinusOne<<sizeOfReal(size)
	}
}

// ChangeOfReal is ChangeOf of real numbers, which are the same when their bits are.
func ChangeOfReal(original, mutant float64) Changes {
	if math.Float64bits(original) == math.Float64bits(mutant) {
		return 0
	}
	difference := mutant - original
	out := Changes(sketch(math.Float64bits(difference)))
	switch size := math.Abs(difference); {
	case !(size <= math.MaxFloat64):
		out |= ChangeNoNumber
	case size < 1:
		out |= ChangeByFraction
	default:
		out |= ChangeByOne << sizeOfReal(size)
	}
	for _, is := range []struct {
		so   bool
		like Changes
	}{
		{mutant > original, ChangeUp}, {mutant < original, ChangeDown}, {(original < 0) != (mutant < 0), ChangeSign},
		{(original == 0) != (mutant == 0), ChangeZero}, {mutant == 0, ChangeToZero}, {mutant == 1, ChangeToOne}, {mutant < 0, ChangeToNegative},
	} {
		if is.so {
			out |= is.like
		}
	}
	return out
}

// sizeOfReal is the size of a number of at least 1.
func sizeOfReal(x float64) int { return sizeOf(uint64(min(x, 1<<16))) }

// sizeOf is the place of a number of at least 1 among the sizes.
func sizeOf(x uint64) int {
	switch n := bits.Len64(x); {
	case n <= 2:
		return n - 1
	case n <= 4:
		return 2
	case n <= 8:
		return 3
	case n <= 16:
		return 4
	}
	return 5
}

// sketch is one of the 32 upper bits, which numbers share.
func sketch(x uint64) uint64 { return 1 << (32 + (x * 0x9e3779b97f4a7c15 >> 59)) }

// Distinct is about how many different numbers there were, by linear counting (Whang,
// Vander-Zanden and Taylor, 1990, equation 1, with 32 bits); a full sketch stands for
// 32·ln 64, which is 133.
func (v Values) Distinct() float64 { return distinct(uint64(v)) }

// Distinct is about how many different differences there were.
func (c Changes) Distinct() float64 { return distinct(uint64(c)) }

func distinct(set uint64) float64 {
	const cells = 32
	free := float64(cells - bits.OnesCount64(set>>32))
	return -cells * math.Log(max(free, 0.5)/cells)
}

// Classes is how many classes the numbers are of.
func (v Values) Classes() int { return bits.OnesCount64(uint64(v & valueClasses)) }

// Largest is the place of the largest absolute value among the sizes, from 1; 0 where
// there is no number beyond 0 and fractions.
func (v Values) Largest() int {
	both := v&ValuePositive/ValueOne | v&ValueNegative/ValueMinusOne
	return bits.Len64(uint64(both))
}

// Least and Most are the places of the smallest and the largest difference among the
// sizes, from 1, and 0 for fractions; false where no difference between numbers is
// known.
func (c Changes) Least() (int, bool) {
	if c&ChangeByFraction != 0 {
		return 0, true
	}
	return bits.TrailingZeros64(uint64(c&changeSizes)) + 1, c&changeSizes != 0
}

// Most is described at Least.
func (c Changes) Most() (int, bool) {
	return bits.Len64(uint64(c & changeSizes)), c&(changeSizes|ChangeByFraction) != 0
}

// Steady says that there was but one difference, as far as the sketch tells.
func (c Changes) Steady() bool { return bits.OnesCount64(uint64(c)>>32) == 1 }
