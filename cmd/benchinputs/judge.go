package main

import (
	"math/rand/v2"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/shortlist"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
)

// judge knows what the tests kill that no list was made beside.
type judge struct {
	kills *kill.Matrix
	// found is what a list finds: the chance that it reveals the fault, or the share of the minimal mutants
	// that are killed with it, where no fault is known.
	found func(places []int) float64
	draw  *rand.Rand
	at    map[string]int // places of mutants
}

// newJudge judges by the tests that are not in a suite.
func newJudge(s *dataset.Subject, suite map[string]bool, draw *rand.Rand) *judge {
	j := &judge{kills: s.Kills.OnTests(func(test string) bool { return !suite[test] }), draw: draw, at: map[string]int{}}
	for m, id := range j.kills.Mutants() {
		j.at[id] = m
	}
	if s.Faults == nil {
		j.found = shortlist.Minimal(j.killed(), len(j.kills.Tests()))
		return j
	}
	reveals := map[string]bool{}
	for t, name := range s.Kills.Tests() {
		reveals[name] = s.Faults.Revealing().Get(t)
	}
	j.found = func(places []int) float64 { return j.reveals(places, reveals) }
	return j
}

// killed are the tests that kill each mutant.
func (j *judge) killed() []matrix.Bits {
	out := make([]matrix.Bits, len(j.kills.Mutants()))
	for m := range out {
		out[m] = j.kills.Killed(m)
	}
	return out
}

// reveals is the chance that a test drawn from those that kill each mutant reveals the fault.
func (j *judge) reveals(places []int, tests map[string]bool) float64 {
	silent := 1.0
	for _, m := range places {
		killed := j.kills.Killed(m)
		if killed.Empty() {
			continue
		}
		revealing := 0
		for t, name := range j.kills.Tests() {
			revealing += number(tests[name] && killed.Get(t))
		}
		silent *= 1 - float64(revealing)/float64(killed.Count())
	}
	return 1 - silent
}

func (j *judge) kill(id string) bool { return j.kills.Verdict(j.at[id]) == matrix.Killed }

// worth is that of a list.
func (j *judge) worth(list []string) (w worth) {
	for k, n := range lengths {
		first := list[:min(n, len(list))]
		dead := 0
		var places []int
		for _, id := range first {
			places = append(places, j.at[id])
			dead += number(j.kills.Killed(j.at[id]).Empty())
		}
		w.found[k] = j.found(places)
		if len(first) > 0 {
			w.dead[k] = float64(dead) / float64(len(first))
		}
	}
	return w
}
