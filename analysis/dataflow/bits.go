package dataflow

import (
	"encoding/binary"
	"math/bits"
)

// bitset is a set of small numbers, 64 to a word.
type bitset []uint64

func words(n int) int { return (n + 63) / 64 }

// newSets returns count empty sets of numbers below n, in one allocation.
func newSets(count, n int) []bitset {
	w := words(n)
	all := make([]uint64, count*w)
	sets := make([]bitset, count)
	for i := range sets {
		sets[i] = all[i*w : (i+1)*w : (i+1)*w]
	}
	return sets
}

func (b bitset) add(i int)      { b[i/64] |= 1 << (i % 64) }
func (b bitset) has(i int) bool { return b[i/64]>>(i%64)&1 != 0 }

// each yields the members, ascending.
func (b bitset) each(yield func(int) bool) {
	for w, word := range b {
		for ; word != 0; word &= word - 1 {
			if !yield(w*64 + bits.TrailingZeros64(word)) {
				return
			}
		}
	}
}

// merge adds the members of o and reports whether there were new ones.
func (b bitset) merge(o bitset) bool {
	grown := uint64(0)
	for w, word := range o {
		grown |= word &^ b[w]
		b[w] |= word
	}
	return grown != 0
}

// pool keeps one Set for each content.
type pool map[string]*Set

// union returns the pooled union of the sets of some items.
func (p *pool) union(sets []bitset, placeOf map[int]int, items, members []int, memberOf map[int]int) *Set {
	if *p == nil {
		*p = pool{}
	}
	all := make(bitset, words(len(members)))
	for _, item := range items {
		if k, ok := placeOf[item]; ok {
			all.merge(sets[k])
		}
	}
	key := make([]byte, 0, 8*len(all))
	for _, word := range all {
		key = binary.LittleEndian.AppendUint64(key, word)
	}
	set, ok := (*p)[string(key)]
	if !ok {
		set = &Set{members: all, items: members, place: memberOf}
		(*p)[string(key)] = set
	}
	return set
}

// transpose returns, for each of n numbers, which of the sets hold it. It works
// on squares of 64 by 64, since functions may have a hundred million pairs.
func transpose(sets []bitset, n int) []bitset {
	out := newSets(n, len(sets))
	var square [64]uint64
	for row := 0; row < len(sets); row += 64 {
		rows := min(64, len(sets)-row)
		for w := range words(n) {
			some := uint64(0)
			clear(square[:])
			for r := range rows {
				square[r] = sets[row+r][w]
				some |= square[r]
			}
			if some == 0 {
				continue
			}
			transposeSquare(&square)
			for c := range min(64, n-64*w) {
				out[64*w+c][row/64] = square[c]
			}
		}
	}
	return out
}

// transposeSquare exchanges rows and columns of a square, by halves (Warren,
// "Hacker's Delight", section 7-3; here bit 0 is the first column).
func transposeSquare(a *[64]uint64) {
	mask := uint64(0x00000000ffffffff)
	for j := 32; j != 0; j >>= 1 {
		for k := 0; k < 64; k = (k + j + 1) &^ j {
			t := (a[k]>>j ^ a[k+j]) & mask
			a[k] ^= t << j
			a[k+j] ^= t
		}
		mask ^= mask << (j >> 1)
	}
}
