package concrete

import (
	"slices"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// effect is what a stretch of code without calls does to the state.
type effect struct {
	stores   []stored
	target   int64
	returned int64
	trapped  bool
}

// stored is up to eight bytes that a stretch writes.
type stored struct {
	at   int64
	bits uint64
	size uint8
}

func (s *stored) is(at int64, size uint8) bool { return s.at == at && s.size == size }

func (s *stored) touches(at int64, size uint8) bool {
	return s.at < at+int64(size) && at < s.at+int64(s.size)
}

func (s *stored) end() int64 { return s.at + int64(s.size) }

// last is the last store to a place, if none that has bytes in common with it is to another.
func (e *effect) last(at int64, size uint8) (bits uint64, ok bool) {
	for k := len(e.stores) - 1; k >= 0; k-- {
		if s := &e.stores[k]; s.is(at, size) {
			return s.bits, true
		} else if s.touches(at, size) {
			return 0, false
		}
	}
	return 0, false
}

func (e *effect) touches(at int64, size uint8) bool {
	for k := range e.stores {
		if e.stores[k].touches(at, size) {
			return true
		}
	}
	return false
}

func (e *effect) byteAt(at int64) (byte, bool) {
	for k := len(e.stores) - 1; k >= 0; k-- {
		if s := &e.stores[k]; s.touches(at, 1) {
			return byte(s.bits >> (8 * (at - s.at))), true
		}
	}
	return 0, false
}

func (e *effect) equals(other *effect) bool {
	return e.trapped == other.trapped && e.target == other.target && e.returned == other.returned && slices.Equal(e.stores, other.stores)
}

// effectOf runs operations without calls, and changes nothing but their registers.
func (p *Path) effectOf(e *effect, ops []operation) {
	e.stores, e.returned = e.stores[:0], 0
	for k := range ops {
		o := &ops[k]
		switch o.Code {
		case op.Store:
			at := p.get(o.args[0])
			if p.Trapped = o.slot < 0 && nearNull(at); !p.Trapped {
				p.stores(e, o, at)
			}
		case op.Load:
			p.step(o)
			if at := p.get(o.args[0]); len(e.stores) > 0 && e.touches(at, o.size) {
				p.Trapped = false
				p.set(o, p.loaded(e, o, at))
			}
		case op.Return:
			if p.Target = returnTarget; len(o.args) > 0 {
				e.returned = p.get(o.args[0])
			}
		default:
			p.step(o)
		}
		if p.Trapped || p.Target >= 0 {
			break
		}
		p.frame.computed[o.to] = p.frame.number
	}
	e.target, e.trapped = p.Target, p.Trapped
	p.Target, p.Trapped = -1, false
}

// stores notes a store of a stretch.
func (p *Path) stores(e *effect, o *operation, at int64) {
	lo, hi := p.program.encode(p.get(o.args[1]), o.as, o.size)
	lo &= low(min(8, o.size))
	e.stores = append(e.stores, stored{at, lo, min(8, o.size)})
	if o.size > 8 {
		e.stores = append(e.stores, stored{at + 8, hi & low(o.size-8), o.size - 8})
	}
}

// loaded is what a load of a stretch gives, of which the stretch itself stored some.
func (p *Path) loaded(e *effect, o *operation, at int64) int64 {
	if bits, ok := e.last(at, o.size); ok {
		return p.program.decode(bits, 0, o.as, o.size)
	}
	var halves [2]uint64
	halves[0], halves[1] = p.program.encode(p.regs[o.to], o.as, o.size)
	for k := range o.size {
		if b, ok := e.byteAt(at + int64(k)); ok {
			half, by := &halves[k/8], 8*(k%8)
			*half = *half&^(0xff<<by) | uint64(b)<<by
		}
	}
	return p.program.decode(halves[0], halves[1], o.as, o.size)
}

// result is what a change puts in the place of an item, after its effect was found, and
// which; -1 for none.
func (p *Path) result(c *Change, e *effect) (item int, x int64) {
	if c.Result < 0 || c.Code.result.kind == none || e.trapped {
		return -1, 0
	}
	return c.Result, p.get(c.Code.result)
}

// sameStores says whether two effects leave the same in memory.
func (p *Path) sameStores(a, b *effect) bool {
	return slices.Equal(a.stores, b.stores) || p.covers(a, b) && p.covers(b, a)
}

// covers says whether what one effect stores is what another leaves there.
func (p *Path) covers(a, b *effect) bool {
	for k := range a.stores {
		s := &a.stores[k]
		x, ok := a.last(s.at, s.size)
		y, same := b.last(s.at, s.size)
		if ok && same {
			if x != y {
				return false
			}
			continue
		}
		for at := s.at; at < s.end(); at++ {
			x, _ := a.byteAt(at)
			y, known := b.byteAt(at)
			if !known {
				_, made := p.remadeAt(at)
				y, known = p.byteAt(at, false)
				known = known && !made
			}
			if !known || x != y {
				return false
			}
		}
	}
	return true
}
