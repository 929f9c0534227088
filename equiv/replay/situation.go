package replay

import (
	"encoding/binary"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/inputs"
)

// situation is what a function is called with: its arguments, which are the first object, and the objects
// that these lead to.
type situation struct{ objects []object }

// object is memory of count things of a type, one behind the other.
type object struct {
	of    *ctype
	count int
	bytes []byte
	links map[int]int
}

// leaf is a scalar of a situation, or a text of characters.
type leaf struct {
	object, at, size int
	is               *ctype
}

func (s *situation) clone() *situation {
	out := &situation{slices.Clone(s.objects)}
	for k := range out.objects {
		o := &out.objects[k]
		o.bytes, o.links = slices.Clone(o.bytes), maps.Clone(o.links)
	}
	return out
}

// isHuge says that it has a number near the limits of its type: what differs is mostly what runs over.
func (s *situation) isHuge() bool {
	return slices.ContainsFunc(s.leaves(), func(l leaf) bool {
		if l.is.class != number || l.size < 4 {
			return false
		}
		top := numberOf(s.objects[l.object].bytes[l.at:l.at+l.size], true) >> (8*l.size - 2)
		return top != 0 && top != -1 || top == -1 && !l.is.signed
	})
}

// pruned is a situation without what nothing leads to.
func (s *situation) pruned() *situation {
	out, places := &situation{slices.Clone(s.objects[:1])}, map[int]int{0: 0}
	for k := 0; k < len(out.objects); k++ {
		o := &out.objects[k]
		links := map[int]int{}
		for _, at := range slices.Sorted(maps.Keys(o.links)) {
			to := o.links[at]
			if to == concrete.Stdout {
				links[at] = to
				continue
			}
			if _, known := places[to]; !known {
				places[to] = len(out.objects)
				out.objects = append(out.objects, s.objects[to])
				o = &out.objects[k]
			}
			links[at] = places[to]
		}
		o.links = links
	}
	return out
}

// leaves are all that may be changed.
func (s *situation) leaves() (out []leaf) {
	for k := range s.objects {
		o := &s.objects[k]
		if o.of.class == character {
			out = append(out, leaf{k, 0, len(o.bytes), o.of})
			continue
		}
		for n := range o.count {
			out = leavesOf(out, k, n*o.of.size, o.of)
		}
	}
	return out
}

func leavesOf(out []leaf, object, at int, t *ctype) []leaf {
	switch t.class {
	case structure:
		for _, m := range t.members {
			out = leavesOf(out, object, at+m.at, m.is)
		}
	case array:
		if t.count == 0 {
			return out
		}
		if t.to.class == character {
			return append(out, leaf{object, at, t.size, t.to})
		}
		for n := range min(t.count, mostElements) {
			out = leavesOf(out, object, at+n*t.to.size, t.to)
		}
	case number, character, truth, realNumber, address:
		out = append(out, leaf{object, at, t.size, t})
	}
	return out
}

const (
	// textBytes and elements are how long the memory is that an address leads to of which nothing says
	// how much there is, and listed how many addresses.
	textBytes, elements, listed = 16, 8, 4
	// mostElements bounds the elements of an array that are drawn, mostDeep the addresses that lead on
	// from one another, mostObjects what they lead to, and mostOfObject its size.
	mostElements, mostDeep, mostObjects, mostOfObject = 16, 3, 16, 4096
)

// maker makes situations.
type maker struct {
	random *rand.Rand
	words  *inputs.Words
	params *ctype
	// plenty of a hundred leaves are not 0.
	plenty int
}

func (m *maker) draw() *situation {
	m.plenty = []int{25, 60, 90}[m.random.IntN(3)]
	s := &situation{[]object{{of: m.params, count: 1, bytes: make([]byte, m.params.size), links: map[int]int{}}}}
	m.fill(s, 0, 0)
	return s
}

// fill draws the leaves of an object, at some depth, and of those that come to be with it.
func (m *maker) fill(s *situation, object, depth int) {
	first := slices.IndexFunc(s.leaves(), func(l leaf) bool { return l.object == object })
	if first < 0 {
		return
	}
	for _, l := range s.leaves()[first:] {
		if l.object == object {
			m.redraw(s, l, depth)
		}
	}
}

// redraw draws one leaf.
func (m *maker) redraw(s *situation, l leaf, depth int) {
	o := &s.objects[l.object]
	b := o.bytes[l.at : l.at+l.size]
	clear(b)
	delete(o.links, l.at)
	if depth > 0 && m.random.IntN(100) >= m.plenty {
		return
	}
	switch l.is.class {
	case number:
		x := m.number()
		if x < 0 && !l.is.signed && m.random.IntN(4) > 0 {
			x = -x
		}
		putNumber(b, x)
	case truth:
		b[0] = byte(m.random.IntN(2))
	case realNumber:
		putReal(b, float64(m.number())/float64(1+m.random.IntN(2)))
	case character:
		m.text(b)
	case address:
		m.lead(s, l, depth)
	}
}

