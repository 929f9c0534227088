package stream

// Mix is a hash of two numbers, the finaliser of SplitMix64 (Steele, Lea and Flood,
// "Fast Splittable Pseudorandom Number Generators", 2014). It is for draws that are
// asked for by a key, in any order, each as often as somebody likes; New is for draws
// that follow one another.
func Mix(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 ^ (b + 0x632be59bd9b4e019)
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
