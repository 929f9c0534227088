package term

import "math/bits"

// Shl is a shifted left by b without its sign; 0 where b is no less than the width.
func (p *Pool) Shl(a, b *Term) *Term {
	if b.IsConst() {
		if b.X >= uint64(a.Width) {
			return p.Number(0, a.Width)
		}
		return p.Mul(a, p.Number(1<<b.X, a.Width))
	}
	return p.shift(Shl, a, b)
}

// LShr is a shifted right by b, with zeros; 0 where b is no less than the width.
func (p *Pool) LShr(a, b *Term) *Term {
	if b.IsConst() {
		if b.X >= uint64(a.Width) {
			return p.Number(0, a.Width)
		}
		return p.ZExt(p.Extract(a, uint8(b.X), a.Width-uint8(b.X)), a.Width)
	}
	return p.shift(LShr, a, b)
}

// AShr is a shifted right by b, with its sign, which is all that stays where b is no less
// than the width.
func (p *Pool) AShr(a, b *Term) *Term {
	if a.bounds.slo >= 0 && b.IsConst() {
		return p.LShr(a, b)
	}
	if b.IsConst() {
		by := uint8(min(b.X, uint64(a.Width)-1))
		return p.SExt(p.Extract(a, by, a.Width-by), a.Width)
	}
	return p.shift(AShr, a, b)
}

func (p *Pool) shift(op Op, a, b *Term) *Term {
	if a.IsConst() && a.X == 0 {
		return a
	}
	return p.make(Term{Op: op, Width: a.Width, Args: []*Term{a, b}})
}

// divide computes what SMT-LIB says of numbers.
func divide(op Op, x, y uint64, width uint8) uint64 {
	sx, sy := Signed(x, width), Signed(y, width)
	switch {
	case op == UDiv && y == 0:
		return Mask(width)
	case op == UDiv:
		return x / y
	case y == 0 && (op == URem || op == SRem):
		return x
	case op == URem:
		return x % y
	case y == 0 && sx < 0: // SDiv
		return 1
	case y == 0:
		return Mask(width)
	case op == SDiv:
		return uint64(sx/sy) & Mask(width)
	}
	return uint64(sx%sy) & Mask(width)
}

// Divide is UDiv, URem, SDiv or SRem. What divides by 0 gives what SMT-LIB says: all ones
// or, of a negative number with a sign, 1; and the rest is the number itself.
func (p *Pool) Divide(op Op, a, b *Term) *Term {
	w := a.Width
	if a.IsConst() && b.IsConst() {
		return p.Number(divide(op, a.X, b.X, w), w)
	}
	signed := op == SDiv || op == SRem
	if signed && a.bounds.slo >= 0 && b.bounds.slo >= 0 && w > 1 && b.bounds.lo > 0 {
		return p.Divide(map[Op]Op{SDiv: UDiv, SRem: URem}[op], a, b)
	}
	if b.IsConst() && b.X != 0 {
		switch power := b.X&(b.X-1) == 0 && (!signed || b.X == 1 && w > 1); {
		case power && op == UDiv:
			return p.LShr(a, p.Number(uint64(bits.TrailingZeros64(b.X)), w))
		case power && op == URem:
			return p.And(a, p.Number(b.X-1, w))
		case power && op == SDiv:
			return a
		case power:
			return p.Number(0, w)
		case op == SDiv && b.X == Mask(w) && w > 1:
			return p.Neg(a)
		case op == SRem && b.X == Mask(w) && w > 1:
			return p.Number(0, w)
		case !signed && a.bounds.hi < b.X && op == URem:
			return a
		case !signed && a.bounds.hi < b.X:
			return p.Number(0, w)
		}
	}
	return p.make(Term{Op: op, Width: w, Args: []*Term{a, b}})
}
