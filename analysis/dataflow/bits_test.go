package dataflow

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestTransposingAgreesWithAskingForEveryBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for range 50 {
		rows, n := rng.IntN(200), rng.IntN(200)
		sets := newSets(rows, n)
		for range rows * n / 3 {
			sets[rng.IntN(rows)].add(rng.IntN(n))
		}
		columns := transpose(sets, n)
		for r := range rows {
			for c := range n {
				if sets[r].has(c) != columns[c].has(r) {
					t.Fatalf("%d by %d: bit %d, %d is %v, transposed %v", rows, n, r, c, sets[r].has(c), columns[c].has(r))
				}
			}
		}
	}
}

func TestASetYieldsItsMembersInOrder(t *testing.T) {
	set := make(bitset, words(200))
	want := []int{0, 63, 64, 127, 199}
	for _, i := range want {
		set.add(i)
	}
	if got := slices.Collect(set.each); !slices.Equal(got, want) {
		t.Errorf("members %v, want %v", got, want)
	}
}
