package ranges

import (
	"math"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// Apply is what an operator of integers makes of members of two intervals of a width.
// With noWrap only results that the type can hold count, which is what nsw promises;
// without it results wrap. A division by zero and a shift too far have no result
// that counts.
func Apply(code op.Code, a, b Interval, width uint, noWrap bool) Interval {
	if a.IsEmpty() || b.IsEmpty() {
		return Empty
	}
	if width == 1 {
		return truths(code, a, b)
	}
	if a.IsOne() && b.IsOne() {
		if z, ok := fold(code, a.Lo, b.Lo, width, noWrap); ok {
			return Exactly(z)
		}
	}
	switch code {
	case op.Add:
		return fit(width, noWrap, sum(a.Lo, b.Lo), sum(a.Hi, b.Hi))
	case op.Sub:
		return fit(width, noWrap, difference(a.Lo, b.Hi), difference(a.Hi, b.Lo))
	case op.Mul:
		return fit(width, noWrap, product(a.Lo, b.Lo), product(a.Lo, b.Hi), product(a.Hi, b.Lo), product(a.Hi, b.Hi))
	case op.SDiv:
		return divide(a, b, width)
	case op.SRem:
		return remainder(a, b, width)
	case op.UDiv, op.URem, op.LShr:
		return unsigned(code, a, b, width)
	case op.And:
		return and(a, b)
	case op.Or:
		return and(a.complement(), b.complement()).complement()
	case op.Xor:
		return xor(a, b)
	case op.Shl, op.AShr:
		return shift(code, a, b, width, noWrap)
	}
	return Full(width)
}

// fold computes what the rules below know less of when both numbers are known.
func fold(code op.Code, x, y int64, width uint, noWrap bool) (int64, bool) {
	switch code {
	case op.And, op.Or, op.Xor:
	case op.SRem, op.URem: // of which those by zero have no result
	case op.Add, op.Sub, op.Mul:
		if noWrap {
			return 0, false
		}
	case op.Shl:
		if noWrap || y < 0 || y >= int64(width) {
			return 0, false
		}
	default:
		return 0, false
	}
	return code.Ints(x, y, width)
}

// truths works on 0 and 1 only, and tries them.
func truths(code op.Code, a, b Interval) Interval {
	out := Empty
	for x := a.Lo; x <= a.Hi; x++ {
		for y := b.Lo; y <= b.Hi; y++ {
			z := x ^ y // addition and subtraction, too
			switch code {
			case op.Mul, op.And:
				z = x & y
			case op.Or:
				z = x | y
			case op.Add, op.Sub, op.Xor:
			default:
				return Full(1)
			}
			out = out.Join(Exactly(z))
		}
	}
	return out
}

// end is an end of an interval of results. Beyond what 64 bits hold it is the
// nearest number, and over is set.
type end struct {
	x    int64
	over bool
}

// toward is the end that a result beyond 64 bits gets.
func toward(positive bool) end {
	if positive {
		return end{math.MaxInt64, true}
	}
	return end{math.MinInt64, true}
}

func sum(x, y int64) end {
	z := x + y
	if (x^z)&(y^z) < 0 {
		return toward(x >= 0)
	}
	return end{z, false}
}

func difference(x, y int64) end {
	z := x - y
	if (x^y)&(x^z) < 0 {
		return toward(x >= 0)
	}
	return end{z, false}
}

func product(x, y int64) end {
	if x == 0 || y == 0 {
		return end{}
	}
	z := x * y
	if z/y != x || x == -1 && y == math.MinInt64 || y == -1 && x == math.MinInt64 {
		return toward(x < 0 == (y < 0))
	}
	return end{z, false}
}

// fit is the interval of results of which these are the least and greatest.
func fit(width uint, noWrap bool, ends ...end) Interval {
	full := Full(width)
	lo, hi, over := ends[0].x, ends[0].x, false
	for _, e := range ends {
		lo, hi, over = min(lo, e.x), max(hi, e.x), over || e.over
	}
	out := Interval{lo, hi}
	switch {
	case !over && out.Within(full):
		return out
	case noWrap:
		if out = out.Meet(full); !out.IsEmpty() {
			return out
		}
	}
	return full
}

func divide(a, b Interval, width uint) Interval {
	out := Empty
	for _, d := range []Interval{b.Meet(Interval{math.MinInt64, -1}), b.Meet(Interval{1, math.MaxInt64})} {
		if d.IsEmpty() {
			continue
		}
		var ends []end
		for _, x := range []int64{a.Lo, a.Hi} {
			for _, y := range []int64{d.Lo, d.Hi} {
				if x == math.MinInt64 && y == -1 {
					ends = append(ends, toward(true))
				} else {
					ends = append(ends, end{x / y, false})
				}
			}
		}
		out = out.Join(fit(width, true, ends...))
	}
	if out.IsEmpty() {
		return Full(width)
	}
	return out
}

func remainder(a, b Interval, width uint) Interval {
	least, most := magnitudes(b)
	if most == 0 {
		return Full(width)
	}
	if _, x := magnitudes(a); x < least {
		return a
	}
	m := int64(min(most-1, math.MaxInt64))
	return Interval{max(min(a.Lo, 0), -m), min(max(a.Hi, 0), m)}
}

// magnitudes are the least and greatest absolute values.
func magnitudes(a Interval) (least, most uint64) {
	lo, hi := magnitude(a.Lo), magnitude(a.Hi)
	if a.Has(0) {
		return 0, max(lo, hi)
	}
	return min(lo, hi), max(lo, hi)
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func unsigned(code op.Code, a, b Interval, width uint) Interval {
	alo, ahi := a.unsigned(width)
	blo, bhi := b.unsigned(width)
	switch {
	case code == op.LShr:
		if bhi >= uint64(width) {
			return Full(width)
		}
		return fromUnsigned(alo>>bhi, ahi>>blo, width)
	case bhi == 0:
		return Full(width)
	case code == op.UDiv:
		return fromUnsigned(alo/bhi, ahi/max(1, blo), width)
	case ahi < blo:
		return a
	}
	return fromUnsigned(0, min(ahi, bhi-1), width)
}

// and: a result has no bit that one operand lacks, and is negative only when
// both are; then it has the leading ones that both have.
func and(a, b Interval) Interval {
	switch {
	case a.Lo >= 0 && b.Lo >= 0:
		return Interval{0, min(a.Hi, b.Hi)}
	case a.Lo >= 0:
		return Interval{0, a.Hi}
	case b.Lo >= 0:
		return Interval{0, b.Hi}
	}
	k := max(Interval{a.Lo, -1}.digits(), Interval{b.Lo, -1}.digits())
	hi := max(a.Hi, b.Hi)
	if hi < 0 {
		hi = min(a.Hi, b.Hi)
	}
	return Interval{math.MinInt64 >> (63 - k), hi}
}

func xor(a, b Interval) Interval {
	switch {
	case a == Exactly(-1):
		return b.complement()
	case b == Exactly(-1):
		return a.complement()
	case a == Exactly(0):
		return b
	case b == Exactly(0):
		return a
	}
	k := max(a.digits(), b.digits())
	out := Interval{math.MinInt64 >> (63 - k), math.MaxInt64 >> (63 - k)}
	switch {
	case a.Lo >= 0 && b.Lo >= 0 || a.Hi < 0 && b.Hi < 0:
		out.Lo = 0
	case a.Lo >= 0 && b.Hi < 0 || a.Hi < 0 && b.Lo >= 0:
		out.Hi = -1
	}
	return out
}

func shift(code op.Code, a, b Interval, width uint, noWrap bool) Interval {
	if b.Lo < 0 || b.Hi >= int64(width) {
		return Full(width)
	}
	if code == op.AShr {
		return Interval{min(a.Lo>>b.Lo, a.Lo>>b.Hi), max(a.Hi>>b.Lo, a.Hi>>b.Hi)}
	}
	if b.Hi == 63 {
		return Full(width)
	}
	x, y := int64(1)<<b.Lo, int64(1)<<b.Hi
	return fit(width, noWrap, product(a.Lo, x), product(a.Lo, y), product(a.Hi, x), product(a.Hi, y))
}

// Convert is what a conversion of integers makes of the members of an interval.
func Convert(code op.Code, a Interval, from, to uint) Interval {
	switch {
	case a.IsEmpty():
		return Empty
	case code == op.SExt && from == 1:
		return Interval{-a.Hi, -a.Lo}
	case code == op.ZExt && from > 1:
		lo, hi := a.unsigned(from)
		return fromUnsigned(lo, hi, to)
	case code == op.Trunc && to == 1:
		if a.IsOne() {
			return Exactly(a.Lo & 1)
		}
		return Full(1)
	case code == op.Trunc && !a.Within(Full(to)):
		if a.Size()-1 <= uint64(math.MaxUint64)>>(64-to) {
			if lo, hi := signed(uint64(a.Lo), to), signed(uint64(a.Hi), to); lo <= hi {
				return Interval{lo, hi}
			}
		}
		return Full(to)
	}
	return a
}
