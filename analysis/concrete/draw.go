package concrete

import (
	"github.com/winnow-mutants/winnow/inputs"
	"github.com/winnow-mutants/winnow/internal/stream"
)

// Corner reports the seeds whose numbers are all the same or all near zero.
func Corner(seed uint64) bool { return inputs.Corner(seed) }

// draw asks for a word of a kind by a key.
func draw(seed uint64, key uint64, k kind) int64 {
	switch k {
	case pointer:
		return inputs.Address.Of(seed, key)
	case kindFloat, kindSingle:
		return floatWord(inputs.Real.Of(seed, key))
	case 1:
		return inputs.Truth.Of(seed, key)
	case 8:
		return k.wrap(inputs.Byte.Of(seed, key))
	}
	return k.wrap(inputs.Integer.Of(seed, key))
}

// mix is a hash of two numbers.
func mix(a, b uint64) uint64 { return stream.Mix(a, b) }
