package concrete

import "slices"

// Same reports whether two runs of one seed have the same memory, effects and
// place to go. Registers do not count.
func (r *Run) Same(other *Run) bool {
	if r.Trapped != other.Trapped || r.Effects != other.Effects || r.Target != other.Target {
		return false
	}
	return r.agrees(other) && other.agrees(r)
}

// agrees reports whether what r wrote reads the same in other.
func (r *Run) agrees(other *Run) bool {
	for i := range r.log {
		if g := &r.log[i]; !r.sameGranule(g, other, other.granuleAt(g.at)) {
			return false
		}
	}
	return true
}

// sameGranule compares what two runs wrote to a granule, which other may not have.
func (r *Run) sameGranule(g *granule, other *Run, o *granule) bool {
	if o == nil || g.written != o.written || g.data != o.data || g.made != o.made {
		return false
	}
	for off := range int64(8) {
		if g.made>>off&1 != 0 {
			x, _ := r.remadeAt(g.at<<3 + off)
			y, _ := other.remadeAt(g.at<<3 + off)
			if x != y {
				return false
			}
		}
	}
	return true
}

// Outlives compares the memory that two paths of one seed leave behind: what is not a
// local variable, and what is.
func (p *Path) Outlives(other *Path) (outer, local bool) {
	filled := slices.Equal(p.fills, other.fills)
	outer, local = !filled, p.frames[0].differing(other.frames[0]) > 0
	for k, pair := range [][2]*Path{{p, other}, {other, p}} {
		a, b := pair[0], pair[1]
		for i := range a.log {
			g := &a.log[i]
			var o *granule
			if i < len(b.log) && b.log[i].at == g.at { // most write in the same order
				o = &b.log[i]
			} else {
				o = b.granuleAt(g.at)
			}
			switch {
			case k > 0 && o != nil: // was compared the other way round
			case filled && o != nil && g.fills == o.fills && a.sameGranule(g, &b.Run, o):
			case (len(a.fills) > 0 || len(b.fills) > 0) && a.sameBytes(g, b, o):
			case isLocal(g.at << 3):
				local = true
			default:
				outer = true
			}
		}
	}
	return outer, local
}

// sameBytes compares what two paths that fill memory have in a granule, where one of them
// wrote it; other may not have.
func (p *Path) sameBytes(g *granule, other *Path, o *granule) bool {
	which := g.written | g.made
	if o != nil {
		which |= o.written | o.made
	}
	for off := range int64(8) {
		if which>>off&1 != 0 && p.plain(g.at<<3+off) != other.plain(g.at<<3+off) {
			return false
		}
	}
	return true
}

// plain is what is known of a byte that was written or filled.
type plain struct {
	known bool
	value byte
	made  uint64 // the seed of what is made up from here on
}

func (p *Path) plain(at int64) plain {
	if seed, ok := p.remadeAt(at); ok {
		return plain{made: seed}
	}
	b, ok := p.byteAt(at, false)
	return plain{known: ok, value: b}
}

// orInitial is plain, or what is there from the beginning, of a byte so many behind one at
// which something begins.
func (p *Path) orInitial(at, behind int64) plain {
	out := p.plain(at)
	if out != (plain{}) {
		return out
	}
	x, ok := p.initially(at-behind, 64, 8)
	return plain{known: ok, value: byte(x >> (8 * behind))}
}

// differing counts the values in memory that two paths leave different: those that
// outlive the call at a depth, and its local variables.
func (p *Path) differing(other *Path, depth int) (outliving, locals int) {
	for k := range depth {
		outliving += p.frames[k].differing(other.frames[k])
	}
	if p.left {
		locals = p.frames[depth].differing(other.frames[depth])
	}
	count := func(g granule) {
		of := int64(-1)
		if isLocal(g.at << 3) {
			of = (g.at<<3 - firstLocal) >> frameBits
		}
		switch {
		case of > int64(depth):
		case of == int64(depth):
			locals += p.differingIn(other, g)
		default:
			outliving += p.differingIn(other, g)
		}
	}
	for i := range p.log {
		g := p.log[i]
		if o := other.granuleAt(g.at); o != nil {
			g.starts |= o.starts
		}
		count(g)
	}
	for i := range other.log {
		if p.granuleAt(other.log[i].at) == nil {
			count(other.log[i])
		}
	}
	return outliving, locals
}

// differingIn counts the values that begin in a granule and differ.
func (p *Path) differingIn(other *Path, g granule) (n int) {
	for off := range uint8(8) {
		if g.starts>>off&1 == 0 {
			continue
		}
		for k := int64(0); bytesOf(off, uint8(k+1))&^g.piece(off) == 0 && int64(off)+k < 8; k++ {
			at := g.at<<3 + int64(off) + k
			if p.orInitial(at, k) != other.orInitial(at, k) {
				n++
				break
			}
		}
	}
	return n
}

// differing counts the local variables in registers that differ.
func (f *frame) differing(other *frame) (n int) {
	for i := range f.code.scalars {
		if f.code.scalars[i].size != 0 && (f.ran(i) != other.ran(i) || f.ran(i) && f.regs[i] != other.regs[i]) {
			n++
		}
	}
	return n
}
