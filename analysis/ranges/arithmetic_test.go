package ranges_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/llir/llvm/ir/enum"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
)

// wrap reads the low bits of a number with a sign, one bit without.
func wrap(x int64, width uint) int64 {
	if width == 1 {
		return x & 1
	}
	return x << (64 - width) >> (64 - width)
}

// compute is an operator by the language reference of LLVM, for small widths.
func compute(o op.Code, x, y int64, width uint, noWrap bool) (z int64, counts bool) {
	mask := int64(1)<<width - 1
	far := y&mask >= int64(width)
	switch o {
	case op.Add:
		z = x + y
	case op.Sub:
		z = x - y
	case op.Mul:
		z = x * y
	case op.And:
		z = x & y
	case op.Or:
		z = x | y
	case op.Xor:
		z = x ^ y
	case op.Shl, op.LShr, op.AShr:
		if far {
			return 0, false
		}
		switch o {
		case op.Shl:
			z = x << (y & mask)
		case op.LShr:
			z = x & mask >> (y & mask)
		case op.AShr:
			z = x >> (y & mask)
		}
	default:
		if y == 0 {
			return 0, false
		}
		switch o {
		case op.SDiv:
			z = x / y
			noWrap = true
		case op.SRem:
			z = x % y
		case op.UDiv:
			z = (x & mask) / (y & mask)
		case op.URem:
			z = (x & mask) % (y & mask)
		}
	}
	switch o {
	case op.Add, op.Sub, op.Mul, op.Shl, op.SDiv:
		if noWrap && width > 1 && z != wrap(z, width) {
			return 0, false
		}
	}
	return wrap(z, width), true
}

func intervals(width uint) []ranges.Interval {
	var out []ranges.Interval
	full := ranges.Full(width)
	for lo := full.Lo; lo <= full.Hi; lo++ {
		for hi := lo; hi <= full.Hi; hi++ {
			out = append(out, ranges.Interval{Lo: lo, Hi: hi})
		}
	}
	return out
}

// checkOperator compares an operator on intervals with trying all members.
func checkOperator(t *testing.T, o op.Code, a, b ranges.Interval, width uint, noWrap bool) (exact bool) {
	got, want := ranges.Apply(o, a, b, width, noWrap), ranges.Empty
	for x := a.Lo; x <= a.Hi; x++ {
		for y := b.Lo; y <= b.Hi; y++ {
			z, counts := compute(o, x, y, width, noWrap)
			if !counts {
				continue
			}
			want = want.Join(ranges.Exactly(z))
			if !got.Has(z) {
				t.Fatalf("operator %d of %v and %v in %d bits (no wrap: %v) is %v, but %d and %d give %d", o, a, b, width, noWrap, got, x, y, z)
			}
		}
	}
	if !got.Within(ranges.Full(width)) {
		t.Fatalf("operator %d of %v and %v is %v in %d bits", o, a, b, got, width)
	}
	return got == want
}

func TestOperatorsHoldAllResultsOfSmallWidths(t *testing.T) {
	for _, width := range []uint{1, 4} {
		all := intervals(width)
		for o := op.Add; o <= op.AShr; o++ {
			for _, a := range all {
				for _, b := range all {
					for _, noWrap := range []bool{false, true} {
						exact := checkOperator(t, o, a, b, width, noWrap)
						if _, counts := compute(o, a.Lo, b.Lo, width, noWrap); a.IsOne() && b.IsOne() && counts && width > 1 && !exact {
							t.Errorf("operator %d of %d and %d in %d bits is no number", o, a.Lo, b.Lo, width)
						}
					}
				}
			}
		}
	}
}

func FuzzOperators(f *testing.F) {
	f.Add(uint8(0), int8(-3), uint8(5), int8(7), uint8(9), true)
	f.Add(uint8(3), int8(-128), uint8(255), int8(-1), uint8(3), false)
	f.Fuzz(func(t *testing.T, o uint8, aLo int8, aSize uint8, bLo int8, bSize uint8, noWrap bool) {
		a := ranges.Interval{Lo: int64(aLo), Hi: min(127, int64(aLo)+int64(aSize))}
		b := ranges.Interval{Lo: int64(bLo), Hi: min(127, int64(bLo)+int64(bSize))}
		checkOperator(t, op.Add+op.Code(o%13), a, b, 8, noWrap)
	})
}

