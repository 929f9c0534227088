package concrete

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// A word is what a register holds: an integer with its sign, an address, or the bits of a
// floating-point number as a double. Memory holds bytes; encode and decode go from one to
// the other.
//
// A value of 9 to 16 bytes, which is a wide integer or a small structure that is passed in
// registers, is the word that it would be as an integer where it fits one, and else a hash
// of its bytes, under which the program keeps them: equal words are equal values, whichever
// path computed them.

// widen is the word of 16 bytes.
func (p *program) widen(lo, hi uint64) int64 {
	if hi == uint64(int64(lo)>>63) {
		return int64(lo)
	}
	x := int64(mix(mix(1, lo), hi))
	p.wides[x] = [2]uint64{lo, hi}
	return x
}

// narrow are the 16 bytes of a word.
func (p *program) narrow(x int64) (lo, hi uint64) {
	if w, ok := p.wides[x]; ok {
		return w[0], w[1]
	}
	return uint64(x), uint64(x >> 63)
}

// encode is what memory holds of a word.
func (p *program) encode(x int64, as kind, size uint8) (lo, hi uint64) {
	switch {
	case as == kindSingle:
		return uint64(math.Float32bits(float32(wordFloat(x)))), 0
	case as == kindFloat && size != 8:
		return extend(uint64(x), size)
	case as == kindWide:
		return p.narrow(x)
	}
	return uint64(x), 0
}

// decode is the word that some bytes of memory are; those behind the last count for nothing.
func (p *program) decode(lo, hi uint64, as kind, size uint8) int64 {
	switch {
	case as < 64:
		return as.wrap(int64(lo))
	case as == kindSingle:
		return floatWord(float64(math.Float32frombits(uint32(lo))))
	case as == kindFloat && size != 8:
		return int64(shorten(lo, hi, size))
	case as == kindWide:
		return p.widen(lo, hi&low(size-8))
	case as == kindBytes:
		return int64(lo & low(size))
	}
	return int64(lo)
}

// low are the lowest bytes of a word.
func low(size uint8) uint64 { return ^uint64(0) >> (64 - 8*size) }

const (
	doubleBits, doubleBias, doubleMost = 52, 1023, 0x7ff
	wideBias, wideMost                 = 16383, 0x7fff
)

// extend writes a double as a long double: that of x86 in 10 bytes, or that of IEEE in 16.
func extend(x uint64, size uint8) (lo, hi uint64) {
	sign, exponent, fraction := x>>63, x>>doubleBits&doubleMost, x&(1<<doubleBits-1)
	switch {
	case exponent == doubleMost:
		exponent = wideMost
	case exponent > 0:
		exponent += wideBias - doubleBias
	case fraction > 0: // which a long double need not hold as less than normal
		shift := uint64(bits.LeadingZeros64(fraction) - (63 - doubleBits))
		exponent, fraction = wideBias-doubleBias+1-shift, fraction<<shift&(1<<doubleBits-1)
	}
	if size == 16 {
		return fraction << 60, sign<<63 | exponent<<48 | fraction>>4
	}
	if lo = fraction << (63 - doubleBits); exponent > 0 {
		lo |= 1 << 63
	}
	return lo, sign<<15 | exponent
}

// shorten is the double that a long double is, without what it has beyond.
func shorten(lo, hi uint64, size uint8) uint64 {
	sign, exponent, fraction := hi>>15&1, hi&wideMost, lo<<1>>(64-doubleBits)
	if size == 16 {
		sign, exponent, fraction = hi>>63, hi>>48&wideMost, hi<<16>>12|lo>>60
	}
	switch e := int64(exponent) - wideBias + doubleBias; {
	case exponent == wideMost || e >= doubleMost:
		if exponent != wideMost {
			fraction = 0
		}
		return sign<<63 | doubleMost<<doubleBits | fraction
	case e > 0:
		return sign<<63 | uint64(e)<<doubleBits | fraction
	case e > -doubleBits && exponent > 0:
		return sign<<63 | (fraction|1<<doubleBits)>>(1-e)
	}
	return sign << 63
}

// wideInt reads a word as a wide integer.
func (p *program) wideInt(x int64) *big.Int {
	lo, hi := p.narrow(x)
	z := new(big.Int).Lsh(big.NewInt(int64(hi)), 64)
	return z.Add(z, new(big.Int).SetUint64(lo))
}

// ofWideInt is the word of an integer of a type.
func (p *program) ofWideInt(z *big.Int, t op.Type) int64 {
	z = op.WrapWide(z, uint(t.Bits))
	lo := new(big.Int).And(z, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
	if t.Bits <= 64 {
		return op.Wrap(int64(lo), uint(t.Bits))
	}
	return p.widen(lo, uint64(new(big.Int).Rsh(z, 64).Int64()))
}

// unsignedWide reads a word of a type as an integer without a sign.
func (p *program) unsignedWide(x int64, t op.Type) *big.Int {
	z := p.wideInt(x)
	if z.Sign() < 0 {
		z.Add(z, new(big.Int).Lsh(big.NewInt(1), uint(t.Bits)))
	}
	return z
}
