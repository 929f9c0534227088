package stream

import (
	"math/bits"
	"testing"
)

// What is drawn by a key is part of features that models read.
func TestMixKeepsItsNumbersFromReleaseToRelease(t *testing.T) {
	for _, c := range []struct{ a, b, want uint64 }{
		{0, 0, 0x6db6ca64564daeaa}, {1, 0, 0x68ef3324a381e9ba}, {0, 1, 0x6f8aaeac2856bddb}, {1 << 40, 7, 0xe7bad6f961a05ccb},
	} {
		if got := Mix(c.a, c.b); got != c.want {
			t.Errorf("Mix(%d, %d) is %#x, want %#x", c.a, c.b, got, c.want)
		}
	}
}

// A bit more or less in either number changes half of the hash's, more or less.
func TestMixSpreadsEveryBitOfBothNumbers(t *testing.T) {
	for _, k := range []uint64{0, 1, 12345, 1<<63 + 7} {
		for bit := range 64 {
			for _, other := range []uint64{Mix(k^1<<bit, 3), Mix(k, 3^1<<bit)} {
				if n := bits.OnesCount64(Mix(k, 3) ^ other); n < 12 || n > 52 {
					t.Errorf("bit %d of %d changes %d bits", bit, k, n)
				}
			}
		}
	}
}
