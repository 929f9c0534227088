package ranges

import (
	"math"
	"math/bits"
)

// Interval is the integers from Lo to Hi, both included; it is empty when Lo is
// greater. Values of n bits are read with a sign, those of one bit as 0 and 1.
type Interval struct{ Lo, Hi int64 }

// Empty is an interval without members.
var Empty = Interval{0, -1}

// Exactly is the interval of one number.
func Exactly(x int64) Interval { return Interval{x, x} }

// Full is what an integer of so many bits can be, 1 to 64.
func Full(width uint) Interval {
	if width == 1 {
		return Interval{0, 1}
	}
	return Interval{math.MinInt64 >> (64 - width), math.MaxInt64 >> (64 - width)}
}

// IsEmpty reports that nothing lies in the interval.
func (a Interval) IsEmpty() bool { return a.Lo > a.Hi }

// IsOne reports that the interval has one member.
func (a Interval) IsOne() bool { return a.Lo == a.Hi }

// Has reports whether a number lies in the interval.
func (a Interval) Has(x int64) bool { return a.Lo <= x && x <= a.Hi }

// Within reports whether all of a lies in b.
func (a Interval) Within(b Interval) bool { return a.IsEmpty() || b.Lo <= a.Lo && a.Hi <= b.Hi }

// Size is the number of members; it is MaxUint64 for all 2^64.
func (a Interval) Size() uint64 {
	if a.IsEmpty() {
		return 0
	}
	n := uint64(a.Hi) - uint64(a.Lo)
	return n + min(1, math.MaxUint64-n)
}

// Join is the least interval that holds both.
func (a Interval) Join(b Interval) Interval {
	switch {
	case a.IsEmpty():
		return b
	case b.IsEmpty():
		return a
	}
	return Interval{min(a.Lo, b.Lo), max(a.Hi, b.Hi)}
}

// Meet is what lies in both.
func (a Interval) Meet(b Interval) Interval {
	out := Interval{max(a.Lo, b.Lo), min(a.Hi, b.Hi)}
	if out.IsEmpty() {
		return Empty
	}
	return out
}

// complement is what ^x can be.
func (a Interval) complement() Interval { return Interval{^a.Hi, ^a.Lo} }

// widen moves the ends in which b goes beyond a, to 0, 1 or -1 if that is far
// enough, else to what the type can hold. Each end moves at most three times.
func (a Interval) widen(b Interval, width uint) Interval {
	if a.IsEmpty() {
		return b
	}
	full, out := Full(width), a
	if b.Lo < a.Lo {
		out.Lo = full.Lo
		for _, stop := range []int64{1, 0, -1} {
			if stop <= b.Lo && stop < a.Lo && stop > full.Lo {
				out.Lo = stop
				break
			}
		}
	}
	if b.Hi > a.Hi {
		out.Hi = full.Hi
		for _, stop := range []int64{-1, 0, 1} {
			if stop >= b.Hi && stop > a.Hi && stop < full.Hi {
				out.Hi = stop
				break
			}
		}
	}
	return out
}

// unsigned is the interval read without a sign.
func (a Interval) unsigned(width uint) (lo, hi uint64) {
	mask := uint64(math.MaxUint64) >> (64 - width)
	if a.Lo < 0 && a.Hi >= 0 {
		return 0, mask
	}
	return uint64(a.Lo) & mask, uint64(a.Hi) & mask
}

// fromUnsigned is the interval of numbers of a width, read with a sign.
func fromUnsigned(lo, hi uint64, width uint) Interval {
	half := uint64(1) << (width - 1)
	switch {
	case width == 1 || hi < half:
		return Interval{int64(lo), int64(hi)}
	case lo >= half:
		return Interval{signed(lo, width), signed(hi, width)}
	}
	return Full(width)
}

func signed(x uint64, width uint) int64 { return int64(x<<(64-width)) >> (64 - width) }

// digits is the least k with -2^k <= x < 2^k for all x of the interval.
func (a Interval) digits() int {
	return max(bits.Len64(uint64(a.Lo^a.Lo>>63)), bits.Len64(uint64(a.Hi^a.Hi>>63)))
}