// putNumber writes as many bytes of a number as there are.
func putNumber(b []byte, x int64) {
	for k := range b {
		b[k] = byte(x >> (8 * k))
	}
}

func putReal(b []byte, x float64) {
	if len(b) == 4 {
		binary.LittleEndian.PutUint32(b, math.Float32bits(float32(x)))
	} else {
		binary.LittleEndian.PutUint64(b, math.Float64bits(x))
	}
}

func (m *maker) number() int64 {
	switch w := m.words.Numbers; m.random.IntN(8) {
	case 0:
		return 0
	case 1, 2, 3:
		return 1 + int64(m.random.IntN(8))
	case 4:
		return -1 - int64(m.random.IntN(3))
	case 5:
		return int64(m.character())
	default:
		if len(w) == 0 {
			return int64(m.random.IntN(100))
		}
		return w[m.random.IntN(len(w))] + int64(m.random.IntN(3)) - 1
	}
}

func (m *maker) character() byte {
	const usual = "ab1 "
	if c := m.words.Characters; len(c) > 0 && m.random.IntN(3) > 0 {
		return c[m.random.IntN(len(c))]
	}
	return usual[m.random.IntN(len(usual))]
}

// text fills the beginning of some bytes, and leaves room for the 0 at the end of a text.
func (m *maker) text(b []byte) {
	if len(b) == 1 {
		b[0] = m.character()
		return
	}
	if w := m.words.Texts; len(w) > 0 && m.random.IntN(4) == 0 {
		copy(b[:len(b)-1], w[m.random.IntN(len(w))])
		return
	}
	for k := range m.random.IntN(min(len(b), 8)) {
		b[k] = m.character()
	}
}

// lead makes what an address leads to, or null.
func (m *maker) lead(s *situation, l leaf, depth int) {
	if len(s.objects) == mostObjects || m.random.IntN(12) == 0 {
		return
	}
	count := 1
	switch l.is.to.class {
	case nothing, character:
		count = textBytes
	case number, realNumber, truth:
		count = elements
	case address:
		count = listed
	case openStream:
		s.objects[l.object].links[l.at] = concrete.Stdout
		return
	case code:
		s.objects[l.object].links[l.at] = len(s.objects)
		s.objects = append(s.objects, object{of: l.is.to, links: map[int]int{}})
		return
	}
	of := l.is.to
	if of.class == nothing {
		if of.size > 0 { // a type that is not known
			return
		}
		of = &ctype{class: character, size: 1, signed: true, name: "char"} // void
	}
	if size := count * of.size; depth >= mostDeep || size == 0 || size > mostOfObject {
		return
	}
	n := len(s.objects)
	s.objects = append(s.objects, object{of: of, count: count, bytes: make([]byte, count*of.size), links: map[int]int{}})
	s.objects[l.object].links[l.at] = n
	m.fill(s, n, depth+1)
	if of.class == address { // a list ends
		o := &s.objects[n]
		delete(o.links, 8*(count-1))
	}
}

// vary is a situation in which one leaf is drawn anew.
func (m *maker) vary(s *situation) *situation {
	out := s.clone()
	if leaves := out.leaves(); len(leaves) > 0 {
		m.plenty = 90
		for range 1 + m.random.IntN(2) {
			m.redraw(out, leaves[m.random.IntN(len(leaves))], 0)
		}
	}
	return out.pruned()
}

// given is a situation as the interpreter takes it: words for the arguments, and objects.
func (s *situation) given(code *concrete.Code) (args []int64, objects []concrete.Object) {
	frame := &s.objects[0]
	for _, m := range frame.of.members {
		b := frame.bytes[m.at:]
		switch to, leads := frame.links[m.at]; {
		case leads:
			args = append(args, code.AddressOf(to))
		case m.is.class == realNumber:
			args = append(args, int64(math.Float64bits(realOf(b[:m.is.size]))))
		default:
			args = append(args, numberOf(b[:m.is.size], m.is.class != truth))
		}
	}
	for k := range s.objects {
		o := &s.objects[k]
		objects = append(objects, concrete.Object{Bytes: o.bytes, Links: o.links})
	}
	return args, objects
}

// numberOf reads an integer of some bytes; words are signed.
func numberOf(b []byte, signed bool) int64 {
	var x uint64
	for k := len(b) - 1; k >= 0; k-- {
		x = x<<8 | uint64(b[k])
	}
	if shift := 64 - 8*len(b); signed && len(b) > 0 {
		return int64(x<<shift) >> shift
	}
	return int64(x)
}

func realOf(b []byte) float64 {
	if len(b) == 4 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}
