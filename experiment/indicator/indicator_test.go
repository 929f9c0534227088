package indicator

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/winnow-mutants/winnow/matrix"
)

// The worked example: four tests, five mutants, the fault revealed by test 0.
var (
	exampleReveals = matrix.BitsOf(4, 0)
	exampleKills   = []matrix.Bits{
		matrix.BitsOf(4, 0), matrix.BitsOf(4, 0, 1), matrix.BitsOf(4, 0), matrix.BitsOf(4, 2), matrix.BitsOf(4),
	}
	exampleInfects = []matrix.Bits{
		matrix.BitsOf(4, 0, 1), matrix.BitsOf(4, 0, 1), matrix.BitsOf(4, 0, 1, 2, 3), matrix.BitsOf(4, 2), matrix.BitsOf(4, 1),
	}
)

// where returns the mutants of the example that satisfy holds.
func where(holds func(m int) bool) (out []int) {
	for m := range exampleKills {
		if holds(m) {
			out = append(out, m)
		}
	}
	return out
}

func TestTheIndicatorsOfTheWorkedExample(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want []int
	}{
		{"killable", where(func(m int) bool { return Killable(exampleKills[m]) }), []int{0, 1, 2, 3}},
		{"FR-1.0", where(func(m int) bool { return FaultRevealing(exampleKills[m], exampleReveals, 100) }), []int{0, 2}},
		{"FR-0.9", where(func(m int) bool { return FaultRevealing(exampleKills[m], exampleReveals, 90) }), []int{0, 2}},
		{"FR-0.5", where(func(m int) bool { return FaultRevealing(exampleKills[m], exampleReveals, 50) }), []int{0, 1, 2}},
		{"subsuming", Subsuming(exampleKills), []int{0, 2, 3}},
		{"dominators", Dominators(exampleKills), []int{0, 3}},
		{"disjoint", Disjoint(exampleKills), []int{0, 3}},
		{"non-duplicated", NonDuplicated(exampleKills), []int{1, 3}},
		{"one per class", Representatives(exampleKills), []int{0, 1, 3}},
		{"HardP-0.25", where(func(m int) bool { return HardToPropagate(exampleKills[m], exampleInfects[m], 25) }), []int{2}},
		{"HardP-0.10", where(func(m int) bool { return HardToPropagate(exampleKills[m], exampleInfects[m], 10) }), nil},
		{"Hard-0.050", where(func(m int) bool { return Hard(exampleKills[m], 50) }), nil},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: mutants %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestOneOfTwentyTestsIsExactlyFivePercent(t *testing.T) {
	kill := matrix.BitsOf(20, 3)
	if !Hard(kill, 50) || Hard(kill, 25) || Hard(matrix.NewBits(20), 50) {
		t.Error("want Hard-0.050 and not Hard-0.025, and an unkilled mutant neither")
	}
}

func randomKills(rng *rand.Rand, mutants, tests int) []matrix.Bits {
	kills := make([]matrix.Bits, mutants)
	for m := range kills {
		kills[m] = matrix.NewBits(tests)
		for range rng.IntN(4) {
			kills[m].Set(rng.IntN(tests))
		}
	}
	return kills
}

// slowSubsuming is the definition, word for word, over sets as maps.
func slowSubsuming(kills []matrix.Bits) (out []int) {
	set := func(b matrix.Bits) map[int]bool {
		members := map[int]bool{}
		for i := range b.Len() {
			if b.Get(i) {
				members[i] = true
			}
		}
		return members
	}
	subset := func(a, b map[int]bool) bool {
		for i := range a {
			if !b[i] {
				return false
			}
		}
		return true
	}
	for m, kill := range kills {
		k := set(kill)
		subsumed := len(k) == 0
		for _, other := range kills {
			o := set(other)
			subsumed = subsumed || len(o) > 0 && len(o) < len(k) && subset(o, k)
		}
		if !subsumed {
			out = append(out, m)
		}
	}
	return out
}

func TestSubsumingSetsEqualTheDefinitionAndAreSufficient(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 3))
	for range 300 {
		kills := randomKills(rng, rng.IntN(14), 1+rng.IntN(8))
		if got, want := Subsuming(kills), slowSubsuming(kills); !slices.Equal(got, want) {
			t.Fatalf("%v: subsuming %v, by definition %v", kills, got, want)
		}
		for name, set := range map[string][]int{
			"subsuming": Subsuming(kills), "dominators": Dominators(kills), "disjoint": Disjoint(kills), "representatives": Representatives(kills),
		} {
			if !slices.IsSorted(set) {
				t.Fatalf("%s are not in order: %v", name, set)
			}
			if m := notImplied(kills, set); m >= 0 {
				t.Fatalf("%v: a suite that kills the %s %v need not kill mutant %d", kills, name, set, m)
			}
		}
	}
}

// notImplied returns a killable mutant that some suite leaves alive though it
// kills all of set, or -1. Among the suites that leave mutant m alive the
// largest one, all tests but m's, kills most.
func notImplied(kills []matrix.Bits, set []int) int {
	for m, kill := range kills {
		if kill.Empty() {
			continue
		}
		killsAll := true
		for _, s := range set {
			killsAll = killsAll && !kills[s].IsSubset(kill)
		}
		if killsAll {
			return m
		}
	}
	return -1
}

func TestDominatorsAreTheSmallestSufficientSet(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 3))
	for range 60 {
		kills := randomKills(rng, rng.IntN(9), 1+rng.IntN(6))
		dominators := Dominators(kills)
		for mask := range uint(1) << len(kills) {
			var set []int
			for m, kill := range kills {
				if mask>>m&1 == 1 && !kill.Empty() {
					set = append(set, m)
				}
			}
			if len(set) < len(dominators) && notImplied(kills, set) < 0 {
				t.Fatalf("%v: %v suffices and is smaller than the dominators %v", kills, set, dominators)
			}
		}
	}
}
