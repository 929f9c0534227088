package concrete

import (
	"cmp"
	"slices"
)

// fill is a stretch of memory all of whose bytes were set to one value.
type fill struct {
	from, to int64
	value    int64
}

// filled is a word each of whose bytes is b.
func (k kind) filled(b int64) int64 {
	word := int64(uint64(b&0xff) * 0x0101010101010101)
	if k == kindSingle {
		return floatWord(float64(b & 0xff))
	}
	return k.wrap(word)
}

// written is the last that a path wrote to a cell.
func (p *Path) written(at int64) (write, bool) {
	if isLocal(at) {
		if f, slot := p.slotAt(at); slot >= 0 && f.ran(slot) {
			return write{at: at, value: f.regs[slot]}, true
		}
	}
	w, ok := write{}, false
	if s := p.cells.find(at); s.known(p.cells.epoch) {
		w, ok = p.log[s.place], true
	}
	for k := len(p.fills) - 1; k >= int(w.fills); k-- {
		if f := &p.fills[k]; at >= f.from && at < f.to {
			return write{at: at, value: f.value, filled: true}, true
		}
	}
	return w, ok
}

// read is what a memory cell holds; those that were written plainly, and those that nothing
// was written to, are most.
func (p *Path) read(at int64, as kind) int64 {
	if isLocal(at) {
		if f, slot := p.slotAt(at); slot >= 0 && f.ran(slot) {
			return f.regs[slot]
		}
	}
	if s := p.cells.find(at); s.known(p.cells.epoch) {
		if w := &p.log[s.place]; int(w.fills) == len(p.fills) && !w.reseeded && !w.filled {
			return w.value
		}
	} else if len(p.fills) == 0 {
		return p.untouched(at, as)
	}
	if w, written := p.written(at); written {
		return p.held(w, as)
	}
	return p.untouched(at, as)
}

// untouched is what a cell holds that was not written.
func (p *Path) untouched(at int64, as kind) int64 {
	if x, ok := p.initially(at, as); ok {
		return x
	}
	return p.draw(uint64(at), as)
}

// keep writes to a local variable that is in a register.
func (f *frame) keep(slot int, x int64) { f.regs[slot], f.computed[slot] = x, f.number }

// slotAt finds the register in which the local variable at an address is; -1 for none.
func (p *Path) slotAt(at int64) (*frame, int) {
	depth, item := (at-firstLocal)>>frameBits, at>>localBits&(1<<(frameBits-localBits)-1)
	if !isLocal(at) || at&(1<<localBits-1) != 0 || depth >= int64(len(p.frames)) {
		return nil, -1
	}
	f := p.frames[depth]
	if f.code == nil || item >= int64(len(f.code.scalars)) || f.code.scalars[item] == 0 {
		return nil, -1
	}
	return f, int(item)
}

// writeSlot writes to a local variable in a register; false where there is none, or where
// what it holds is made up when it is read.
func (p *Path) writeSlot(w write) bool {
	f, slot := p.slotAt(w.at)
	if slot < 0 {
		return false
	}
	if w.reseeded {
		f.computed[slot] = 0
		return false
	}
	f.keep(slot, w.value)
	return true
}

// fillMemory sets each byte of a stretch. Of a path that fills many, the first mostFills
// count.
func (p *Path) fillMemory(at, b, n int64) {
	if f, slot := p.slotAt(at); slot >= 0 {
		f.keep(slot, f.code.scalars[slot].filled(b))
		return
	}
	if n > 0 && len(p.fills) < mostFills {
		p.fills = append(p.fills, fill{at, at + n, b})
	}
}

// mostFills bounds the stretches that a path keeps in mind.
const mostFills = 64

// copyMemory copies what was written to, or is initially in, a stretch of memory.
func (p *Path) copyMemory(to, from, n int64) {
	if n <= 0 || to == from {
		return
	}
	n = min(n, mostCopied)
	p.spend(len(p.log))
	type cell struct{ at, value int64 }
	var cells []cell
	for i := range p.log {
		if at := p.log[i].at; at >= from && at < from+n {
			if w, _ := p.written(at); !w.reseeded && !w.filled {
				cells = append(cells, cell{to + at - from, w.value})
			}
		}
	}
	if isLocal(from) {
		if f, slot := p.slotAt(from); slot >= 0 && f.ran(slot) {
			cells = append(cells, cell{to, f.regs[slot]})
		}
	}
	if g := p.globalAt(from); g != nil {
		first := from & (1<<symbolBits - 1)
		for off, x := range g.cells {
			if off >= first && off < first+n {
				if _, again := p.written(from + off - first); !again {
					cells = append(cells, cell{to + off - first, x})
				}
			}
		}
	}
	slices.SortFunc(cells, func(a, b cell) int { return cmp.Compare(a.at, b.at) })
	// What is not known of the source is 0.
	p.fillMemory(to, 0, n)
	for _, c := range cells {
		p.write(write{at: c.at, value: c.value})
	}
}

const mostCopied = 1 << 20

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
	if g == nil || !g.known || !(p.fromMain || g.constant) {
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
		b := byte(p.at(at+n, 8))
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

// put writes a text and the 0 at its end.
func (p *Path) put(at int64, text []byte) {
	if p.Trapped = p.Trapped || nearNull(at); p.Trapped {
		return
	}
	for k, b := range text {
		p.write(write{at: at + int64(k), value: int64(int8(b))})
	}
	p.write(write{at: at + int64(len(text)), value: 0})
}

// allocate is the address of fresh memory.
func (p *Path) allocate() int64 {
	p.blocksAllocated++
	return firstHeap + p.blocksAllocated<<symbolBits
}
