package shortlist

import (
	"math/rand/v2"

	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/matrix"
)

// Suite is the tests that there are when mutants are listed: none, or a share of those
// that do not reveal the fault.
type Suite struct {
	Name string
	// Part is 1 over the share; 0 is no test.
	Part int
}

// Suites are those that lists are made beside.
func Suites() []Suite { return []Suite{{"none", 0}, {"quarter", 4}, {"half", 2}} }

// split is one draw of tests: those of the suites, of which each is the first ones, and those
// that all lists are judged on.
type split struct {
	quiet  []int
	judges []int
}

func newSplit(s *subject.Subject, rng *rand.Rand) split {
	quiet := s.Others(s.Reveals)
	rng.Shuffle(len(quiet), func(i, j int) { quiet[i], quiet[j] = quiet[j], quiet[i] })
	return split{quiet, s.Others(matrix.BitsOf(s.Tests(), quiet[:len(quiet)/2]...))}
}

// of are the tests of a suite.
func (s *split) of(suite Suite) []int {
	if suite.Part == 0 {
		return nil
	}
	return s.quiet[:len(s.quiet)/suite.Part]
}

// live are the mutants that a tester reads beside some tests: those that none of them kills. One of which it is not known
// whether they do, or whether any test does, is none of them: a run would have told the tester, and the history
// does not tell us (dataset.Evidence: a kill that may rest on what C leaves undefined is not known).
func live(s *subject.Subject, tests []int) []int {
	var out []int
	for m, kills := range s.Kills {
		settled := s.Unknown == nil || !kills.Empty() || s.Unknown[m].Empty()
		for _, t := range tests {
			settled = settled && !kills.Get(t) && (s.Unknown == nil || !s.Unknown[m].Get(t))
		}
		if settled {
			out = append(out, m)
		}
	}
	return out
}

// at are the sets of all mutants among some tests.
func at(sets []matrix.Bits, tests []int) []matrix.Bits {
	out := make([]matrix.Bits, len(sets))
	for m, set := range sets {
		out[m] = set.At(tests)
	}
	return out
}
