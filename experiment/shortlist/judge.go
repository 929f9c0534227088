package shortlist

import "github.com/winnow-mutants/winnow/matrix"

// Minimal judges lists of mutants, given by their places, of which it is known which tests kill them, and of
// no fault: it says which share of the minimal mutants a test for each mutant of a list kills, drawn from
// those that kill it. It is NaN where nothing is killed.
func Minimal(kills []matrix.Bits, tests int) func(list []int) float64 {
	t, statement := newTruth(kills, matrix.NewBits(tests)), make([]int, len(kills))
	return func(list []int) float64 { return t.of(list, statement).minimal }
}

// Coupled are some first mutants of the order of the coupling oracle, which knows every kill and nothing of a fault.
func Coupled(kills []matrix.Bits, most int) []int {
	return coupled(kills, func(int) float64 { return 0 }, most)
}
