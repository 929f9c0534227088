package concrete_test

import (
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/analysis/concrete"
)

// A word is read at once where its bytes come from one place, and gives what they give that are put
// together one by one: of memory that was written, filled and made up anew in any order.
func TestWhatIsReadAtOnceIsWhatItsBytesGive(t *testing.T) {
	m := compile(t, quickly, "")
	root := concrete.OfFunction(find(t, m.Functions(), "all"))
	for seed := range uint64(400) {
		random := rand.New(rand.NewPCG(seed, 1))
		p := concrete.Path{Transcript: &concrete.Transcript{}}
		root.Along(&p, seed, 0, 1)
		for range 1 + random.IntN(30) {
			at := random.Int64N(48)
			p.Scribble(at, random.Int64N(5), 1+random.Int64N(40-at/2), random.Int64())
			size := uint8(1) << random.IntN(4)
			from := random.Int64N(64 - int64(size))
			if twice := p.ReadTwice(from, size, random.IntN(4) == 0); twice[0] != twice[1] {
				t.Fatalf("seed %d: byte by byte %d bytes at %d are %s, at once %s", seed, size, from, twice[0], twice[1])
			}
		}
	}
}
