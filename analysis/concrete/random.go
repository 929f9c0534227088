package concrete

import "math"

// rolls is where a path is in the numbers that rand of glibc gives: those of a seed, 1 where the
// program names none.
type rolls struct {
	seed  uint32
	taken int
}

// randomFunctions are those of glibc (random_r.c, TYPE_3), of which C says only that the same seed
// gives the same numbers.
var randomFunctions = map[string]library{
	"rand":    nextRandom,
	"random":  nextRandom,
	"srand":   seedsRandom,
	"srandom": seedsRandom,
}

func nextRandom(p *Path, o *operation) bool {
	r := &p.rolls
	if r.taken >= mostRandom {
		return false
	}
	r.taken++
	return p.gives(o, p.program.random(r.seed, r.taken-1))
}

func seedsRandom(p *Path, o *operation) bool {
	p.rolls = rolls{seed: max(1, uint32(p.arg(o, 0)))}
	return true
}

// mostRandom bounds how many numbers of a seed are kept.
const mostRandom = 1 << 14

// random is the n-th number of a seed: one of a linear congruential generator fills 31 words, each
// further word is the sum of that 31 and that 3 before it, and the first 310 of these are thrown away.
func (p *program) random(seed uint32, n int) int64 {
	const words, apart, thrown = 31, 3, 310
	state := p.randoms[seed]
	if state == nil {
		x := int64(int32(seed))
		for range words {
			state = append(state, uint32(x))
			if x = 16807 * x % math.MaxInt32; x < 0 {
				x += math.MaxInt32
			}
		}
		for k := range apart {
			state = append(state, state[k])
		}
		if p.randoms == nil {
			p.randoms = map[uint32][]uint32{}
		}
	}
	const first = words + apart + thrown
	for len(state) <= first+n {
		state = append(state, state[len(state)-words]+state[len(state)-apart])
	}
	p.randoms[seed] = state
	return int64(state[first+n] >> 1)
}
