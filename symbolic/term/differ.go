package term

import "fmt"

// Differs is that two terms of one sort are not equal: of traces, that some event differs;
// of memory, that some byte does, at an address that is an input of the term. It is for
// conditions that ask whether things can differ: an address that shows no difference says
// nothing.
func (p *Pool) Differs(a, b *Term) *Term {
	return p.differs(a, b, map[[2]uint32]*Term{})
}

func (p *Pool) differs(a, b *Term, known map[[2]uint32]*Term) *Term {
	switch {
	case a == b:
		return p.Truth(false)
	case a.Width != b.Width:
		return p.Truth(true)
	case a.IsBits():
		return p.Ne(a, b)
	case a.ID > b.ID:
		a, b = b, a
	}
	key := [2]uint32{a.ID, b.ID}
	if t := known[key]; t != nil {
		return t
	}
	var t *Term
	if a.Width == Memory {
		at := p.Var(fmt.Sprintf("where %d and %d differ", a.ID, b.ID), 64)
		t = p.Ne(p.Load(a, at, 1), p.Load(b, at, 1))
	} else {
		t = p.tracesDiffer(a, b, known)
	}
	known[key] = t
	return t
}

func (p *Pool) tracesDiffer(a, b *Term, known map[[2]uint32]*Term) *Term {
	switch {
	case a.Op == Ite && b.Op == Ite && a.Args[0] == b.Args[0]:
		return p.Ite(a.Args[0], p.differs(a.Args[1], b.Args[1], known), p.differs(a.Args[2], b.Args[2], known))
	case a.Op == Ite:
		return p.Ite(a.Args[0], p.differs(a.Args[1], b, known), p.differs(a.Args[2], b, known))
	case b.Op == Ite:
		return p.Ite(b.Args[0], p.differs(a, b.Args[1], known), p.differs(a, b.Args[2], known))
	case a.Op != Event || b.Op != Event || a.Name != b.Name || len(a.Args) != len(b.Args):
		return p.Truth(true)
	}
	out := p.Truth(false)
	for k := range a.Args {
		if out = p.Or(out, p.differs(a.Args[k], b.Args[k], known)); out.IsTrue() {
			return out
		}
	}
	return out
}
