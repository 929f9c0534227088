package train

import (
	"math"
	"math/bits"
	"slices"
	"sync"
)

// maxBins leaves one of the 256 values of a byte to missing values.
const maxBins = 255

// everything is a threshold that every value present is below. LightGBM cuts its
// own thresholds here (common.h, AvoidInf), so its parser can read it.
const everything = 1e300

// binning maps the values of one column to bins. Bins 0 to count-1 are ordinary
// ones; bin count holds what is missing.
type binning struct {
	count int
	// upper are the inclusive upper ends of the bins. The last is everything.
	upper []float64
	keys  []uint64 // of upper, see sortKey

	// usual is the bin of most rows, and rare the number of rows elsewhere.
	usual uint8
	rare  int

	min, max float64
}

// missing is the bin of NaN.
func (b *binning) missing() uint8 { return uint8(b.count) }

// bin returns the bin of x.
func (b *binning) bin(x float64) uint8 {
	if x != x {
		return b.missing()
	}
	// The first bin whose upper end is not below x lies within size bins from
	// low; the last bin's never is. A branch on the comparison would be
	// mispredicted half of the time, so the borrow of a subtraction is used.
	key := sortKey(x)
	low := 0
	for size := len(b.keys); size > 1; {
		half := size >> 1
		_, below := bits.Sub64(b.keys[low+half-1], key, 0)
		low += half & -int(below)
		size -= half
	}
	return uint8(low)
}

// sortKey maps numbers, NaN excepted, to integers in the same order.
func sortKey(x float64) uint64 {
	b := math.Float64bits(x + 0) // -0 becomes 0
	return b ^ (uint64(int64(b)>>63) | 1<<63)
}

// keyValue is the number of a sortKey.
func keyValue(key uint64) float64 {
	return math.Float64frombits(key ^ (uint64(^int64(key)>>63) | 1<<63))
}

// keyBuffer sorts keys; its memory serves column after column.
type keyBuffer struct{ keys, spare []uint64 }

var keyBuffers = sync.Pool{New: func() any { return new(keyBuffer) }}

// sort sorts the keys byte by byte, the last one first (Knuth, TAOCP 3, algorithm
// 5.2.5 R), and passes over bytes that are the same in all of them, which are most
// where values are few or small whole numbers.
func (b *keyBuffer) sort() []uint64 {
	differ := uint64(0)
	for _, key := range b.keys {
		differ |= key ^ b.keys[0]
	}
	if cap(b.spare) < len(b.keys) {
		b.spare = make([]uint64, len(b.keys))
	}
	b.spare = b.spare[:len(b.keys)]
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var next [256]int // where the byte's next key goes
		for _, key := range b.keys {
			next[uint8(key>>shift)]++
		}
		at := 0
		for i, n := range next {
			next[i] = at
			at += n
		}
		for _, key := range b.keys {
			i := uint8(key >> shift)
			b.spare[next[i]] = key
			next[i]++
		}
		b.keys, b.spare = b.spare, b.keys
	}
	return b.keys
}

// tally is a value and the number of sampled rows that have it.
type tally struct {
	value float64
	rows  int
}

// tallies returns the values of a column that are present, ascending, from the
// rows marked in sample (all when nil).
func tallies(c *Column, rows int, sample []bool) []tally {
	buffer := keyBuffers.Get().(*keyBuffer)
	defer keyBuffers.Put(buffer)
	keys, seen := buffer.keys[:0], len(c.Values)
	if sample == nil {
		for _, x := range c.Values {
			if x == x {
				keys = append(keys, sortKey(x))
			}
		}
	} else {
		rows, seen = 0, 0
		for _, in := range sample {
			if in {
				rows++
			}
		}
		for i, x := range c.Values {
			r := i
			if c.sparse() {
				r = int(c.Rows[i])
			}
			if sample[r] {
				seen++
				if x == x {
					keys = append(keys, sortKey(x))
				}
			}
		}
	}
	buffer.keys = keys
	var out []tally
	last := uint64(0) // the key of no number
	for _, key := range buffer.sort() {
		if key != last {
			out, last = append(out, tally{value: keyValue(key)}), key
		}
		out[len(out)-1].rows++
	}
	if zeros := rows - seen; zeros > 0 { // of a sparse column
		at, found := slices.BinarySearchFunc(out, 0, func(t tally, x float64) int { return cmpFloat(t.value, x) })
		if !found {
			out = slices.Insert(out, at, tally{})
		}
		out[at].rows += zeros
	}
	return out
}

func cmpFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// uppersOf chooses at most bins upper ends. With few different values each
// has a bin of its own, and the ends are the midpoints. Otherwise bins hold about
// as many rows each, and a value with more rows than that stands alone.
func uppersOf(values []tally, bins int) []float64 {
	if len(values) == 0 {
		return []float64{everything}
	}
	rest := 0
	for _, v := range values {
		rest += v.rows
	}
	crowd := rest / bins // more rows than this stand alone
	exact := len(values) <= bins
	var uppers []float64
	held := 0
	for i, v := range values[:len(values)-1] {
		held += v.rows
		left := bins - len(uppers)
		if left == 1 {
			break
		}
		if exact || held*left >= rest || v.rows > crowd || values[i+1].rows > crowd {
			uppers = append(uppers, between(v.value, values[i+1].value))
			rest -= held
			held = 0
		}
	}
	return append(uppers, everything)
}

// between returns a number at least a and less than b, near the middle.
func between(a, b float64) float64 {
	if m := a/2 + b/2; m >= a && m < b {
		return m
	}
	return a
}

// newBinning chooses the bins of a column.
func newBinning(c *Column, rows int, sample []bool, bins int) binning {
	values := tallies(c, rows, sample)
	b := binning{upper: uppersOf(values, bins)}
	b.count = len(b.upper)
	for _, upper := range b.upper {
		b.keys = append(b.keys, sortKey(upper))
	}
	b.min, b.max = bounds(c, rows)
	return b
}

// bounds returns the range of the values that are present, zeros when none are.
func bounds(c *Column, rows int) (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	if len(c.Values) < rows {
		low, high = 0, 0
	}
	for _, x := range c.Values {
		if x < low {
			low = x
		}
		if x > high {
			high = x
		}
	}
	if low >= high { // constant, or nothing present
		return 0, 0
	}
	return low, high
}
