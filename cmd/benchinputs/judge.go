package main

import (
	"math/rand/v2"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
)

// judge knows what the tests kill that no list was made beside.
type judge struct {
	kills   *kill.Matrix
	reveals []int // places of tests
	draw    *rand.Rand
	at      map[string]int // places of mutants
}

// revealing are the places of those tests of a matrix that reveal the fault.
func revealing(s *dataset.Subject, among *kill.Matrix) (out []int) {
	reveals := s.Faults.Revealing()
	for t, name := range s.Kills.Tests() {
		if reveals.Get(t) {
			out = append(out, slices.Index(among.Tests(), name))
		}
	}
	return out
}

func (j *judge) place(id string) int {
	if j.at == nil {
		j.at = map[string]int{}
		for m, id := range j.kills.Mutants() {
			j.at[id] = m
		}
	}
	return j.at[id]
}

func (j *judge) killed(id string) bool { return j.kills.Verdict(j.place(id)) == matrix.Killed }

// worth is that of a list: a test is drawn from those that kill each mutant.
func (j *judge) worth(list []string) (w worth) {
	for k, n := range lengths {
		first := list[:min(n, len(list))]
		silent, dead := 1.0, 0
		for _, id := range first {
			killed := j.kills.Killed(j.place(id))
			if killed.Empty() {
				dead++
				continue
			}
			revealing := 0
			for _, t := range j.reveals {
				revealing += number(killed.Get(t))
			}
			silent *= 1 - float64(revealing)/float64(killed.Count())
		}
		w.revealed[k] = 1 - silent
		if len(first) > 0 {
			w.dead[k] = float64(dead) / float64(len(first))
		}
	}
	return w
}
