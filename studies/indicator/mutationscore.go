package indicator

import (
	"math"

	"github.com/winnow-mutants/winnow/matrix"
)

// MutationScore is the share of the killable mutants that suite, a set of
// tests of the pool, kills (DeMillo, Lipton and Sayward, "Hints on test data
// selection", Computer 11 (1978), with "killable by the pool" in place of "not
// equivalent"). NaN when nothing is killable: no score, rather than 0 or 1.
func MutationScore(kills []matrix.Bits, suite matrix.Bits) float64 {
	killed, killable := 0, 0
	for _, kill := range kills {
		if kill.Empty() {
			continue
		}
		killable++
		if kill.Intersects(suite) {
			killed++
		}
	}
	return share(killed, killable)
}

// SubsumingMutationScore is the share of the subsuming classes that suite
// kills. Easily killed mutants and duplicates cannot inflate it (Papadakis,
// Henard, Harman, Jia and Le Traon, "Threats to the validity of mutation-based
// test assessment", ISSTA 2016). NaN when nothing is killable.
func SubsumingMutationScore(kills []matrix.Bits, suite matrix.Bits) float64 {
	classes := SubsumingClasses(kills)
	killed := 0
	for _, c := range classes {
		if c.Kill.Intersects(suite) {
			killed++
		}
	}
	return share(killed, len(classes))
}

func share(part, whole int) float64 {
	if whole == 0 {
		return math.NaN()
	}
	return float64(part) / float64(whole)
}
