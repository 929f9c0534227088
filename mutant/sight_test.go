package mutant_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/winnow-mutants/winnow/mutant"
)

func TestValuesAndChangesAreSortedByWhatTheyAreLike(t *testing.T) {
	var values mutant.Values
	for _, x := range []int64{0, 1, -1, 300} {
		values |= mutant.ValueOf(x)
	}
	if values&mutant.ValueZero == 0 || values&mutant.ValueOne == 0 || values&mutant.ValueMinusOne == 0 || values&mutant.ValueFraction != 0 {
		t.Errorf("the classes of 0, 1, -1 and 300 are %#x", values)
	}
	if n := values.Classes(); n != 4 {
		t.Errorf("they are of %d classes, want 4", n)
	}
	for x, want := range map[int64]int{0: 0, 1: 1, -1: 1, 2: 2, 3: 2, -4: 3, 15: 3, 16: 4, 255: 4, 256: 5, -65535: 5, 65536: 6, math.MinInt64: 6} {
		if got := mutant.ValueOf(x).Largest(); got != want {
			t.Errorf("%d has the size %d, want %d", x, got, want)
		}
	}
	for _, c := range []struct {
		original, mutant int64
		want             mutant.Changes
	}{
		{3, 3, 0},
		{3, 4, mutant.ChangeByOne | mutant.ChangeUp | mutant.ChangeParity},
		{1, 0, mutant.ChangeByOne | mutant.ChangeDown | mutant.ChangeParity | mutant.ChangeZero | mutant.ChangeToZero},
		{-1, 1, mutant.ChangeByOne<<1 | mutant.ChangeUp | mutant.ChangeSign | mutant.ChangeToOne},
		{math.MaxInt64, math.MinInt64, mutant.ChangeByOne<<5 | mutant.ChangeDown | mutant.ChangeSign | mutant.ChangeParity | mutant.ChangeToNegative},
	} {
		if got := mutant.ChangeOf(c.original, c.mutant) & (1<<32 - 1); got != c.want {
			t.Errorf("from %d to %d: %#x, want %#x", c.original, c.mutant, got, c.want)
		}
	}
}

// The sketch tells one from several, and several apart by about a third.
func TestDistinctNumbersAreCountedRoughly(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 4, 16, 40} {
		const tries = 200
		mean := 0.
		for range tries {
			var all mutant.Values
			for range n {
				all |= mutant.ValueOf(int64(rng.Uint64()))
			}
			mean += all.Distinct() / tries
		}
		if math.Abs(mean-float64(n)) > float64(n)/3 {
			t.Errorf("%d numbers are counted as %.1f on average", n, mean)
		}
	}
	steady := mutant.ChangeOf(4, 7) | mutant.ChangeOf(10, 13)
	if !steady.Steady() || (steady | mutant.ChangeOf(1, 3)).Steady() {
		t.Error("one difference and two are not told apart")
	}
	if least, known := (steady | mutant.ChangeOf(0, 1)).Least(); !known || least != 1 {
		t.Errorf("the least of 3 and 1 has the size %d", least)
	}
	if _, known := mutant.ChangeWay.Least(); known {
		t.Error("another way has a size")
	}
}
