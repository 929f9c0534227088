package concrete

import (
	"encoding/binary"
	"slices"
)

// Object is memory that a function finds when it is called: the bytes, and by the place of an
// address among them the number of the object that it leads to, or Stdout. One without bytes may be a
// function that nobody knows.
type Object struct {
	Bytes []byte
	Links map[int]int
}

// firstObject is where objects are that a function is called with: behind what is drawn, and in front of
// local variables.
const firstObject = 1 << 55

// Stdout is the number of the stream, which is no object.
const Stdout = -1

// AddressOf is where the object of a number is.
func (c *Code) AddressOf(object int) int64 {
	if p := c.within; object == Stdout {
		if p.variables == nil {
			p.variables = map[string]int64{}
		}
		if _, named := p.variables["stdout"]; !named {
			p.variables["stdout"] = firstObject
		}
		return p.variables["stdout"]
	}
	return firstObject + int64(object+1)<<symbolBits
}

// ObjectAt is the object that an address leads into, or to some place in front of or behind it, as far as
// its number goes, and how far; false for none.
func ObjectAt(at int64) (object int, offset int64, ok bool) {
	const half = 1 << (symbolBits - 1)
	n := (at - firstObject + half) >> symbolBits
	return int(n) - 1, (at-firstObject+half)&(1<<symbolBits-1) - half, n > 0 && at < firstLocal
}

// IsAddress says that a word is an address, and no other number that programs have.
func IsAddress(x int64) bool { return x >= firstObject>>1 && x < firstTable<<1 }

// AlongObjects is AlongArguments of a function that finds objects, which it may give back, and nothing
// else. What reads or writes beside them guesses, as what writes to constants does, reads the standard input
// or files, or asks what time it is. Other variables hold their initial values where c is of a Library.
func (c *Code) AlongObjects(p *Path, args []int64, objects []Object, change *Change, limit int) {
	c.begin(p, 0, 0, limit)
	p.frame.args = append(p.frame.room[:0], args...)
	p.given = &Given{}
	for k := range objects {
		at, b := c.AddressOf(k), objects[k].Bytes
		for ; len(b) >= 8; b, at = b[8:], at+8 {
			p.put(at, binary.LittleEndian.Uint64(b), 8)
		}
		for ; len(b) > 0; b, at = b[1:], at+1 {
			p.put(at, uint64(b[0]), 1)
		}
		for off, to := range objects[k].Links {
			p.store(c.AddressOf(k)+int64(off), c.AddressOf(to), pointer, 8)
		}
	}
	p.store(errnoAt, 0, 32, 4)
	if change != nil {
		p.apply(change)
	}
	p.goOn()
	p.Guessed = p.Guessed || p.source.taken > 0 || p.source.ended || len(p.Asked) > 0 || p.ticks.asked || p.strays(objects)
}

// strays says whether something was written beside the objects and blocks, or to a constant.
func (p *Path) strays(objects []Object) bool {
	beside := func(from, to int64) bool {
		if size, off, ok := p.sizeOfBlock(from); ok {
			return off+to-from > size
		}
		if to <= firstObject || from >= firstLocal {
			g := p.program.global(from)
			return from >= firstTable || from >= firstGlobal && g != nil && g.constant
		}
		k, off, ok := ObjectAt(from)
		return !ok || k >= len(objects) || off < 0 || off+to-from > int64(len(objects[k].Bytes))
	}
	for k := range p.log {
		g := &p.log[k]
		for off := range int64(8) {
			if at := g.at<<3 + off; (g.written|g.made)>>off&1 != 0 && beside(at, at+1) {
				return true
			}
		}
	}
	for _, f := range p.fills {
		if beside(f.from, f.to) {
			return true
		}
	}
	return false
}

// Left is what a path leaves in an object of so many bytes. Addresses are as AddressOf has them, of objects.
func (p *Path) Left(object, size int) []byte {
	out, at := make([]byte, size), p.program.root.AddressOf(object)
	for k := range out {
		out[k], _ = p.byteAt(at+int64(k), false)
	}
	return out
}

// Fresh is what a path left in memory that it allocated, so many bytes of it, and which of them are known;
// nil where it did not.
func (p *Path) Fresh(at int64, size int) (data []byte, known []bool) {
	room, off, ok := p.sizeOfBlock(at)
	if !ok || off != 0 || room < int64(size) || slices.Contains(p.freed, at) {
		return nil, nil
	}
	data, known = make([]byte, size), make([]bool, size)
	for k := range data {
		b := p.orInitial(at+int64(k), 0)
		data[k], known[k] = b.value, b.known
	}
	return data, known
}

// Freed says that a path gave an object back.
func (p *Path) Freed(object int) bool {
	return slices.Contains(p.freed, p.program.root.AddressOf(object))
}

// Exited says that the path ended with the program, not with its first function.
func (p *Path) Exited() bool { return p.Target == exitTarget }

// TextAt is the text at an address; false where it is not known, or is longer than people read.
func (p *Path) TextAt(at int64) (string, bool) {
	var out []byte
	for ; len(out) < longestText; at++ {
		b := p.orInitial(at, 0)
		switch {
		case nearNull(at) || !b.known:
			return "", false
		case b.value == 0:
			return string(out), true
		}
		out = append(out, b.value)
	}
	return "", false
}
