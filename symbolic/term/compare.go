package term

// Eq is whether two vectors are equal.
func (p *Pool) Eq(a, b *Term) *Term {
	if a == b {
		return p.Truth(true)
	}
	if a.Width == 1 {
		return p.Not(p.Xor(a, b))
	}
	if a.IsConst() {
		a, b = b, a
	}
	if a.bounds.lo > b.bounds.hi || b.bounds.lo > a.bounds.hi || a.bounds.slo > b.bounds.shi || b.bounds.slo > a.bounds.shi {
		return p.Truth(false)
	}
	if b.IsConst() {
		if t := p.eqNumber(a, b); t != nil {
			return t
		}
	}
	if a.Op == ZExt && b.Op == ZExt && a.Args[0].Width == b.Args[0].Width || a.Op == SExt && b.Op == SExt && a.Args[0].Width == b.Args[0].Width {
		return p.Eq(a.Args[0], b.Args[0])
	}
	if a.Op == Ite && (a.Args[1] == b || a.Args[2] == b) || b.Op == Ite && (b.Args[1] == a || b.Args[2] == a) {
		if b.Op != Ite || b.Args[1] != a && b.Args[2] != a {
			a, b = b, a
		}
		c, x, y := b.Args[0], b.Args[1], b.Args[2]
		if x == a {
			return p.Or(c, p.Eq(a, y))
		}
		return p.Or(p.Not(c), p.Eq(a, x))
	}
	return p.eqSums(a, b)
}

// eqNumber is a == b of a number b, or nil.
func (p *Pool) eqNumber(a, b *Term) *Term {
	x := b.X
	switch a.Op {
	case ZExt:
		inner := a.Args[0]
		if x&^Mask(inner.Width) != 0 {
			return p.Truth(false)
		}
		return p.Eq(inner, p.Number(x, inner.Width))
	case SExt:
		inner := a.Args[0]
		if uint64(Signed(x, inner.Width))&Mask(a.Width) != x {
			return p.Truth(false)
		}
		return p.Eq(inner, p.Number(x, inner.Width))
	case Concat:
		low := a.Args[1].Width
		return p.And(p.Eq(a.Args[0], p.Number(x>>low, a.Args[0].Width)), p.Eq(a.Args[1], p.Number(x, low)))
	case Ite:
		if y, z := a.Args[1], a.Args[2]; y.IsConst() || z.IsConst() {
			return p.Ite(a.Args[0], p.Eq(y, b), p.Eq(z, b))
		}
	case Sum:
		if len(a.Args) == 1 && a.Coefficients[0]&1 == 1 {
			y := (x - a.X) * inverse(a.Coefficients[0])
			if a.X != 0 || a.Coefficients[0] != 1 {
				return p.Eq(a.Args[0], p.Number(y, a.Width))
			}
		}
	case Not:
		return p.Eq(a.Args[0], p.Number(^x, a.Width))
	case UDiv:
		if x == 0 { // x / 0 is all ones
			return p.Ult(a.Args[0], a.Args[1])
		}
	case SDiv:
		if x == 0 { // x / 0 is 1 or -1
			return p.Ult(p.size(a.Args[0]), p.size(a.Args[1]))
		}
	}
	return nil
}

// size is how far a is from 0, without a sign.
func (p *Pool) size(a *Term) *Term {
	return p.Ite(p.Slt(a, p.Number(0, a.Width)), p.Neg(a), a)
}

// inverse is that of an odd number modulo 2^64 (Newton's method).
func inverse(c uint64) uint64 {
	x := c
	for range 6 {
		x *= 2 - c*x
	}
	return x
}

