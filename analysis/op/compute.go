package op

import (
	"math"
	"math/big"

	"github.com/llir/llvm/ir/enum"
)

// Wrap is the integer of a width that the lowest bits of x are, with its sign; that of one
// bit is 0 or 1.
func Wrap(x int64, width uint) int64 {
	switch {
	case width == 1:
		return x & 1
	case width < 64:
		return x << (64 - width) >> (64 - width)
	}
	return x
}

// Unsigned reads an integer of a width without its sign.
func Unsigned(x int64, width uint) uint64 {
	if width < 64 {
		return uint64(x) & (1<<width - 1)
	}
	return uint64(x)
}

// Ints is what an operator makes of two integers of a width up to 64; false for a division
// by zero. What C leaves undefined is what processors make of it: results wrap, and of the
// distance of a shift the bits count that can be one.
func (c Code) Ints(x, y int64, width uint) (int64, bool) {
	ux, uy := Unsigned(x, width), Unsigned(y, width)
	var z int64
	switch c {
	case Add:
		z = x + y
	case Sub:
		z = x - y
	case Mul:
		z = x * y
	case SDiv, UDiv, SRem, URem:
		if uy == 0 {
			return 0, false
		}
		switch c {
		case SDiv:
			z = x / y
		case UDiv:
			z = int64(ux / uy)
		case SRem:
			z = x % y
		case URem:
			z = int64(ux % uy)
		}
	case And:
		z = x & y
	case Or:
		z = x | y
	case Xor:
		z = x ^ y
	case Shl:
		z = x << (uy % uint64(width))
	case LShr:
		z = int64(ux >> (uy % uint64(width)))
	case AShr:
		z = x >> (uy % uint64(width))
	}
	return Wrap(z, width), true
}

// Wides is Ints of wider integers, which have their signs; the result is a new number.
func (c Code) Wides(x, y *big.Int, width uint) (*big.Int, bool) {
	z := new(big.Int)
	ux, uy := modulo(x, width), modulo(y, width)
	far := uint(new(big.Int).Mod(uy, big.NewInt(int64(width))).Uint64())
	switch c {
	case Add:
		z.Add(x, y)
	case Sub:
		z.Sub(x, y)
	case Mul:
		z.Mul(x, y)
	case SDiv, UDiv, SRem, URem:
		if uy.Sign() == 0 {
			return z, false
		}
		switch c {
		case SDiv:
			z.Quo(x, y)
		case UDiv:
			z.Quo(ux, uy)
		case SRem:
			z.Rem(x, y)
		case URem:
			z.Rem(ux, uy)
		}
	case And:
		z.And(x, y)
	case Or:
		z.Or(x, y)
	case Xor:
		z.Xor(x, y)
	case Shl:
		z.Lsh(x, far)
	case LShr:
		z.Rsh(ux, far)
	case AShr:
		z.Rsh(x, far)
	}
	return WrapWide(z, width), true
}

// modulo is a number read without a sign.
func modulo(x *big.Int, width uint) *big.Int {
	return new(big.Int).Mod(x, new(big.Int).Lsh(big.NewInt(1), width))
}

// WrapWide is Wrap of a wider integer; the result is a new number.
func WrapWide(x *big.Int, width uint) *big.Int {
	z := modulo(x, width)
	if z.Bit(int(width)-1) != 0 {
		z.Sub(z, new(big.Int).Lsh(big.NewInt(1), width))
	}
	return z
}

// Floats is what an operator makes of two numbers.
func (c Code) Floats(x, y float64) float64 {
	switch c {
	case FAdd:
		return x + y
	case FSub:
		return x - y
	case FMul:
		return x * y
	case FDiv:
		return x / y
	}
	return math.Mod(x, y)
}

// Holds is the truth of a comparison of two integers of a width, or of addresses.
func Holds(p enum.IPred, x, y int64, width uint) bool {
	return HoldsOf(p, x < y, Unsigned(x, width) < Unsigned(y, width), x == y)
}

// HoldsOf is the truth of a comparison of two numbers, the first of which is less than the
// second, or below it without a sign, or equal.
func HoldsOf(p enum.IPred, less, below, equal bool) bool {
	switch p {
	case enum.IPredEQ:
		return equal
	case enum.IPredNE:
		return !equal
	case enum.IPredSLT:
		return less
	case enum.IPredSLE:
		return less || equal
	case enum.IPredSGT:
		return !less && !equal
	case enum.IPredSGE:
		return !less
	case enum.IPredULT:
		return below
	case enum.IPredULE:
		return below || equal
	case enum.IPredUGT:
		return !below && !equal
	}
	return !below
}

// HoldsFloat is the truth of a comparison of two numbers.
func HoldsFloat(p enum.FPred, x, y float64) bool {
	unordered := math.IsNaN(x) || math.IsNaN(y)
	switch p {
	case enum.FPredOEQ:
		return x == y
	case enum.FPredONE:
		return x < y || x > y
	case enum.FPredOLT:
		return x < y
	case enum.FPredOLE:
		return x <= y
	case enum.FPredOGT:
		return x > y
	case enum.FPredOGE:
		return x >= y
	case enum.FPredUEQ:
		return unordered || x == y
	case enum.FPredUNE:
		return x != y
	case enum.FPredULT:
		return !(x >= y)
	case enum.FPredULE:
		return !(x > y)
	case enum.FPredUGT:
		return !(x <= y)
	case enum.FPredUGE:
		return !(x < y)
	case enum.FPredORD:
		return !unordered
	case enum.FPredUNO:
		return unordered
	}
	return p == enum.FPredTrue
}
