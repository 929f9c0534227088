package dataset

import "math"

// latePicks is how many tests a tester is taken to have picked.
const latePicks = 3

// leastLate keeps a mutant that every early test kills an example, if a faint one.
const leastLate = 1e-3

// lateKillable is killable as it matters to somebody who has begun: mutants that
// die early are passed over at no cost, so what has to be told apart are those
// still alive, survivors and mutants that are hard to kill. An example weighs the
// probability that the mutant is alive after a few tests that did not reveal the
// fault, each picked for a random killable mutant from the tests that kill it.
var lateKillable = Label{
	Name:     "late-killable",
	Doc:      "as killable, weighted by the probability that the mutant is still alive after three tests picked for random mutants",
	Requires: []string{KillsFile},
	Binary:   true,
	Run: func(e *Evidence) []Value {
		values := killable.Run(e)
		pick := earlyPicks(e)
		for m := range values {
			hit := 0.0
			for test := range e.Killed[m].All() {
				hit += pick[test]
			}
			values[m].Weight = max(math.Pow(max(1-hit, 0), latePicks), leastLate)
		}
		return values
	},
}

// earlyPicks is the probability of each test to be picked for a random killable
// mutant and not to reveal the fault; all 0 where every such test does.
func earlyPicks(e *Evidence) []float64 {
	pick, total := make([]float64, len(e.Tests)), 0.0
	for _, killed := range e.Killed {
		share := 1 / float64(max(killed.Count(), 1))
		for test := range killed.All() {
			if !e.faultKnown() || !e.Reveals.Get(test) {
				pick[test] += share
				total += share
			}
		}
	}
	if total > 0 {
		for test := range pick {
			pick[test] /= total
		}
	}
	return pick
}

// revelation is what analysing a mutant is worth: the probability that a test
// picked from those that kill it reveals the fault.
var revelation = Label{
	Name:     "revelation",
	Doc:      "as ratio, and 0 for mutants that no test kills",
	Requires: []string{KillsFile, FaultsFile},
	Run: each(func(e *Evidence, m int) Value {
		if e.Killed[m].Empty() && e.Unknown[m].Empty() && e.faultKnown() {
			return no()
		}
		return ratio.Run(e.only(m))[0]
	}),
}

// only is the evidence on one mutant.
func (e *Evidence) only(m int) *Evidence {
	one := *e
	one.Mutants, one.Killed, one.Unknown = e.Mutants[m:m+1], e.Killed[m:m+1], e.Unknown[m:m+1]
	if e.Told != nil {
		one.Told = e.Told[m : m+1]
	}
	return &one
}
