package concrete

// fill is a stretch of memory all of whose bytes were set to one value.
type fill struct {
	from, to int64
	value    int64
}

func (f *fill) has(at int64) bool { return at >= f.from && at < f.to }

// granuleAt is what was written to a granule; nil for nothing.
func (r *Run) granuleAt(at int64) *granule {
	if r.path != nil {
		if s := r.path.granules.find(at); s.known(r.path.granules.epoch) {
			return &r.log[s.place]
		}
		return nil
	}
	for i := range r.log {
		if r.log[i].at == at {
			return &r.log[i]
		}
	}
	return nil
}

// granule is that of an address, to be written to.
func (r *Run) granule(at int64) *granule {
	g := r.granuleAt(at >> 3)
	if g == nil {
		r.log = append(r.log, granule{at: at >> 3})
		g = &r.log[len(r.log)-1]
		if r.path != nil {
			g.fills = int32(len(r.path.fills))
			r.path.granules.add(r.log)
		}
	} else if r.path != nil && int(g.fills) < len(r.path.fills) {
		g.drop(r.path.refilled(g))
		g.fills = int32(len(r.path.fills))
	}
	return g
}

// refilled are the bytes of a granule that were filled since it was written.
func (p *Path) refilled(g *granule) (which uint8) {
	first := g.at << 3
	for k := int(g.fills); k < len(p.fills); k++ {
		if lo, hi := max(p.fills[k].from, first), min(p.fills[k].to, first+8); lo < hi {
			which |= bytesOf(uint8(lo-first), uint8(hi-lo))
		}
	}
	return which
}

// unfilled says that no byte of a granule was filled since it was written, and notes it for the next time.
func (p *Path) unfilled(g *granule) bool {
	if p == nil || int(g.fills) == len(p.fills) {
		return true
	}
	if p.refilled(g) != 0 {
		return false
	}
	g.fills = int32(len(p.fills))
	return true
}

// lastFill is the last stretch that has some of the bytes at an address; nil for none.
func (p *Path) lastFill(at int64, size uint8) *fill {
	if p != nil {
		for k := len(p.fills) - 1; k >= 0; k-- {
			if f := &p.fills[k]; f.from < at+int64(size) && at < f.to {
				return f
			}
		}
	}
	return nil
}

// store writes a word to memory.
func (r *Run) store(at, x int64, as kind, size uint8) {
	switch {
	case r.path != nil && isLocal(at) && r.path.storeSlot(at, x, as, size):
	case as == opaqueKind:
		r.remake(at, uint64(x))
	default:
		lo, hi := r.program.encode(x, as, size)
		r.put(at, lo, min(size, 8))
		if size > 8 {
			r.put(at+8, hi, size-8)
		}
	}
}

// put writes up to eight bytes.
func (r *Run) put(at int64, bits uint64, size uint8) {
	off := uint8(at & 7)
	if first := 8 - off; size > first {
		r.put(at, bits, first)
		r.put(at+int64(first), bits>>(8*first), size-first)
		return
	}
	if r.granule(at).put(off, size, bits) {
		r.begun++
	}
}

// remake makes up anew what is at an address, by a seed.
func (r *Run) remake(at int64, seed uint64) {
	if r.path != nil && isLocal(at) {
		if f, slot, off := r.path.slotAt(at); slot >= 0 && off == 0 {
			f.computed[slot] = 0
		}
	}
	g, off := r.granule(at), uint8(at&7)
	g.drop(g.piece(off))
	g.made |= 1 << off
	if g.begin(off) {
		r.begun++
	}
	r.made = append(r.made, remade{at, seed})
}

// remadeAt is the seed of what is made up at an address; false where it is not, or was
// written or filled since.
func (r *Run) remadeAt(at int64) (uint64, bool) {
	g := r.granuleAt(at >> 3)
	if g == nil || g.made>>(at&7)&1 == 0 || r.path != nil && r.path.refilled(g)>>(at&7)&1 != 0 {
		return 0, false
	}
	for k := len(r.made) - 1; k >= 0; k-- {
		if r.made[k].at == at {
			return r.made[k].seed, true
		}
	}
	return 0, false
}

