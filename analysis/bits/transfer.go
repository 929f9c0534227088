package bits

import (
	"math/bits"

	"github.com/llir/llvm/ir/enum"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// eval is what is known of an operation's integer, of its operands' known bits.
func (f *Facts) eval(o *op.Op, of func(op.Operand) Known) Known {
	width := o.Type.Width()
	switch {
	case o.Code == op.Load:
		if v := f.variableAt(o.Args[0]); v != nil {
			return v.held
		}
	case o.Code == op.Select:
		if c := of(o.Args[0]); c.Never() {
			return never(width)
		}
		return of(o.Args[1]).join(of(o.Args[2]))
	case o.Code == op.CompareInts:
		return compare(o.Pred, of(o.Args[0]), of(o.Args[1]))
	case o.Code == op.ZExt || o.Code == op.SExt || o.Code == op.Trunc:
		return convert(o.Code, of(o.Args[0]), width)
	case o.Code.IsBinaryInt():
		return operate(o.Code, of(o.Args[0]), of(o.Args[1]), width)
	}
	return Unknown(width)
}

func operate(code op.Code, x, y Known, width uint) Known {
	if x.Width == 0 || y.Width == 0 {
		return Unknown(width)
	}
	if x.Never() || y.Never() {
		return never(width)
	}
	k := operators[code](x, y)
	k.Width = width
	k.Zero &= mask(width)
	k.One &= mask(width)
	return k
}

var operators = map[op.Code]func(x, y Known) Known{
	op.Add: func(x, y Known) Known { return sum(x, y, 0) },
	op.Sub: func(x, y Known) Known { return sum(x, y.not(), 1) },
	op.Mul: multiply,
	op.And: func(x, y Known) Known { return Known{Zero: x.Zero | y.Zero, One: x.One & y.One} },
	op.Or:  func(x, y Known) Known { return Known{Zero: x.Zero & y.Zero, One: x.One | y.One} },
	op.Xor: func(x, y Known) Known {
		return Known{Zero: x.Zero&y.Zero | x.One&y.One, One: x.Zero&y.One | x.One&y.Zero}
	},
	op.Shl:  func(x, y Known) Known { return shift(x, y, left) },
	op.LShr: func(x, y Known) Known { return shift(x, y, right) },
	op.AShr: func(x, y Known) Known { return shift(x, y, arithmetic) },
	op.UDiv: func(x, y Known) Known { return atMost(x.May()/max(1, y.One), x.Width) },
	op.URem: func(x, y Known) Known { return remainder(x, y).with(atMost(min(x.May(), max(y.May(), 1)-1), x.Width)) },
	op.SRem: signedRemainder,
	op.SDiv: func(x, y Known) Known {
		if x.positive() && y.positive() {
			return atMost(x.May()/max(1, y.One), x.Width)
		}
		return Unknown(x.Width)
	},
}

func (k Known) not() Known { return Known{Zero: k.One, One: k.Zero, Width: k.Width} }

func (k Known) positive() bool { return k.Zero>>(k.Width-1)&1 != 0 }

// with adds what else is known of the same value.
func (k Known) with(o Known) Known {
	return Known{Zero: k.Zero | o.Zero, One: k.One | o.One, Width: k.Width}
}

// atMost is an unsigned number that is not above x.
func atMost(x uint64, width uint) Known {
	return Known{Zero: mask(width) &^ mask(uint(bits.Len64(x))), Width: width}
}

// sum is x + y + carry. The greatest and the least sum have, in the places where
// both operands are known, the carries that every sum has if they agree.
func sum(x, y Known, carry uint64) Known {
	greatest := x.May() + y.May() + carry
	least := x.One + y.One + carry
	carryZero := ^(greatest ^ x.Zero ^ y.Zero)
	carryOne := least ^ x.One ^ y.One
	known := (x.Zero | x.One) & (y.Zero | y.One) & (carryZero | carryOne)
	return Known{Zero: ^greatest & known, One: least & known, Width: x.Width}
}

// multiply knows the low bits of a product of numbers whose low bits are known,
// those that low zeros add, and the zeros above the greatest product.
func multiply(x, y Known) Known {
	zeros := [2]int{x.LowZeros(), y.LowZeros()}
	low := min(int(x.Width), min(x.Low()-zeros[0], y.Low()-zeros[1])+zeros[0]+zeros[1])
	product := x.One * y.One
	k := Known{Zero: ^product & mask(uint(low)), One: product & mask(uint(low)), Width: x.Width}
	if high, most := bits.Mul64(x.May(), y.May()); high == 0 && most <= mask(x.Width) {
		k = k.with(atMost(most, x.Width))
	}
	return k
}

type direction uint8

const (
	left direction = iota
	right
	arithmetic
)

// shift by a number that is known; otherwise zeros that are there stay.
func shift(x, y Known, to direction) Known {
	w, m := x.Width, mask(x.Width)
	if y.Count() != int(y.Width) {
		switch to {
		case left:
			return Known{Zero: mask(uint(x.LowZeros())), Width: w}
		case right:
			return atMost(x.May(), w)
		}
		return Unknown(w)
	}
	n := y.One
	if n >= uint64(w) {
		return Unknown(w)
	}
	switch to {
	case left:
		return Known{Zero: (x.Zero<<n | mask(uint(n))) & m, One: x.One << n & m, Width: w}
	case right:
		return Known{Zero: x.Zero>>n | m&^(m>>n), One: x.One >> n, Width: w}
	}
	extend := func(set uint64) uint64 { return uint64(int64(set<<(64-w))>>(64-w)>>n) & m }
	return Known{Zero: extend(x.Zero), One: extend(x.One), Width: w}
}

// remainder agrees with x in the low bits that are zero in y: x - q*y.
func remainder(x, y Known) Known {
	low := mask(uint(y.LowZeros()))
	if y.LowZeros() == int(y.Width) { // by zero
		low = 0
	}
	return Known{Zero: x.Zero & low, One: x.One & low, Width: x.Width}
}

func signedRemainder(x, y Known) Known {
	k := remainder(x, y)
	if x.positive() {
		most := x.May()
		if y.positive() {
			most = min(most, max(y.May(), 1)-1)
		}
		k = k.with(atMost(most, x.Width))
	}
	return k
}

// compare decides comparisons for equality, and unsigned ones by the least and
// greatest values.
func compare(p enum.IPred, x, y Known) Known {
	if x.Width == 0 || y.Width == 0 {
		return Unknown(1)
	}
	if x.Never() || y.Never() {
		return never(1)
	}
	truth := func(yes bool) Known {
		if yes {
			return Exactly(1, 1)
		}
		return Exactly(0, 1)
	}
	same := x.Count() == int(x.Width) && x == y
	below, notAbove := x.May() < y.One, x.May() <= y.One
	above, notBelow := x.One > y.May(), x.One >= y.May()
	positive := x.positive() && y.positive()
	switch p {
	case enum.IPredEQ, enum.IPredNE:
		if same || x.Differs(y) {
			return truth(same == (p == enum.IPredEQ))
		}
	case enum.IPredULT, enum.IPredSLT:
		if (p == enum.IPredULT || positive) && (below || notBelow) {
			return truth(below)
		}
	case enum.IPredULE, enum.IPredSLE:
		if (p == enum.IPredULE || positive) && (notAbove || above) {
			return truth(notAbove)
		}
	case enum.IPredUGT, enum.IPredSGT:
		if (p == enum.IPredUGT || positive) && (above || notAbove) {
			return truth(above)
		}
	case enum.IPredUGE, enum.IPredSGE:
		if (p == enum.IPredUGE || positive) && (notBelow || below) {
			return truth(notBelow)
		}
	}
	return Unknown(1)
}

func convert(code op.Code, x Known, width uint) Known {
	if x.Width == 0 {
		return Unknown(width)
	}
	if x.Never() {
		return never(width)
	}
	k := Known{Zero: x.Zero & mask(width), One: x.One & mask(width), Width: width}
	above := mask(width) &^ mask(x.Width)
	top := uint64(1) << (x.Width - 1)
	switch {
	case code != op.SExt || x.Zero&top != 0:
		k.Zero |= above
	case x.One&top != 0:
		k.One |= above
	}
	return k
}
