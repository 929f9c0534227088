package concrete

import (
	"cmp"
	"math/bits"
	"slices"
)

// stretchOfBytes is up to eight bytes that are copied to an address.
type stretchOfBytes struct {
	at   int64
	bits uint64
	size uint8
}

const mostCopied = 1 << 20

// copyMemory copies what was written to, or is initially in, a stretch of memory.
func (p *Path) copyMemory(to, from, n int64) {
	if n <= 0 || to == from {
		return
	}
	n = min(n, mostCopied)
	p.spend(p.begun)
	c := copying{p: p, from: from, n: n, by: to - from}
	c.collect()
	// What is not known of the source is 0.
	filled := p.fills
	p.fillMemory(to, 0, n)
	for k, f := range filled {
		if f.value&0xff != 0 && f.to > from && f.from < from+n || k > 0 && len(c.refills) > 0 {
			c.refills = append(c.refills, f)
		}
	}
	for _, f := range c.refills {
		if f.to > from && f.from < from+n {
			lo, hi := max(f.from, from), min(f.to, from+n)
			p.fillMemory(lo+c.by, f.value, hi-lo)
		}
	}
	c.write()
}

// copied is a structure that was passed by value: the n bytes at to, which were at from.
type copied struct{ to, from, n int64 }

// firstCopy is the first number of local memory that is not that of an item, but of a
// structure passed by value.
const firstCopy = 1 << (frameBits - localBits - 1)

// copyValue copies a structure for the function that is called with it, and returns where
// to. What is not known of it is what is not known of the source (origin).
func (p *Path) copyValue(from, n int64) int64 {
	if len(p.byValue) >= firstCopy {
		return from
	}
	to := firstLocal + int64(p.depth+1)<<frameBits + (firstCopy+int64(len(p.byValue)))<<localBits
	c := copying{p: p, from: from, n: min(n, mostCopied), by: to - from}
	c.collect()
	for off := int64(0); off < c.n && len(p.fills) > 0; off++ {
		if b, ok := p.byteAt(from+off, false); ok {
			c.parts = append(c.parts, stretchOfBytes{to + off, uint64(b), 1})
		}
	}
	p.byValue = append(p.byValue, copied{to, from, c.n})
	c.write()
	for off := int64(0); off < c.n; off++ {
		if seed, ok := p.remadeAt(from + off); ok {
			p.remake(to+off, seed)
		}
	}
	return to
}

// origin is the address by which what is not known of a place is drawn: that in the
// structure of which the place is a copy.
func (r *Run) origin(at int64) int64 {
	for r.path != nil && isLocal(at) {
		n := at>>localBits&(1<<(frameBits-localBits)-1) - firstCopy
		if n < 0 || n >= int64(len(r.path.byValue)) {
			break
		}
		c := &r.path.byValue[n]
		at += c.from - c.to
	}
	return at
}

// copying is a copy of n bytes, by so many further.
type copying struct {
	p       *Path
	from, n int64
	by      int64
	parts   []stretchOfBytes
	refills []fill
}

func (c *copying) write() {
	slices.SortFunc(c.parts, func(a, b stretchOfBytes) int { return cmp.Compare(a.at, b.at) })
	for _, part := range c.parts {
		c.p.store(part.at, int64(part.bits), kindBytes, part.size)
	}
}

// collect finds what was written to the source, and what is initially there.
func (c *copying) collect() {
	p := c.p
	first, last := c.from>>3, (c.from+c.n-1)>>3
	if last-first < int64(len(p.log)) {
		for at := first; at <= last; at++ {
			if g := p.granuleAt(at); g != nil {
				c.addGranule(g)
			}
		}
	} else {
		for i := range p.log {
			if g := &p.log[i]; g.at >= first && g.at <= last {
				c.addGranule(g)
			}
		}
	}
	if isLocal(c.from) {
		c.addSlot()
	}
	if g := p.globalAt(c.from); g != nil {
		offset := c.from & (1<<symbolBits - 1)
		for at := range g.granules {
			if at >= offset>>3 && at <= (offset+c.n-1)>>3 {
				c.addInitial(g.granules[at], c.from-offset+at<<3)
			}
		}
	}
}

// add notes which of a granule's bytes are copied, a part from each byte at which something
// began to the next.
func (c *copying) add(g granule, which uint8) {
	for off := uint8(0); off < 8; {
		at := g.at<<3 + int64(off)
		if which>>off&1 == 0 || at < c.from || at >= c.from+c.n {
			off++
			continue
		}
		size := uint8(bits.TrailingZeros8(^((g.piece(off) & which) >> off)))
		size = uint8(min(int64(size), c.from+c.n-at))
		c.parts = append(c.parts, stretchOfBytes{at + c.by, g.data >> (8 * off) & low(size), size})
		off += size
	}
}

func (c *copying) addGranule(g *granule) { c.add(*g, g.written&^c.p.refilled(g)) }

// addInitial adds what is in a granule from the beginning, where nothing else is.
func (c *copying) addInitial(g granule, at int64) {
	g.at = at >> 3
	which := g.written
	for off := range int64(8) {
		if _, again := c.p.byteAt(at+off, false); again {
			which &^= 1 << off
		}
	}
	c.add(g, which)
}

func (c *copying) addSlot() {
	f, slot, off := c.p.slotAt(c.from)
	if slot < 0 || !f.ran(slot) {
		return
	}
	s := &f.code.scalars[slot]
	lo, hi := c.p.program.encode(f.regs[slot], s.as, s.size)
	for k, x := range [2]uint64{lo, hi} {
		g := granule{at: (c.from-int64(off))>>3 + int64(k), data: x}
		if n := int(s.size) - 8*k; n > 0 {
			c.add(g, bytesOf(0, uint8(min(8, n))))
		}
	}
}

// permute moves the elements of an array of elements of a size to the places that order
// says: what is known of each, byte by byte.
func (p *Path) permute(base, size int64, order []int64) {
	var moved []stretchOfBytes
	for to, from := range order {
		for off := range size {
			at := base + from*size + off
			b, ok := p.byteAt(at, false)
			if g := p.globalAt(at); !ok && g != nil {
				b, ok = byte(g.bits(at&(1<<symbolBits-1), 1)), true
			}
			if ok {
				moved = append(moved, stretchOfBytes{base + int64(to)*size + off, uint64(b), 1})
			}
		}
	}
	for _, m := range moved {
		p.put(m.at, m.bits, 1)
	}
}
