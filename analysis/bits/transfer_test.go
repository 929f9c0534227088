package bits

import (
	"testing"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/enum"
	"github.com/llir/llvm/ir/types"
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
		inst llir.Instruction
		of   func(a, b uint64) (uint64, bool)
		best bool // nothing more can be known
	}{
		{&llir.InstAdd{}, defined(func(a, b uint64) uint64 { return a + b }), true},
		{&llir.InstSub{}, defined(func(a, b uint64) uint64 { return a - b }), true},
		{&llir.InstAnd{}, defined(func(a, b uint64) uint64 { return a & b }), true},
		{&llir.InstOr{}, defined(func(a, b uint64) uint64 { return a | b }), true},
		{&llir.InstXor{}, defined(func(a, b uint64) uint64 { return a ^ b }), true},
		{&llir.InstMul{}, defined(func(a, b uint64) uint64 { return a * b }), false},
		{&llir.InstShl{}, func(a, b uint64) (uint64, bool) { return a << b, b < small }, false},
		{&llir.InstLShr{}, func(a, b uint64) (uint64, bool) { return a >> b, b < small }, false},
		{&llir.InstAShr{}, func(a, b uint64) (uint64, bool) { return uint64(signed(a) >> b), b < small }, false},
		{&llir.InstUDiv{}, func(a, b uint64) (uint64, bool) { return a / max(1, b), b > 0 }, false},
		{&llir.InstURem{}, func(a, b uint64) (uint64, bool) { return a % max(1, b), b > 0 }, false},
		{&llir.InstSDiv{}, func(a, b uint64) (uint64, bool) {
			if b == 0 {
				return 0, false
			}
			return uint64(signed(a) / signed(b)), !(signed(a) == -8 && signed(b) == -1)
		}, false},
		{&llir.InstSRem{}, func(a, b uint64) (uint64, bool) {
			if b == 0 {
				return 0, false
			}
			return uint64(signed(a) % signed(b)), !(signed(a) == -8 && signed(b) == -1)
		}, false},
	} {
		operate := operators(c.inst)
		for _, x := range all(small) {
			for _, y := range all(small) {
				want, ok := joinOf(x, y, c.of)
				if !ok {
					continue
				}
				got := operate(x, y)
				zero, one := got.Zero&mask(small), got.One&mask(small)
				if zero&^want.Zero != 0 || one&^want.One != 0 || c.best && (zero != want.Zero || one != want.One) {
					t.Fatalf("%T of %+v and %+v is %+v, and all results are %+v", c.inst, x, y, got, want)
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
			inst  llir.Instruction
			width uint
			of    func(a uint64) uint64
		}{
			{&llir.InstZExt{}, 6, func(a uint64) uint64 { return a }},
			{&llir.InstSExt{}, 6, func(a uint64) uint64 { return uint64(signed(a)) & 63 }},
			{&llir.InstTrunc{To: types.I8}, 2, func(a uint64) uint64 { return a & 3 }},
		} {
			want := never(to.width)
			for _, a := range members(x) {
				want = want.join(Exactly(to.of(a), to.width))
			}
			if got := convert(to.inst, x, to.width); got != want {
				t.Fatalf("%T of %+v is %+v, want %+v", to.inst, x, got, want)
			}
		}
	}
}