// eqSums moves the addends of one side to the other, so that each is on one side only.
func (p *Pool) eqSums(a, b *Term) *Term {
	if a.Op == Sum || b.Op == Sum || a.Op == Not || b.Op == Not {
		d := p.Sub(a, b)
		if d.IsConst() {
			return p.Truth(d.X == 0)
		}
		if d.Op == Sum || d.Op == Not {
			terms, coefficients := monomials(d)
			left, right := &polynomial{width: a.Width}, &polynomial{width: a.Width}
			sign := uint64(1)
			if Signed(coefficients[0], a.Width) < 0 {
				sign = ^uint64(0)
			}
			for k, t := range terms {
				switch c := sign * coefficients[k]; {
				case t == nil:
					right.x -= c
				case Signed(c, a.Width) < 0:
					right.add(t, -c)
				default:
					left.add(t, c)
				}
			}
			a, b = p.sum(left), p.sum(right)
			if b.IsConst() {
				if t := p.eqNumber(a, b); t != nil {
					return t
				}
			}
		} else {
			a, b = d, p.Number(0, d.Width)
			if t := p.eqNumber(a, b); t != nil {
				return t
			}
		}
	}
	if a.IsConst() || !b.IsConst() && a.ID > b.ID {
		a, b = b, a
	}
	return p.make(Term{Op: Eq, Width: 1, Args: []*Term{a, b}})
}

// Ne is whether two vectors differ.
func (p *Pool) Ne(a, b *Term) *Term { return p.Not(p.Eq(a, b)) }

// Ult is a < b without a sign.
func (p *Pool) Ult(a, b *Term) *Term {
	switch {
	case a == b || a.bounds.lo >= b.bounds.hi:
		return p.Truth(false)
	case a.bounds.hi < b.bounds.lo:
		return p.Truth(true)
	case a.Width == 1:
		return p.And(p.Not(a), b)
	case a.IsConst(): // not below a+1; a is not the greatest, see above
		return p.Not(p.Ult(b, p.Number(a.X+1, a.Width)))
	case b.IsConst() && b.X == 1:
		return p.Eq(a, p.Number(0, a.Width))
	case b.IsConst() && b.X == Mask(b.Width):
		return p.Ne(a, b)
	case a.Op == ZExt && b.Op == ZExt && a.Args[0].Width == b.Args[0].Width:
		return p.Ult(a.Args[0], b.Args[0])
	case a.Op == ZExt && b.IsConst(): // which is in the width, see the bounds
		return p.Ult(a.Args[0], p.Number(b.X, a.Args[0].Width))
	case a.Op == Ite && b.IsConst() && (a.Args[1].IsConst() || a.Args[2].IsConst()):
		return p.Ite(a.Args[0], p.Ult(a.Args[1], b), p.Ult(a.Args[2], b))
	}
	return p.make(Term{Op: Ult, Width: 1, Args: []*Term{a, b}})
}

// Slt is a < b with a sign.
func (p *Pool) Slt(a, b *Term) *Term {
	least := uint64(1) << (a.Width - 1)
	switch {
	case a == b || a.bounds.slo >= b.bounds.shi:
		return p.Truth(false)
	case a.bounds.shi < b.bounds.slo:
		return p.Truth(true)
	case a.Width == 1:
		return p.And(a, p.Not(b))
	case a.bounds.slo >= 0 && b.bounds.slo >= 0:
		return p.Ult(a, b)
	case a.IsConst(): // a is not the greatest, see above
		return p.Not(p.Slt(b, p.Number(a.X+1, a.Width)))
	case b.IsConst() && b.X == least+1:
		return p.Eq(a, p.Number(least, a.Width))
	case b.IsConst() && b.X == least-1:
		return p.Ne(a, b)
	case a.Op == SExt && b.Op == SExt && a.Args[0].Width == b.Args[0].Width:
		return p.Slt(a.Args[0], b.Args[0])
	case a.Op == SExt && b.IsConst(): // which is in the width, see the bounds
		return p.Slt(a.Args[0], p.Number(b.X, a.Args[0].Width))
	case a.Op == Ite && b.IsConst() && (a.Args[1].IsConst() || a.Args[2].IsConst()):
		return p.Ite(a.Args[0], p.Slt(a.Args[1], b), p.Slt(a.Args[2], b))
	}
	return p.make(Term{Op: Slt, Width: 1, Args: []*Term{a, b}})
}

// Ule is a <= b without a sign.
func (p *Pool) Ule(a, b *Term) *Term { return p.Not(p.Ult(b, a)) }

// Sle is a <= b with a sign.
func (p *Pool) Sle(a, b *Term) *Term { return p.Not(p.Slt(b, a)) }