// TestOperatorsOf64BitsHoldTheirResults tries the numbers around the ends of the
// type, where 64 bits do not hold the results.
func TestOperatorsOf64BitsHoldTheirResults(t *testing.T) {
	rng := rand.New(rand.NewPCG(64, 1))
	interesting := []int64{math.MinInt64, math.MinInt64 + 1, -1 << 32, -3, -1, 0, 1, 2, 63, 1 << 31, 1 << 62, math.MaxInt64 - 1, math.MaxInt64}
	draw := func() int64 { return interesting[rng.IntN(len(interesting))] }
	for range 20000 {
		x, y, p, q := draw(), draw(), draw(), draw()
		a := ranges.Exactly(x).Join(ranges.Exactly(p))
		b := ranges.Exactly(y).Join(ranges.Exactly(q))
		results := map[op.Code]int64{op.Add: x + y, op.Sub: x - y, op.Mul: x * y, op.And: x & y, op.Or: x | y, op.Xor: x ^ y}
		if y != 0 {
			results[op.SRem], results[op.URem], results[op.UDiv] = x%y, int64(uint64(x)%uint64(y)), int64(uint64(x)/uint64(y))
			if x != math.MinInt64 || y != -1 {
				results[op.SDiv] = x / y
			}
		}
		if y >= 0 && y < 64 {
			results[op.Shl], results[op.LShr], results[op.AShr] = x<<y, int64(uint64(x)>>y), x>>y
		}
		for o, z := range results {
			if got := ranges.Apply(o, a, b, 64, false); !got.Has(z) {
				t.Fatalf("operator %d of %v and %v is %v, but %d and %d give %d", o, a, b, got, x, y, z)
			}
		}
	}
}

func TestConversionsHoldAllResults(t *testing.T) {
	for _, w := range []struct{ from, to uint }{{4, 7}, {7, 4}, {1, 4}, {4, 1}} {
		for _, a := range intervals(w.from) {
			for c := op.SExt; c <= op.Trunc; c++ {
				if (c == op.Trunc) != (w.to < w.from) {
					continue
				}
				got := ranges.Convert(c, a, w.from, w.to)
				for x := a.Lo; x <= a.Hi; x++ {
					z := x
					switch {
					case c == op.ZExt:
						z = x & (1<<w.from - 1)
					case c == op.SExt && w.from == 1:
						z = -x
					case c == op.Trunc:
						z = wrap(x, w.to)
					}
					if !got.Has(z) || !got.Within(ranges.Full(w.to)) {
						t.Fatalf("conversion %d of %v from %d to %d bits is %v, but %d gives %d", c, a, w.from, w.to, got, x, z)
					}
				}
			}
		}
	}
}

func TestComparisonsAndWhatFollowsFromThem(t *testing.T) {
	const width = 4
	all := intervals(width)
	holds := func(p enum.IPred, x, y int64) bool {
		ux, uy := x&(1<<width-1), y&(1<<width-1)
		return map[enum.IPred]bool{enum.IPredEQ: x == y, enum.IPredNE: x != y, enum.IPredSLT: x < y, enum.IPredSLE: x <= y, enum.IPredSGT: x > y,
			enum.IPredSGE: x >= y, enum.IPredULT: ux < uy, enum.IPredULE: ux <= uy, enum.IPredUGT: ux > uy, enum.IPredUGE: ux >= uy}[p]
	}
	for _, p := range []enum.IPred{enum.IPredEQ, enum.IPredNE, enum.IPredSLT, enum.IPredSLE, enum.IPredSGT, enum.IPredSGE, enum.IPredULT, enum.IPredULE, enum.IPredUGT, enum.IPredUGE} {
		var truth [1 << width][1 << width]bool
		for x := int64(-8); x < 8; x++ {
			for y := int64(-8); y < 8; y++ {
				truth[x+8][y+8] = holds(p, x, y)
			}
		}
		for _, a := range all {
			for _, b := range all {
				got, want := ranges.Compare(p, a, b, width), ranges.Empty
				yesX, yesY := ranges.Refine(p, true, a, b, width)
				noX, noY := ranges.Refine(p, false, a, b, width)
				for x := a.Lo; x <= a.Hi; x++ {
					for y := b.Lo; y <= b.Hi; y++ {
						if truth[x+8][y+8] {
							want = want.Join(ranges.Exactly(1))
							if !yesX.Has(x) || !yesY.Has(y) {
								t.Fatalf("%v of %v and %v leaves %v and %v, without %d and %d", p, a, b, yesX, yesY, x, y)
							}
						} else {
							want = want.Join(ranges.Exactly(0))
							if !noX.Has(x) || !noY.Has(y) {
								t.Fatalf("not %v of %v and %v leaves %v and %v, without %d and %d", p, a, b, noX, noY, x, y)
							}
						}
					}
				}
				if !want.Within(got) {
					t.Fatalf("%v of %v and %v is %v, not %v", p, a, b, got, want)
				}
				if !yesX.Within(a) || !noY.Within(b) {
					t.Fatalf("%v adds numbers to %v or %v", p, a, b)
				}
			}
		}
	}
}
