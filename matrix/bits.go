// Package matrix holds the vocabulary of everything that is measured by running
// mutants: sets of tests or sites (Bits), verdicts with three values (Verdict)
// and what a verdict rests on (Cause).
//
// The measurements themselves live in the packages below it: matrix/table is
// the column store and its Parquet form, matrix/kill, matrix/fault and
// matrix/cover are the three tables that running a program fills. None of them
// knows what a mutant or a test is beyond its name.
package matrix

import (
	"iter"
	"math/bits"
	"strings"
)

const wordBits = 64

// Bits is a set of small integers, 0 <= i < Len, one bit each. It stands for a
// set of tests, mutants or sites.
//
// The zero value is the empty set of length 0. Copying a Bits copies a
// reference, as with a slice: use Clone for a second set. An index outside
// 0..Len-1 and two operands of different lengths are mistakes of the program
// and panic, like an index outside a slice.
type Bits struct {
	n     int
	words []uint64
}

// NewBits returns the empty set of length n.
func NewBits(n int) Bits {
	return Bits{n: n, words: make([]uint64, (n+wordBits-1)/wordBits)}
}

// BitsOf returns the set of length n that holds the given members.
func BitsOf(n int, members ...int) Bits {
	b := NewBits(n)
	for _, i := range members {
		b.Set(i)
	}
	return b
}

// Len is the number of integers the set could hold, not the number it holds.
func (b Bits) Len() int { return b.n }

// Set puts i into the set.
func (b Bits) Set(i int) {
	b.check(i)
	b.words[i/wordBits] |= 1 << (i % wordBits)
}

// Clear takes i out of the set.
func (b Bits) Clear(i int) {
	b.check(i)
	b.words[i/wordBits] &^= 1 << (i % wordBits)
}

// Get says whether i is in the set.
func (b Bits) Get(i int) bool {
	b.check(i)
	return b.words[i/wordBits]>>(i%wordBits)&1 == 1
}

// check keeps the unused bits of the last word clear, on which Count and Equal
// rest: the slice alone would let them be set.
func (b Bits) check(i int) {
	if uint(i) >= uint(b.n) {
		panic("matrix: index outside the set")
	}
}

// Count is the number of members.
func (b Bits) Count() int {
	count := 0
	for _, w := range b.words {
		count += bits.OnesCount64(w)
	}
	return count
}

// Empty says whether the set has no member.
func (b Bits) Empty() bool {
	for _, w := range b.words {
		if w != 0 {
			return false
		}
	}
	return true
}

// Clone returns a second set with the same members.
func (b Bits) Clone() Bits {
	return Bits{n: b.n, words: append([]uint64(nil), b.words...)}
}

// At returns the members among the given ones, each by its place there: member k of
// the result says that positions[k] is a member of b.
func (b Bits) At(positions []int) Bits {
	out := NewBits(len(positions))
	for to, from := range positions {
		if b.Get(from) {
			out.Set(to)
		}
	}
	return out
}

// And keeps only the members that are also in o, in place.
func (b Bits) And(o Bits) {
	b.match(o)
	for i, w := range o.words {
		b.words[i] &= w
	}
}

// AndNot takes the members of o out of b, in place.
func (b Bits) AndNot(o Bits) {
	b.match(o)
	for i, w := range o.words {
		b.words[i] &^= w
	}
}

// Or adds the members of o to b, in place.
func (b Bits) Or(o Bits) {
	b.match(o)
	for i, w := range o.words {
		b.words[i] |= w
	}
}

// CountAnd is the number of members common to b and o, without building their
// intersection.
func (b Bits) CountAnd(o Bits) int {
	b.match(o)
	count := 0
	for i, w := range o.words {
		count += bits.OnesCount64(b.words[i] & w)
	}
	return count
}

// Intersects says whether b and o have a common member.
func (b Bits) Intersects(o Bits) bool {
	b.match(o)
	for i, w := range o.words {
		if b.words[i]&w != 0 {
			return true
		}
	}
	return false
}

// IsSubset says whether every member of b is a member of o.
func (b Bits) IsSubset(o Bits) bool {
	b.match(o)
	for i, w := range o.words {
		if b.words[i]&^w != 0 {
			return false
		}
	}
	return true
}

// Equal says whether b and o have the same length and the same members.
func (b Bits) Equal(o Bits) bool {
	if b.n != o.n {
		return false
	}
	for i, w := range o.words {
		if b.words[i] != w {
			return false
		}
	}
	return true
}

func (b Bits) match(o Bits) {
	if b.n != o.n {
		panic("matrix: sets of different lengths")
	}
}

// All walks the members in increasing order.
func (b Bits) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for at, w := range b.words {
			for ; w != 0; w &= w - 1 {
				if !yield(at*wordBits + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

// Key returns the members as a string that is equal for equal sets of one
// length, to use as the key of a map.
func (b Bits) Key() string {
	var key strings.Builder
	key.Grow(8 * len(b.words))
	for _, w := range b.words {
		for shift := 0; shift < wordBits; shift += 8 {
			key.WriteByte(byte(w >> shift))
		}
	}
	return key.String()
}

// String shows the set as Len digits, member 0 first: {0, 2} of length 4 is
// "1010".
func (b Bits) String() string {
	var text strings.Builder
	text.Grow(b.n)
	for i := range b.n {
		if b.Get(i) {
			text.WriteByte('1')
		} else {
			text.WriteByte('0')
		}
	}
	return text.String()
}