// read is the word at an address; most of it was written as it is read, or nothing was.
func (r *Run) read(at int64, as kind, size uint8) int64 {
	p := r.path
	if p != nil && isLocal(at) {
		if f, slot, off := p.slotAt(at); slot >= 0 && f.ran(slot) {
			if s := &f.code.scalars[slot]; off == 0 && s.as == as && s.size == size {
				return f.regs[slot]
			}
			return r.assemble(at, as, size)
		}
	}
	if off := uint8(at & 7); off+size <= 8 {
		switch g, which := r.granuleAt(at>>3), bytesOf(off, size); {
		case as == opaqueKind && (g != nil || p != nil && len(p.fills) > 0):
		case g == nil || g.made == 0 && g.written&which == 0:
			f := p.lastFill(at, size)
			if f == nil {
				x, drawn := r.untouched(at, as, size)
				if drawn {
					r.guess()
				}
				return x
			}
			if f.from <= at && at+int64(size) <= f.to {
				return r.program.decode(uint64(f.value&0xff)*0x0101010101010101, 0, as, size)
			}
		case g.made == 0 && g.written&which == which && p.unfilled(g):
			return r.program.decode(g.data>>(8*off), 0, as, size)
		}
	}
	return r.assemble(at, as, size)
}

// assemble is the word at an address whose bytes are from more than one place: what was
// written over what was there.
func (r *Run) assemble(at int64, as kind, size uint8) int64 {
	seed, made := r.remadeAt(at)
	x, drawn := int64(0), true
	if made {
		x = r.draw(mix(seed, uint64(r.origin(at))), as)
	} else {
		x, drawn = r.untouched(at, as, size)
	}
	if as == opaqueKind {
		r.guess()
		return x
	}
	lo, hi := r.program.encode(x, as, size)
	known := false
	for k := range size {
		b, ok := r.byteAt(at+int64(k), made)
		if !ok {
			continue
		}
		known = true
		if word := &lo; k < 8 {
			*word = *word&^(0xff<<(8*k)) | uint64(b)<<(8*k)
		} else {
			hi = hi&^(0xff<<(8*(k-8))) | uint64(b)<<(8*(k-8))
		}
	}
	if !known {
		if drawn { // of what is known in part, what is not is mostly between the members of a struct
			r.guess()
		}
		return x
	}
	return r.program.decode(lo, hi, as, size)
}

// byteAt is a byte that was written or filled; since it was made up, or ever.
func (r *Run) byteAt(at int64, since bool) (byte, bool) {
	p, from := r.path, 0
	if p != nil && isLocal(at) {
		if f, slot, off := p.slotAt(at); slot >= 0 && f.ran(slot) {
			lo, hi := p.program.encode(f.regs[slot], f.code.scalars[slot].as, f.code.scalars[slot].size)
			if off >= 8 {
				return byte(hi >> (8 * (off - 8))), true
			}
			return byte(lo >> (8 * off)), true
		}
	}
	g := r.granuleAt(at >> 3)
	if g != nil {
		from = int(g.fills)
	}
	written := g != nil && g.written>>(at&7)&1 != 0
	if p != nil {
		for k := len(p.fills) - 1; k >= 0 && (k >= from || !written && !since); k-- {
			if p.fills[k].has(at) {
				return byte(p.fills[k].value), true
			}
		}
	}
	if !written {
		return 0, false
	}
	return byte(g.data >> (8 * (at & 7))), true
}

// untouched is what a place holds that was not written, and whether it was drawn.
func (r *Run) untouched(at int64, as kind, size uint8) (x int64, drawn bool) {
	if r.path != nil {
		if len(r.path.byValue) > 0 {
			at = r.origin(at)
		}
		if x, ok := r.path.initially(at, as, size); ok {
			return x, false
		}
		if at >= firstGlobal && at < firstTable {
			if g := r.program.global(at); g != nil && g.stream {
				if r.path.Transcript != nil {
					return at, false // as good as any, and unlike the others
				}
				return r.draw(uint64(at), as), false
			}
		}
	}
	return r.draw(uint64(at), as), true
}

// guess notes that the path makes something up.
func (r *Run) guess() {
	if r.path != nil && r.path.Transcript != nil {
		r.path.Guessed = true
	}
}

// keep writes to a local variable that is in a register.
func (f *frame) keep(slot int, x int64) { f.regs[slot], f.computed[slot] = x, f.number }

// slotAt finds the register in which the local variable at an address is, and which of its
// bytes that is the address of; -1 for none.
func (p *Path) slotAt(at int64) (*frame, int, uint8) {
	depth, item := (at-firstLocal)>>frameBits, at>>localBits&(1<<(frameBits-localBits)-1)
	if depth >= int64(len(p.frames)) {
		return nil, -1, 0
	}
	f := p.frames[depth]
	if off := at & (1<<localBits - 1); f.code != nil && item < int64(len(f.code.scalars)) && off < int64(f.code.scalars[item].size) {
		return f, int(item), uint8(off)
	}
	return nil, -1, 0
}

