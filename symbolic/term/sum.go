package term

import "slices"

// mostMonomials bounds what a product of sums is multiplied out to.
const mostMonomials = 16

// polynomial collects the addends of a Sum.
type polynomial struct {
	width uint8
	x     uint64
	at    map[*Term]int
	terms []*Term
	of    []uint64
}

func (p *polynomial) add(t *Term, coefficient uint64) {
	switch t.Op {
	case Const:
		p.x += coefficient * t.X
		return
	case Sum:
		p.x += coefficient * t.X
		for k, a := range t.Args {
			p.add(a, coefficient*t.Coefficients[k])
		}
		return
	case Not: // ~x is -x-1
		p.x -= coefficient
		p.add(t.Args[0], -coefficient)
		return
	}
	if k, ok := p.at[t]; ok {
		p.of[k] += coefficient
		return
	}
	if p.at == nil {
		p.at = map[*Term]int{}
	}
	p.at[t] = len(p.terms)
	p.terms, p.of = append(p.terms, t), append(p.of, coefficient)
}

// sum makes the term of what was collected.
func (p *Pool) sum(q *polynomial) *Term {
	mask := Mask(q.width)
	var args []*Term
	for k, t := range q.terms {
		if q.of[k] &= mask; q.of[k] != 0 {
			args = append(args, t)
		}
	}
	x := q.x & mask
	if len(args) == 0 {
		return p.Number(x, q.width)
	}
	slices.SortFunc(args, func(a, b *Term) int { return int(a.ID) - int(b.ID) })
	coefficients := make([]uint64, len(args))
	for k, t := range args {
		coefficients[k] = q.of[q.at[t]]
	}
	if len(args) == 1 && x == 0 && coefficients[0] == 1 {
		return args[0]
	}
	if len(args) == 1 && x == mask && coefficients[0] == mask {
		return p.make(Term{Op: Not, Width: q.width, Args: args})
	}
	return p.make(Term{Op: Sum, Width: q.width, X: x, Args: args, Coefficients: coefficients})
}

// Add is a + b.
func (p *Pool) Add(a, b *Term) *Term {
	if a.Width == 1 {
		return p.Xor(a, b)
	}
	q := &polynomial{width: a.Width}
	q.add(a, 1)
	q.add(b, 1)
	return p.sum(q)
}

// Sub is a - b.
func (p *Pool) Sub(a, b *Term) *Term {
	if a.Width == 1 {
		return p.Xor(a, b)
	}
	q := &polynomial{width: a.Width}
	q.add(a, 1)
	q.add(b, ^uint64(0))
	return p.sum(q)
}

// scale is a times a number.
func (p *Pool) scale(a *Term, x uint64) *Term {
	q := &polynomial{width: a.Width}
	q.add(a, x)
	return p.sum(q)
}

// monomials are the addends of a term: one with no arguments for a constant.
func monomials(t *Term) (terms []*Term, coefficients []uint64) {
	switch t.Op {
	case Const:
		return []*Term{nil}, []uint64{t.X}
	case Not:
		terms, coefficients = monomials(t.Args[0])
		for k := range coefficients {
			coefficients[k] = -coefficients[k]
		}
		return append(terms, nil), append(coefficients, ^uint64(0))
	case Sum:
		terms, coefficients = slices.Clone(t.Args), slices.Clone(t.Coefficients)
		if t.X != 0 {
			terms, coefficients = append(terms, nil), append(coefficients, t.X)
		}
		return terms, coefficients
	}
	return []*Term{t}, []uint64{1}
}

// Mul is a * b, multiplied out where that is no more than a few products.
func (p *Pool) Mul(a, b *Term) *Term {
	switch {
	case a.Width == 1:
		return p.And(a, b)
	case a.IsConst():
		return p.scale(b, a.X)
	case b.IsConst():
		return p.scale(a, b.X)
	}
	as, ca := monomials(a)
	bs, cb := monomials(b)
	if len(as)*len(bs) > mostMonomials {
		return p.product(a, b)
	}
	q := &polynomial{width: a.Width}
	for i, s := range as {
		for k, t := range bs {
			switch c := ca[i] * cb[k]; {
			case s == nil && t == nil:
				q.x += c
			case s == nil:
				q.add(t, c)
			case t == nil:
				q.add(s, c)
			default:
				q.add(p.product(s, t), c)
			}
		}
	}
	return p.sum(q)
}

// product is a * b of what is no constant.
func (p *Pool) product(a, b *Term) *Term {
	var args []*Term
	for _, t := range []*Term{a, b} {
		if t.Op == Product {
			args = append(args, t.Args...)
		} else {
			args = append(args, t)
		}
	}
	slices.SortFunc(args, func(a, b *Term) int { return int(a.ID) - int(b.ID) })
	return p.make(Term{Op: Product, Width: a.Width, Args: args})
}

// Neg is -a.
func (p *Pool) Neg(a *Term) *Term { return p.Sub(p.Number(0, a.Width), a) }
