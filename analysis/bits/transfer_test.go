package bits

import (
	"testing"

	"github.com/llir/llvm/ir/enum"

	"github.com/winnow-mutants/winnow/analysis/op"
)

const small = 4

// all are the values of a width that a computed integer can have.
func all(width uint) (out []Known) {
	for zero := range uint64(1) << width {
		for one := range uint64(1) << width {
			if zero&one == 0 {
				out = append(out, Known{zero, one, width})
			}
		}
	}
	return out
}

// members are the numbers that a value stands for.
func members(k Known) (out []uint64) {
	for x := range uint64(1) << k.Width {
		if x&k.Zero == 0 && x&k.One == k.One {
			out = append(out, x)
		}
	}
	return out
}

func signed(x uint64) int64 { return int64(x<<(64-small)) >> (64 - small) }

// joinOf is what is known of all results of an operation; false where it is
// defined for no operands.
func joinOf(x, y Known, of func(a, b uint64) (uint64, bool)) (Known, bool) {
	out := never(small)
	for _, a := range members(x) {
		for _, b := range members(y) {
			if r, ok := of(a, b); ok {
				out = out.join(Exactly(r, small))
			}
		}
	}
	return out, !out.Never()
}

func TestKnownBitsHoldOfEveryResult(t *testing.T) {
	defined := func(of func(a, b uint64) uint64) func(a, b uint64) (uint64, bool) {
		return func(a, b uint64) (uint64, bool) { return of(a, b), true }
	}
	for _, c := range []struct {
		code op.Code
		of   func(a, b uint64) (uint64, bool)
		best bool // nothing more can be known
	}{
		{op.Add, defined(func(a, b uint64) uint64 { return a + b }), true},
		{op.Sub, defined(func(a, b uint64) uint64 { return a - b }), true},
		{op.And, defined(func(a, b uint64) uint64 { return a & b }), true},
		{op.Or, defined(func(a, b uint64) uint64 { return a | b }), true},
		{op.Xor, defined(func(a, b uint64) uint64 { return a ^ b }), true},
		{op.Mul, defined(func(a, b uint64) uint64 { return a * b }), false},
		{op.Shl, func(a, b uint64) (uint64, bool) { return a << b, b < small }, false},
		{op.LShr, func(a, b uint64) (uint64, bool) { return a >> b, b < small }, false},
		{op.AShr, func(a, b uint64) (uint64, bool) { return uint64(signed(a) >> b), b < small }, false},
		{op.UDiv, func(a, b uint64) (uint64, bool) { return a / max(1, b), b > 0 }, false},
		{op.URem, func(a, b uint64) (uint64, bool) { return a % max(1, b), b > 0 }, false},
		{op.SDiv, func(a, b uint64) (uint64, bool) {
			if b == 0 {
				return 0, false
			}
			return uint64(signed(a) / signed(b)), !(signed(a) == -8 && signed(b) == -1)
		}, false},
		{op.SRem, func(a, b uint64) (uint64, bool) {
			if b == 0 {
				return 0, false
			}
			return uint64(signed(a) % signed(b)), !(signed(a) == -8 && signed(b) == -1)
		}, false},
	} {
		operate := operators[c.code]
		for _, x := range all(small) {
			for _, y := range all(small) {
				want, ok := joinOf(x, y, c.of)
				if !ok {
					continue
				}
				got := operate(x, y)
				zero, one := got.Zero&mask(small), got.One&mask(small)
				if zero&^want.Zero != 0 || one&^want.One != 0 || c.best && (zero != want.Zero || one != want.One) {
					t.Fatalf("code %v of %+v and %+v is %+v, and all results are %+v", c.code, x, y, got, want)
				}
			}
		}
	}
}

func TestDecidedComparisonsHoldOfAllNumbers(t *testing.T) {
	for p, holds := range map[enum.IPred]func(a, b uint64) bool{
		enum.IPredEQ: func(a, b uint64) bool { return a == b }, enum.IPredNE: func(a, b uint64) bool { return a != b },
		enum.IPredULT: func(a, b uint64) bool { return a < b }, enum.IPredULE: func(a, b uint64) bool { return a <= b },
		enum.IPredUGT: func(a, b uint64) bool { return a > b }, enum.IPredUGE: func(a, b uint64) bool { return a >= b },
		enum.IPredSLT: func(a, b uint64) bool { return signed(a) < signed(b) }, enum.IPredSLE: func(a, b uint64) bool { return signed(a) <= signed(b) },
		enum.IPredSGT: func(a, b uint64) bool { return signed(a) > signed(b) }, enum.IPredSGE: func(a, b uint64) bool { return signed(a) >= signed(b) },
	} {
		decided := 0
		for _, x := range all(small) {
			for _, y := range all(small) {
				got := compare(p, x, y)
				if got.Count() == 0 {
					continue
				}
				decided++
				for _, a := range members(x) {
					for _, b := range members(y) {
						if holds(a, b) != (got.One == 1) {
							t.Fatalf("%v of %+v and %+v is decided as %+v, but not for %d and %d", p, x, y, got, a, b)
						}
					}
				}
			}
		}
		if decided < 256 {
			t.Errorf("%v is decided for %d pairs; numbers alone make 256", p, decided)
		}
	}
}

func TestConversionsKeepWhatIsKnown(t *testing.T) {
	for _, x := range all(small) {
		for _, to := range []struct {
			code  op.Code
			width uint
			of    func(a uint64) uint64
		}{
			{op.ZExt, 6, func(a uint64) uint64 { return a }},
			{op.SExt, 6, func(a uint64) uint64 { return uint64(signed(a)) & 63 }},
			{op.Trunc, 2, func(a uint64) uint64 { return a & 3 }},
		} {
			want := never(to.width)
			for _, a := range members(x) {
				want = want.join(Exactly(to.of(a), to.width))
			}
			if got := convert(to.code, x, to.width); got != want {
				t.Fatalf("code %v of %+v is %+v, want %+v", to.code, x, got, want)
			}
		}
	}
}