// storeSlot writes to a local variable in a register, or to some of its bytes; false where
// there is none.
func (p *Path) storeSlot(at, x int64, as kind, size uint8) bool {
	f, slot, off := p.slotAt(at)
	if slot < 0 || as == opaqueKind {
		return false
	}
	s := &f.code.scalars[slot]
	if off == 0 && s.as == as && s.size == size {
		f.keep(slot, x)
		return true
	}
	lo, hi := p.program.encode(x, as, size)
	old := [2]uint64{}
	old[0], old[1] = p.program.encode(p.read(at-int64(off), s.as, s.size), s.as, s.size)
	for k := range min(size, s.size-off) {
		b := lo >> (8 * k)
		if k >= 8 {
			b = hi >> (8 * (k - 8))
		}
		to, by := &old[(off+k)/8], 8*((off+k)%8)
		*to = *to&^(0xff<<by) | b&0xff<<by
	}
	f.keep(slot, p.program.decode(old[0], old[1], s.as, s.size))
	return true
}

// fillMemory sets each byte of a stretch. Of a path that fills many, the first mostFills are
// kept in mind, and later ones are written, if they are not long.
func (p *Path) fillMemory(at, b, n int64) {
	if n <= 0 {
		return
	}
	word := uint64(b&0xff) * 0x0101010101010101
	if isLocal(at) {
		if _, slot, _ := p.slotAt(at); slot >= 0 {
			for k := int64(0); k < min(n, 16); k += 8 {
				p.storeSlot(at+k, int64(word), kindBytes, uint8(min(8, n-k)))
			}
			return
		}
	}
	if len(p.fills) < mostFills {
		p.fills = append(p.fills, fill{at, at + n, b})
		return
	}
	if n <= mostWritten {
		p.spend(int(n))
		for off := int64(0); off < n; off += 8 {
			p.put(at+off, word, uint8(min(8, n-off)))
		}
	}
}

// mostFills bounds the stretches that a path keeps in mind, mostWritten the length of those
// that it writes.
const mostFills, mostWritten = 64, 1 << 16

// global is the variable that an address lies in, or nil.
func (p *program) global(at int64) *global {
	if n := (at-firstGlobal)>>symbolBits - firstSymbol; uint64(n) < uint64(len(p.globals)) {
		return p.globals[n]
	}
	return nil
}

// globalAt is the initial value of the variable that an address lies in, if it may be
// read.
func (p *Path) globalAt(at int64) *global {
	if at < firstGlobal || at >= firstTable {
		return nil
	}
	g := p.program.global(at)
	if g == nil || !g.known || !(p.program.fresh || g.constant) {
		return nil
	}
	return g
}

// longestText bounds the texts that paths read.
const longestText = 256

// text reads the text at an address; false where it would trap.
func (p *Path) text(at int64) ([]byte, bool) {
	if nearNull(at) {
		p.Trapped = true
		return nil, false
	}
	out := p.buffer[:0]
	for n := range int64(longestText) {
		b := byte(p.read(at+n, 8, 1))
		if b == 0 {
			break
		}
		out = append(out, b)
	}
	p.Guessed = p.Guessed || len(out) == longestText
	p.buffer = out
	return out, true
}

// spend counts the work of a function of the library beyond what one item may take, so
// that a path ends in time whatever it calls.
func (p *Path) spend(work int) {
	if work > freeWork {
		p.steps += work / 8
	}
}

const freeWork = 1024

// putText writes a text and the 0 at its end.
func (p *Path) putText(at int64, text []byte) {
	if p.Trapped = p.Trapped || nearNull(at); p.Trapped {
		return
	}
	p.putBytes(at, text)
	p.store(at+int64(len(text)), 0, 8, 1)
}

// putBytes writes bytes, one by one.
func (p *Path) putBytes(at int64, bytes []byte) {
	for k, b := range bytes {
		p.store(at+int64(k), int64(int8(b)), 8, 1)
	}
}

// anySize is that of memory of which it does not matter, or is not known.
const anySize = -1

// allocate is the address of fresh memory of so many bytes.
func (p *Path) allocate(size int64) int64 {
	if p.Transcript != nil {
		p.sizes = append(p.sizes, size)
	}
	p.blocksAllocated++
	return firstHeap + p.blocksAllocated<<symbolBits
}

// sizeOfBlock is how much was allocated where an address lies, and how far in it does; false where that is
// not known.
func (p *Path) sizeOfBlock(at int64) (size, off int64, ok bool) {
	k := (at-firstHeap)>>symbolBits - 1
	if at < firstHeap || at >= firstGlobal || k < 0 || k >= int64(len(p.sizes)) || p.sizes[k] == anySize {
		return 0, 0, false
	}
	return p.sizes[k], at & (1<<symbolBits - 1), true
}
