package term

import "math/bits"

// bounds are limits of a value without a sign and with one, and how many of its lowest
// bits are 0.
type bounds struct {
	lo, hi   uint64
	slo, shi int64
	zeros    uint8
}

// Bounds are limits of a term's value without a sign.
func (t *Term) Bounds() (lo, hi uint64) { return t.bounds.lo, t.bounds.hi }

// SignedBounds are limits of a term's value with a sign.
func (t *Term) SignedBounds() (lo, hi int64) { return t.bounds.slo, t.bounds.shi }

func anything(width uint8) bounds {
	half := int64(Mask(width) >> 1)
	return bounds{0, Mask(width), -half - 1, half, 0}
}

// boundsOf finds the bounds of a term from those of its arguments.
func boundsOf(t *Term) bounds {
	if !t.IsBits() {
		return bounds{}
	}
	b := anything(t.Width)
	arg := func(k int) bounds { return t.Args[k].bounds }
	switch t.Op {
	case Const:
		s := Signed(t.X, t.Width)
		return bounds{t.X, t.X, s, s, uint8(min(bits.TrailingZeros64(t.X), int(t.Width)))}
	case ZExt:
		a := arg(0)
		b.lo, b.hi, b.zeros = a.lo, a.hi, a.zeros
	case SExt:
		a := arg(0)
		b.slo, b.shi, b.zeros = a.slo, a.shi, a.zeros
	case Concat:
		low := t.Args[1].Width
		b.lo, b.hi = arg(0).lo<<low|arg(1).lo, arg(0).hi<<low|arg(1).hi
	case Ite:
		x, y := arg(1), arg(2)
		return bounds{min(x.lo, y.lo), max(x.hi, y.hi), min(x.slo, y.slo), max(x.shi, y.shi), min(x.zeros, y.zeros)}
	case And:
		b.hi, b.zeros = min(arg(0).hi, arg(1).hi), max(arg(0).zeros, arg(1).zeros)
	case Or:
		b.lo, b.zeros = max(arg(0).lo, arg(1).lo), min(arg(0).zeros, arg(1).zeros)
		b.hi = ^uint64(0) >> bits.LeadingZeros64(arg(0).hi|arg(1).hi)
	case URem:
		if arg(1).lo > 0 {
			b.hi = min(arg(0).hi, arg(1).hi-1)
		}
	case UDiv:
		if arg(1).lo > 0 {
			b.lo, b.hi = arg(0).lo/arg(1).hi, arg(0).hi/arg(1).lo
		}
	case SRem:
		if a := t.Args[1]; a.IsConst() && a.X != 0 {
			most := Signed(a.X, t.Width)
			if most > 0 {
				b.slo, b.shi = 1-most, most-1
			}
			if x := arg(0); x.slo >= 0 {
				b.slo = 0
				b.shi = min(b.shi, x.shi)
			}
		}
	case LShr:
		b.hi = arg(0).hi
		if a := t.Args[1]; a.IsConst() && a.X < uint64(t.Width) {
			b.lo, b.hi = arg(0).lo>>a.X, arg(0).hi>>a.X
		}
	case AShr:
		if a := t.Args[1]; a.IsConst() && a.X < uint64(t.Width) {
			b.slo, b.shi = arg(0).slo>>a.X, arg(0).shi>>a.X
		}
	case Sum:
		return sumBounds(t)
	}
	return b.meet(t.Width)
}

// sumBounds are those of a sum whose parts stay small enough.
func sumBounds(t *Term) bounds {
	b := anything(t.Width)
	zeros := uint8(64)
	if t.X != 0 {
		zeros = uint8(bits.TrailingZeros64(t.X))
	}
	lo, hi, fits := Signed(t.X, t.Width), Signed(t.X, t.Width), true
	for k, a := range t.Args {
		c := Signed(t.Coefficients[k], t.Width)
		zeros = min(zeros, a.bounds.zeros+uint8(bits.TrailingZeros64(uint64(c))))
		const most = 1 << 52
		x, y := a.bounds.slo, a.bounds.shi
		if c > 1<<9 || c < -1<<9 || x < -most || y > most || lo < -most || hi > most || len(t.Args) > 64 {
			fits = false
			continue
		}
		x, y = x*c, y*c
		lo, hi = lo+min(x, y), hi+max(x, y)
	}
	if fits && lo >= b.slo && hi <= b.shi {
		b.slo, b.shi = lo, hi
	}
	b.zeros = min(zeros, t.Width)
	return b.meet(t.Width)
}

// meet makes bounds with a sign and without one say the same, as far as they can.
func (b bounds) meet(width uint8) bounds {
	sign := uint64(1) << (width - 1)
	if b.hi < sign || b.lo >= sign { // on one side
		b.slo, b.shi = max(b.slo, Signed(b.lo, width)), min(b.shi, Signed(b.hi, width))
	}
	if b.slo >= 0 || b.shi < 0 {
		b.lo, b.hi = max(b.lo, uint64(b.slo)&Mask(width)), min(b.hi, uint64(b.shi)&Mask(width))
	}
	return b
}
