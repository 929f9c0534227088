package execute

import "math/bits"

// Bits is a set of small numbers, one bit each: ⌈n/64⌉ words for n members.
type Bits []uint64

// NewBits returns the empty set of numbers below n.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Set adds i.
func (b Bits) Set(i int) { b[i/64] |= 1 << (i % 64) }

// Clear removes i.
func (b Bits) Clear(i int) { b[i/64] &^= 1 << (i % 64) }

// Has says whether i is a member; false for an i beyond the set.
func (b Bits) Has(i int) bool { return i >= 0 && i/64 < len(b) && b[i/64]>>(i%64)&1 == 1 }

// Count returns the number of members.
func (b Bits) Count() int {
	n := 0
	for _, word := range b {
		n += bits.OnesCount64(word)
	}
	return n
}
