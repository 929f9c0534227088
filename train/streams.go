package train

import (
	"hash/fnv"
	"math/rand/v2"
)

// stream returns the random stream of one purpose and one tree. Streams of
// different names or numbers are unrelated, so a draw that is added or dropped
// in one place changes nothing elsewhere.
func stream(seed uint64, name string, number int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name)) // never fails
	return rand.New(rand.NewPCG(seed, h.Sum64()+uint64(number)))
}
