// Package stream makes named, seeded streams of random numbers.
//
// A run of winnow has one seed. Each use of randomness has a stream of its own,
// named by what it is for and numbered by what it is about: the shuffle of
// fold 3, the bagging of tree 17. A stream depends on the seed, the name and
// the numbers and on nothing else, so neither the number of workers, nor the
// order in which they finish, nor a new use of randomness elsewhere changes
// what an existing one draws.
//
// The key of a stream is the SHA-256 hash of seed, name and numbers; its first
// 16 bytes seed the PCG of math/rand/v2, whose output Go's compatibility
// promise fixes. Seeds that differ in one bit therefore give unrelated streams,
// which adding the number of a tree to the seed would not.
package stream

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// New returns the stream of the given name and numbers under seed. It is not
// safe for use by several goroutines: give each its own number.
func New(seed uint64, name string, numbers ...int) *rand.Rand {
	// The name's length comes first, so that no name together with its numbers
	// can spell another name.
	key := binary.LittleEndian.AppendUint64(nil, seed)
	key = binary.LittleEndian.AppendUint64(key, uint64(len(name)))
	key = append(key, name...)
	for _, n := range numbers {
		key = binary.LittleEndian.AppendUint64(key, uint64(n))
	}
	sum := sha256.Sum256(key)
	return rand.New(rand.NewPCG(
		binary.LittleEndian.Uint64(sum[:8]),
		binary.LittleEndian.Uint64(sum[8:16]),
	))
}
