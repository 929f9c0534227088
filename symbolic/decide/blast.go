package decide

import (
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// blaster makes bits of terms, the lowest first, each once.
type blaster struct {
	g    *graph
	bits map[*term.Term][]lit
	// inputs are the variables and functions met, in order.
	inputs []*term.Term
}

func number(x uint64, width uint8) []lit {
	out := make([]lit, width)
	for k := range out {
		out[k] = lit(x >> k & 1)
	}
	return out
}

// of is the bits of a term.
func (b *blaster) of(t *term.Term) []lit {
	if out, ok := b.bits[t]; ok {
		return out
	}
	term.Each(func(t *term.Term) {
		if _, ok := b.bits[t]; !ok && t.IsBits() {
			b.bits[t] = b.blast(t)
		}
	}, t)
	return b.bits[t]
}

//nolint:funlen // a flat switch over the operators
func (b *blaster) blast(t *term.Term) []lit {
	arg := func(k int) []lit { return b.bits[t.Args[k]] }
	switch t.Op {
	case term.Const:
		return number(t.X, t.Width)
	case term.Var, term.App:
		b.inputs = append(b.inputs, t)
		h := term.Mix(hashOf(t.Name), uint64(len(b.inputs)))
		out := make([]lit, t.Width)
		for k, p := range patterns(h, t.Width) {
			out[k] = b.g.input(p)
		}
		return out
	case term.Sum:
		return b.sum(t)
	case term.Product:
		out := arg(0)
		for k := range t.Args[1:] {
			out = b.multiply(out, arg(k+1))
		}
		return out
	case term.UDiv, term.URem:
		q, r := b.divide(arg(0), arg(1))
		if t.Op == term.UDiv {
			return q
		}
		return r
	case term.SDiv, term.SRem:
		return b.divideSigned(t.Op, arg(0), arg(1))
	case term.And:
		return b.each(b.g.and, arg(0), arg(1))
	case term.Or:
		return b.each(b.g.or, arg(0), arg(1))
	case term.Xor:
		return b.each(b.g.xor, arg(0), arg(1))
	case term.Not:
		return inverted(arg(0))
	case term.Shl, term.LShr, term.AShr:
		return b.shift(t.Op, arg(0), arg(1))
	case term.Eq:
		return []lit{b.equal(arg(0), arg(1))}
	case term.Ult:
		return []lit{b.below(arg(0), arg(1))}
	case term.Slt:
		x, y := signFlipped(arg(0)), signFlipped(arg(1))
		return []lit{b.below(x, y)}
	case term.Ite:
		return b.choose(arg(0)[0], arg(1), arg(2))
	case term.Extract:
		return arg(0)[t.X : t.X+uint64(t.Width)]
	case term.Concat:
		return append(append([]lit(nil), arg(1)...), arg(0)...)
	case term.ZExt:
		return extended(arg(0), t.Width, never)
	}
	x := arg(0)
	return extended(x, t.Width, x[len(x)-1]) // SExt
}

func extended(x []lit, width uint8, with lit) []lit {
	out := append([]lit(nil), x...)
	for len(out) < int(width) {
		out = append(out, with)
	}
	return out
}

func inverted(x []lit) []lit {
	out := make([]lit, len(x))
	for k, l := range x {
		out[k] = l.not()
	}
	return out
}

// signFlipped makes an order with a sign one without.
func signFlipped(x []lit) []lit {
	out := append([]lit(nil), x...)
	out[len(out)-1] = out[len(out)-1].not()
	return out
}

func (b *blaster) each(do func(x, y lit) lit, x, y []lit) []lit {
	out := make([]lit, len(x))
	for k := range x {
		out[k] = do(x[k], y[k])
	}
	return out
}

func (b *blaster) choose(c lit, x, y []lit) []lit {
	return b.each(func(x, y lit) lit { return b.g.choose(c, x, y) }, x, y)
}

// add is x + y + carry.
func (b *blaster) add(x, y []lit, carry lit) []lit {
	out := make([]lit, len(x))
	for k := range x {
		half := b.g.xor(x[k], y[k])
		out[k] = b.g.xor(half, carry)
		if k+1 < len(x) {
			carry = b.g.or(b.g.and(x[k], y[k]), b.g.and(half, carry))
		}
	}
	return out
}

func (b *blaster) sum(t *term.Term) []lit {
	out := number(t.X, t.Width)
	for k, a := range t.Args {
		c := t.Coefficients[k]
		if term.Signed(c, t.Width) < 0 {
			out = b.add(out, inverted(b.times(b.bits[a], -c, t.Width)), always)
		} else {
			out = b.add(out, b.times(b.bits[a], c, t.Width), never)
		}
	}
	return out
}

// times is x times a number.
func (b *blaster) times(x []lit, c uint64, width uint8) []lit {
	c &= term.Mask(width)
	out := number(0, width)
	for k := range int(width) {
		if c>>k&1 == 1 {
			out = b.add(out, shifted(x, k), never)
		}
	}
	return out
}

func shifted(x []lit, by int) []lit {
	out := number(0, uint8(len(x)))
	copy(out[by:], x)
	return out
}

func (b *blaster) multiply(x, y []lit) []lit {
	out := number(0, uint8(len(x)))
	for k, l := range y {
		row := shifted(x, k)
		for i := range row {
			row[i] = b.g.and(row[i], l)
		}
		out = b.add(out, row, never)
	}
	return out
}

// divide is long division; by 0 it gives all ones and x.
func (b *blaster) divide(x, y []lit) (quotient, rest []lit) {
	n := len(x)
	quotient = make([]lit, n)
	wide := extended(y, uint8(n+1), never)
	r := number(0, uint8(n+1))
	for k := n - 1; k >= 0; k-- {
		r = append([]lit{x[k]}, r[:n]...)
		fits := b.below(r, wide).not()
		quotient[k] = fits
		r = b.choose(fits, b.add(r, inverted(wide), always), r)
	}
	return quotient, r[:n]
}

func (b *blaster) divideSigned(op term.Op, x, y []lit) []lit {
	sx, sy := x[len(x)-1], y[len(y)-1]
	q, r := b.divide(b.negatedIf(sx, x), b.negatedIf(sy, y))
	if op == term.SRem {
		return b.negatedIf(sx, r)
	}
	return b.negatedIf(b.g.xor(sx, sy), q)
}

func (b *blaster) negatedIf(c lit, x []lit) []lit {
	flipped := make([]lit, len(x))
	for k, l := range x {
		flipped[k] = b.g.xor(l, c)
	}
	return b.add(flipped, number(0, uint8(len(x))), c)
}

func (b *blaster) shift(op term.Op, x, y []lit) []lit {
	fill := never
	if op == term.AShr {
		fill = x[len(x)-1]
	}
	out := x
	far := never
	for k, l := range y {
		by := 1 << min(k, 30)
		if by >= len(x) {
			far = b.g.or(far, l)
			continue
		}
		moved := make([]lit, len(x))
		for i := range moved {
			from := i + by
			if op == term.Shl {
				from = i - by
			}
			if moved[i] = fill; from >= 0 && from < len(x) {
				moved[i] = out[from]
			}
		}
		out = b.choose(l, moved, out)
	}
	all := make([]lit, len(x))
	for k := range all {
		all[k] = fill
	}
	return b.choose(far, all, out)
}

func (b *blaster) equal(x, y []lit) lit {
	out := always
	for k := range x {
		out = b.g.and(out, b.g.xor(x[k], y[k]).not())
	}
	return out
}

// below is x < y without a sign.
func (b *blaster) below(x, y []lit) lit {
	out := never
	for k := range x {
		out = b.g.choose(b.g.xor(x[k], y[k]), y[k], out)
	}
	return out
}
