package concrete

import "math"

// Corner reports the seeds whose numbers are all zero, all equal or all near
// zero; the others are typical.
func Corner(seed uint64) bool { return seed%8 < 3 }

// draw makes up a word of a kind for a key.
func draw(seed uint64, key uint64, k kind) int64 {
	h := mix(seed, key)
	if k == pointer {
		if seed%8 == 0 {
			return 0
		}
		return 1<<24 + int64(h%4096)*1024
	}
	x := number(seed, h)
	switch k {
	case kindFloat, kindSingle:
		f := float64(x)
		if seed%8 >= 3 && h>>40%2 == 0 {
			f += .5
		}
		return int64(math.Float64bits(f))
	case 1:
		return x & 1
	case 8:
		if seed%8 >= 3 { // characters
			return 32 + int64(h>>20%95)
		}
	}
	return k.wrap(x)
}

// number draws an integer: the corners, then mostly small non-negative numbers.
func number(seed, h uint64) int64 {
	switch seed % 8 {
	case 0:
		return 0
	case 1:
		return int64(mix(seed, 1) % 12)
	case 2:
		return int64(h>>8%4) - 1
	case 3, 4:
		return int64(h >> 8 % 8)
	case 5:
		return int64(h >> 8 % 100)
	case 6:
		return int64(h>>8%40) - 20
	}
	return int64(h>>8%4000) - 1000
}

// mix is a hash of two numbers (the finaliser of SplitMix64).
func mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 ^ (b + 0x632be59bd9b4e019)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
