package term

// Ite is a where c is 1, else b; of vectors, memory or traces.
func (p *Pool) Ite(c, a, b *Term) *Term {
	switch {
	case c.IsTrue() || a == b:
		return a
	case c.IsFalse():
		return b
	case c.Op == Not:
		return p.Ite(c.Args[0], b, a)
	}
	if a.Op == Ite && a.Args[0] == c {
		return p.Ite(c, a.Args[1], b)
	}
	if b.Op == Ite && b.Args[0] == c {
		return p.Ite(c, a, b.Args[2])
	}
	if a.Width == 1 {
		return p.iteTruth(c, a, b)
	}
	if c.Op == Eq && (c.Args[0] == a && c.Args[1] == b || c.Args[0] == b && c.Args[1] == a) {
		return b
	}
	if a.IsBits() && (c.Op == Slt || c.Op == Ult) {
		if t := p.extreme(c, a, b); t != nil {
			return t
		}
	}
	// A choice between two that end in the same is a choice in front of it.
	if b.Op == Ite && b.Args[1] == a {
		return p.Ite(p.Or(c, b.Args[0]), a, b.Args[2])
	}
	if b.Op == Ite && b.Args[2] == a {
		return p.Ite(p.And(p.Not(c), b.Args[0]), b.Args[1], a)
	}
	if a.Op == Ite && a.Args[2] == b {
		return p.Ite(p.And(c, a.Args[0]), a.Args[1], b)
	}
	if a.Op == Ite && a.Args[1] == b {
		return p.Ite(p.And(c, p.Not(a.Args[0])), a.Args[2], b)
	}
	return p.make(Term{Op: Ite, Width: a.Width, Args: []*Term{c, a, b}})
}

// iteTruth is Ite of truths.
func (p *Pool) iteTruth(c, a, b *Term) *Term {
	switch {
	case a.IsTrue() || a == c:
		return p.Or(c, b)
	case a.IsFalse() || opposite(a, c):
		return p.And(p.Not(c), b)
	case b.IsTrue() || opposite(b, c):
		return p.Or(p.Not(c), a)
	case b.IsFalse() || b == c:
		return p.And(c, a)
	case opposite(a, b):
		return p.Not(p.Xor(c, a))
	}
	return p.make(Term{Op: Ite, Width: 1, Args: []*Term{c, a, b}})
}

// extreme is the one form of the least and the greatest of two; nil for other choices.
func (p *Pool) extreme(c, a, b *Term) *Term {
	x, y := c.Args[0], c.Args[1]
	if y.IsConst() { // x < y, with y-1 to choose from
		k := y.X - 1
		if a == x && b.IsConst() && b.X == k&Mask(a.Width) || b == x && a.IsConst() && a.X == k&Mask(a.Width) {
			below := p.make(Term{Op: c.Op, Width: 1, Args: []*Term{x, p.Number(k, a.Width)}})
			return p.make(Term{Op: Ite, Width: a.Width, Args: []*Term{below, a, b}})
		}
		return nil
	}
	if x.ID > y.ID && (x == a && y == b || x == b && y == a) {
		swapped := p.make(Term{Op: c.Op, Width: 1, Args: []*Term{y, x}})
		return p.make(Term{Op: Ite, Width: a.Width, Args: []*Term{swapped, b, a}})
	}
	return nil
}
