package term

// Not has the other bits.
func (p *Pool) Not(a *Term) *Term {
	switch {
	case a.IsConst():
		return p.Number(^a.X, a.Width)
	case a.Op == Not:
		return a.Args[0]
	case a.Width > 1 && a.Op == Sum: // -a-1
		return p.Sub(p.Number(Mask(a.Width), a.Width), a)
	}
	return p.make(Term{Op: Not, Width: a.Width, Args: []*Term{a}})
}

// opposite says that one of two is the other's Not.
func opposite(a, b *Term) bool {
	return a.Op == Not && a.Args[0] == b || b.Op == Not && b.Args[0] == a
}

// And has the bits of both.
func (p *Pool) And(a, b *Term) *Term {
	if a.IsConst() || !b.IsConst() && a.ID > b.ID {
		a, b = b, a
	}
	switch {
	case a == b:
		return a
	case opposite(a, b):
		return p.Number(0, a.Width)
	case b.IsConst() && a.IsConst():
		return p.Number(a.X&b.X, a.Width)
	case b.IsConst() && b.X == 0:
		return b
	case b.IsConst() && b.X == Mask(b.Width):
		return a
	case b.IsConst() && a.Op == And && a.Args[1].IsConst():
		return p.And(a.Args[0], p.Number(a.Args[1].X&b.X, a.Width))
	case b.IsConst() && b.X&(b.X+1) == 0 && a.bounds.hi <= b.X:
		return a
	}
	for range 2 { // absorption
		if a.Op == And && (a.Args[0] == b || a.Args[1] == b) {
			return a
		}
		if a.Op == And && (opposite(a.Args[0], b) || opposite(a.Args[1], b)) {
			return p.Number(0, a.Width)
		}
		if a.Op == Or && (a.Args[0] == b || a.Args[1] == b) {
			return b
		}
		if a.Op == Not && a.Args[0].Op == And { // of width 1: b and not (b and c)
			if n := a.Args[0]; n.Args[0] == b {
				return p.And(b, p.Not(n.Args[1]))
			} else if n.Args[1] == b {
				return p.And(b, p.Not(n.Args[0]))
			} else if opposite(n.Args[0], b) || opposite(n.Args[1], b) {
				return b
			}
		}
		a, b = b, a
	}
	return p.make(Term{Op: And, Width: a.Width, Args: []*Term{a, b}})
}

// Or has the bits of either.
func (p *Pool) Or(a, b *Term) *Term {
	if a.Width == 1 {
		return p.Not(p.And(p.Not(a), p.Not(b)))
	}
	if a.IsConst() || !b.IsConst() && a.ID > b.ID {
		a, b = b, a
	}
	switch {
	case a == b:
		return a
	case opposite(a, b):
		return p.Number(Mask(a.Width), a.Width)
	case b.IsConst() && a.IsConst():
		return p.Number(a.X|b.X, a.Width)
	case b.IsConst() && b.X == 0:
		return a
	case b.IsConst() && b.X == Mask(b.Width):
		return b
	case b.IsConst() && a.Op == Or && a.Args[1].IsConst():
		return p.Or(a.Args[0], p.Number(a.Args[1].X|b.X, a.Width))
	}
	for range 2 {
		if a.Op == Or && (a.Args[0] == b || a.Args[1] == b) {
			return a
		}
		if a.Op == And && (a.Args[0] == b || a.Args[1] == b) {
			return b
		}
		a, b = b, a
	}
	return p.make(Term{Op: Or, Width: a.Width, Args: []*Term{a, b}})
}

// Xor has the bits that differ. A Not of an argument becomes one of the result.
func (p *Pool) Xor(a, b *Term) *Term {
	flip := false
	for _, t := range []**Term{&a, &b} {
		if (*t).Op == Not {
			*t, flip = (*t).Args[0], !flip
		}
	}
	if a.IsConst() || !b.IsConst() && a.ID > b.ID {
		a, b = b, a
	}
	finish := func(t *Term) *Term {
		if flip {
			return p.Not(t)
		}
		return t
	}
	switch {
	case a == b:
		return finish(p.Number(0, a.Width))
	case b.IsConst() && a.IsConst():
		return finish(p.Number(a.X^b.X, a.Width))
	case b.IsConst() && b.X == 0:
		return finish(a)
	case b.IsConst() && b.X == Mask(b.Width):
		flip = !flip
		return finish(a)
	case b.IsConst() && a.Op == Xor && a.Args[1].IsConst():
		return finish(p.Xor(a.Args[0], p.Number(a.Args[1].X^b.X, a.Width)))
	}
	for range 2 {
		if a.Op == Xor && a.Args[0] == b {
			return finish(a.Args[1])
		}
		if a.Op == Xor && a.Args[1] == b {
			return finish(a.Args[0])
		}
		a, b = b, a
	}
	return finish(p.make(Term{Op: Xor, Width: a.Width, Args: []*Term{a, b}}))
}
