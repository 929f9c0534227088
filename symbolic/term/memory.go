package term

import "math/bits"

// Memory is bytes by address, with the lowest byte of a number first. What nothing wrote
// is an App of the memory's first state and the address, byte by byte, so that what is
// written as one type may be read as another.

// Variables that Object makes are addresses of objects that lie apart: what is written to one,
// at whatever offset, is not found in another. That an access leaves its object is for those to
// say who make terms of programs.

// Byte is the name of the function that memory is of which nothing was written: its byte at an
// address.
const Byte = "byte"

type loadKey struct {
	memory, at uint32
	bytes      uint8
}

// Object is the address of an object, 64 bits wide.
func (p *Pool) Object(name string) *Term {
	t := p.Var(name, 64)
	p.objects[t] = true
	return t
}

// ObjectOf is the address of the object that an address is computed from; nil where that is none,
// or more than one.
func (p *Pool) ObjectOf(at *Term) *Term {
	if at.Op != Sum {
		if p.objects[at] {
			return at
		}
		return nil
	}
	var out *Term
	for k, t := range at.Args {
		if p.objects[t] {
			if out != nil || at.Coefficients[k] != 1 {
				return nil
			}
			out = t
		}
	}
	return out
}

// Store is memory with a vector of whole bytes at an address.
func (p *Pool) Store(memory, at, value *Term) *Term {
	if memory.Op == Store && memory.Args[1] == at && memory.Args[2].Width == value.Width {
		memory = memory.Args[0] // overwritten
	}
	return p.make(Term{Op: Store, Width: Memory, Args: []*Term{memory, at, value}})
}

// Load is what memory holds in so many bytes, at most 8, from an address on.
func (p *Pool) Load(memory, at *Term, bytes uint8) *Term {
	key := loadKey{memory.ID, at.ID, bytes}
	if t := p.loads[key]; t != nil {
		return t
	}
	t := p.load(memory, at, bytes)
	p.loads[key] = t
	return t
}

func (p *Pool) load(memory, at *Term, bytes uint8) *Term {
	switch {
	case at.Op == Ite:
		return p.Ite(at.Args[0], p.Load(memory, at.Args[1], bytes), p.Load(memory, at.Args[2], bytes))
	case memory.Op == Ite:
		return p.Ite(memory.Args[0], p.Load(memory.Args[1], at, bytes), p.Load(memory.Args[2], at, bytes))
	case memory.Op == Store:
		return p.loadOfStore(memory, at, bytes)
	case bytes == 1:
		return p.App(Byte, 8, memory, at)
	}
	return p.byBytes(memory, at, bytes)
}

func (p *Pool) byBytes(memory, at *Term, bytes uint8) *Term {
	out := p.Load(memory, at, 1)
	for k := uint8(1); k < bytes; k++ {
		out = p.Concat(p.Load(memory, p.Add(at, p.Number(uint64(k), at.Width)), 1), out)
	}
	return out
}

// loadOfStore reads memory that something was written to.
func (p *Pool) loadOfStore(memory, at *Term, bytes uint8) *Term {
	before, where, value := memory.Args[0], memory.Args[1], memory.Args[2]
	written := uint64(value.Width / 8)
	if one, other := p.ObjectOf(at), p.ObjectOf(where); one != nil && other != nil && one != other {
		return p.Load(before, at, bytes)
	}
	d := p.Sub(at, where)
	if d.IsConst() {
		far := Signed(d.X, d.Width)
		switch {
		case far >= int64(written) || far <= -int64(bytes):
			return p.Load(before, at, bytes)
		case far >= 0 && far+int64(bytes) <= int64(written):
			return p.Extract(value, uint8(8*far), 8*bytes)
		}
		return p.byBytes(memory, at, bytes)
	}
	if bits.OnesCount8(bytes) == 1 && uint64(bytes) == written && 1<<min(d.bounds.zeros, 63) >= written {
		return p.Ite(p.Eq(at, where), value, p.Load(before, at, bytes))
	}
	if bytes > 1 {
		return p.byBytes(memory, at, bytes)
	}
	out := p.Load(before, at, 1)
	for k := range written {
		hit := p.Eq(at, p.Add(where, p.Number(k, where.Width)))
		out = p.Ite(hit, p.Extract(value, uint8(8*k), 8), out)
	}
	return out
}
