package concrete

// granule is eight bytes of memory, and what was written to them.
type granule struct {
	at    int64  // the address by eight
	data  uint64 // 0 where nothing was written
	fills int32  // how many stretches had been filled when it was written last (Path.fills)
	// A bit each byte: those that were written; those at which something began that was,
	// ever; those from which on what is there is made up, by Run.made.
	written, starts, made uint8
}

// remade is a place that a call may have written which is not known: what is there is made
// up anew.
type remade struct {
	at   int64
	seed uint64
}

// bytesOf are the bits of a granule's bytes from one on.
func bytesOf(off, size uint8) uint8 { return uint8(1<<size-1) << off }

// spread has all bits of each byte whose bit is set.
func spread(bytes uint8) (mask uint64) {
	for k := range 8 {
		mask |= uint64(bytes>>k&1) * (0xff << (8 * k))
	}
	return mask
}

// put writes bytes of the granule, which lie within it; true when something begins where
// nothing began before.
func (g *granule) put(off, size uint8, bits uint64) bool {
	which := bytesOf(off, size)
	mask := low(size) << (8 * off)
	g.data = g.data&^mask | bits<<(8*off)&mask
	g.written |= which
	g.made &^= which
	return g.begin(off)
}

func (g *granule) begin(off uint8) bool {
	fresh := g.starts>>off&1 == 0
	g.starts |= 1 << off
	return fresh
}

// drop forgets what bytes of the granule hold.
func (g *granule) drop(which uint8) {
	g.data &^= spread(which)
	g.written &^= which
	g.made &^= which
}

// piece is the bytes from one at which something began to the next.
func (g *granule) piece(off uint8) uint8 {
	n := uint8(1)
	for off+n < 8 && g.starts>>(off+n)&1 == 0 {
		n++
	}
	return bytesOf(off, n)
}

// granules finds the granules of a path, of which there may be many: a table with open
// addressing that is cleared by counting.
type granules struct {
	slots []granuleSlot // a power of two of them
	epoch uint32
}

type granuleSlot struct {
	at    int64
	epoch uint32
	place int32 // in the log
}

func (s *granuleSlot) known(epoch uint32) bool { return s.epoch == epoch }

func (c *granules) clear() {
	if c.epoch++; c.slots == nil || c.epoch == 0 {
		c.slots, c.epoch = make([]granuleSlot, max(64, len(c.slots))), 1
	}
}

// find is the slot of a granule, or the free one in which it would be.
func (c *granules) find(at int64) *granuleSlot {
	mask := uint64(len(c.slots) - 1)
	for k := uint64(at) * 0x9e3779b97f4a7c15 >> 40; ; k++ {
		s := &c.slots[k&mask]
		if s.epoch != c.epoch || s.at == at {
			return s
		}
	}
}

// add notes that a granule which was not known is the log's last; no more than half of the
// slots are taken.
func (c *granules) add(log []granule) {
	last := len(log) - 1
	if 2*len(log) > len(c.slots) {
		c.slots = make([]granuleSlot, 2*len(c.slots))
		for i := range log[:last] {
			*c.find(log[i].at) = granuleSlot{log[i].at, c.epoch, int32(i)}
		}
	}
	*c.find(log[last].at) = granuleSlot{log[last].at, c.epoch, int32(last)}
}

// copy makes c hold what other holds.
func (c *granules) copy(other *granules) {
	c.slots, c.epoch = append(c.slots[:0], other.slots...), other.epoch
}
