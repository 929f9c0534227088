package stream

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/winnow-mutants/winnow/internal/golden"
)

// TestStreamsKeepTheirNumbersFromReleaseToRelease: models and rankings name
// their seed, which is worth something only as long as the seed gives the same
// numbers.
func TestStreamsKeepTheirNumbersFromReleaseToRelease(t *testing.T) {
	var got []byte
	for _, s := range []struct {
		seed    uint64
		name    string
		numbers []int
	}{
		{0, "", nil}, {1, "bagging", nil}, {1, "bagging", []int{0}}, {1, "bagging", []int{1}},
		{2, "bagging", []int{1}}, {math.MaxUint64, "ranking/random", []int{3, -1}},
	} {
		r := New(s.seed, s.name, s.numbers...)
		got = fmt.Appendf(got, "%d %q %d: %d %d %.17g %d\n",
			s.seed, s.name, s.numbers, r.Uint64(), r.IntN(1000), r.Float64(), r.Perm(6))
	}
	golden.Check(t, "testdata/streams.golden", got)
}

func TestEqualStreamsAgreeAndDifferentStreamsDiffer(t *testing.T) {
	type key struct {
		seed    uint64
		name    string
		numbers string
	}
	seen := map[uint64]key{}
	for seed := range uint64(20) {
		for _, name := range []string{"", "a", "b", "ab"} {
			for _, numbers := range [][]int{nil, {0}, {1}, {0, 0}, {0, 1}, {1, 0}} {
				k := key{seed, name, fmt.Sprint(numbers)}
				first := New(seed, name, numbers...).Uint64()
				if again := New(seed, name, numbers...).Uint64(); again != first {
					t.Fatalf("%v gave %d, then %d", k, first, again)
				}
				if other, ok := seen[first]; ok {
					t.Fatalf("%v and %v begin alike", k, other)
				}
				seen[first] = k
			}
		}
	}
}

// TestNeighbouringSeedsGiveUnrelatedStreams: of the 64 bits of the first
// numbers of seeds s and s+1, half differ, as for a fair coin. The bound is
// five standard errors of the mean of 2,000 binomial(64, ½) draws, sd 4.
func TestNeighbouringSeedsGiveUnrelatedStreams(t *testing.T) {
	const n = 2000
	differing := 0
	for seed := range uint64(n) {
		differing += bits.OnesCount64(New(seed, "x").Uint64() ^ New(seed+1, "x").Uint64())
	}
	if mean := float64(differing) / n; math.Abs(mean-32) > 5*4/math.Sqrt(n) {
		t.Errorf("neighbouring seeds differ in %.2f of 64 bits on average, want about 32", mean)
	}
}
