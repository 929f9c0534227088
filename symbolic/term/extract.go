package term

// Extract is so many bits of a term, from one on.
func (p *Pool) Extract(a *Term, from, width uint8) *Term {
	if from == 0 && width == a.Width {
		return a
	}
	key := [3]uint32{a.ID, uint32(from), uint32(width)}
	if t := p.cut[key]; t != nil {
		return t
	}
	t := p.extract(a, from, width)
	p.cut[key] = t
	return t
}

func (p *Pool) extract(a *Term, from, width uint8) *Term {
	switch a.Op {
	case Const:
		return p.Number(a.X>>from, width)
	case Extract:
		return p.Extract(a.Args[0], uint8(a.X)+from, width)
	case Concat:
		low := a.Args[1].Width
		switch {
		case from >= low:
			return p.Extract(a.Args[0], from-low, width)
		case from+width <= low:
			return p.Extract(a.Args[1], from, width)
		}
		return p.Concat(p.Extract(a.Args[0], 0, from+width-low), p.Extract(a.Args[1], from, low-from))
	case ZExt, SExt:
		inner := a.Args[0]
		switch {
		case from+width <= inner.Width:
			return p.Extract(inner, from, width)
		case from < inner.Width && a.Op == ZExt:
			return p.ZExt(p.Extract(inner, from, inner.Width-from), width)
		case from < inner.Width:
			return p.SExt(p.Extract(inner, from, inner.Width-from), width)
		case a.Op == ZExt:
			return p.Number(0, width)
		}
		return p.SExt(p.Extract(inner, inner.Width-1, 1), width)
	case And:
		return p.And(p.Extract(a.Args[0], from, width), p.Extract(a.Args[1], from, width))
	case Or:
		return p.Or(p.Extract(a.Args[0], from, width), p.Extract(a.Args[1], from, width))
	case Xor:
		return p.Xor(p.Extract(a.Args[0], from, width), p.Extract(a.Args[1], from, width))
	case Not:
		return p.Not(p.Extract(a.Args[0], from, width))
	case Ite:
		return p.Ite(a.Args[0], p.Extract(a.Args[1], from, width), p.Extract(a.Args[2], from, width))
	case Sum, Product:
		if from == 0 && width > 1 {
			return p.lowSum(a, width)
		}
	}
	return p.make(Term{Op: Extract, Width: width, X: uint64(from), Args: []*Term{a}})
}

// lowSum is a sum or a product of the lowest bits.
func (p *Pool) lowSum(a *Term, width uint8) *Term {
	if a.Op == Product {
		out := p.Extract(a.Args[0], 0, width)
		for _, t := range a.Args[1:] {
			out = p.Mul(out, p.Extract(t, 0, width))
		}
		return out
	}
	q := &polynomial{width: width, x: a.X}
	for k, t := range a.Args {
		q.add(p.Extract(t, 0, width), a.Coefficients[k])
	}
	return p.sum(q)
}

// Concat is a term whose upper bits are a's.
func (p *Pool) Concat(a, b *Term) *Term {
	w := a.Width + b.Width
	switch {
	case a.IsConst() && b.IsConst():
		return p.Number(a.X<<b.Width|b.X, w)
	case a.IsConst() && a.X == 0:
		return p.ZExt(b, w)
	case b.Op == Concat && a.Op == Extract: // of the same: see below
		if t := p.joined(a, b.Args[0]); t != nil {
			return p.Concat(t, b.Args[1])
		}
	}
	if t := p.joined(a, b); t != nil {
		return t
	}
	if a.Op == Concat { // the last is the lowest
		return p.Concat(a.Args[0], p.Concat(a.Args[1], b))
	}
	if a.Op == Ite && b.Op == Ite && a.Args[0] == b.Args[0] {
		return p.Ite(a.Args[0], p.Concat(a.Args[1], b.Args[1]), p.Concat(a.Args[2], b.Args[2]))
	}
	return p.make(Term{Op: Concat, Width: w, Args: []*Term{a, b}})
}

// joined is the concatenation of neighbouring bits of one term, or nil.
func (p *Pool) joined(a, b *Term) *Term {
	if a.Op != Extract {
		return nil
	}
	whole := a.Args[0]
	switch {
	case b.Op == Extract && b.Args[0] == whole && b.X+uint64(b.Width) == a.X:
		return p.Extract(whole, uint8(b.X), a.Width+b.Width)
	case b == p.cut[[3]uint32{whole.ID, 0, uint32(b.Width)}] && a.X == uint64(b.Width):
		return p.Extract(whole, 0, a.Width+b.Width)
	}
	return nil
}

// ZExt is a term with zeros in front.
func (p *Pool) ZExt(a *Term, width uint8) *Term {
	switch {
	case a.Width == width:
		return a
	case a.IsConst():
		return p.Number(a.X, width)
	case a.Op == ZExt:
		return p.ZExt(a.Args[0], width)
	case a.Op == Ite && (a.Args[1].IsConst() || a.Args[2].IsConst()):
		return p.Ite(a.Args[0], p.ZExt(a.Args[1], width), p.ZExt(a.Args[2], width))
	}
	return p.make(Term{Op: ZExt, Width: width, Args: []*Term{a}})
}

// SExt is a term with its sign in front.
func (p *Pool) SExt(a *Term, width uint8) *Term {
	switch {
	case a.Width == width:
		return a
	case a.IsConst():
		return p.Number(uint64(Signed(a.X, a.Width)), width)
	case a.Op == SExt:
		return p.SExt(a.Args[0], width)
	case a.bounds.slo >= 0:
		return p.ZExt(a, width)
	case a.Op == Ite && (a.Args[1].IsConst() || a.Args[2].IsConst()):
		return p.Ite(a.Args[0], p.SExt(a.Args[1], width), p.SExt(a.Args[2], width))
	}
	return p.make(Term{Op: SExt, Width: width, Args: []*Term{a}})
}
