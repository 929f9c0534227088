package models

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/winnow-mutants/winnow/models/tree"
)

// programs are as those of one kind are: much of a program's level is its own.
func programs(rng *rand.Rand, n int, shift float64) []Program {
	var out []Program
	for i := range n {
		level, mutants := rng.NormFloat64()+shift, 50+rng.IntN(200)
		columns := map[string][]float64{}
		for range mutants {
			columns["level"] = append(columns["level"], level)
			columns["mutant"] = append(columns["mutant"], level+rng.NormFloat64())
		}
		out = append(out, Program{Group: fmt.Sprint(i / 2), Mutants: mutants, Column: func(name string) []float64 { return columns[name] }})
	}
	return out
}

// reading is a bundle that reads two columns and has been trained on programs.
func reading(known []Program) *Bundle {
	e := &tree.Ensemble{Objective: tree.Binary, Features: []tree.Feature{{Name: "level"}, {Name: "mutant"}}}
	for _, n := range []tree.Node{{Feature: 0, Gain: 1}, {Feature: 1, Gain: 2}} {
		n.Left, n.Right = tree.LeafChild(0), tree.LeafChild(1)
		e.Trees = append(e.Trees, tree.Tree{Nodes: []tree.Node{n}, Leaves: make([]tree.Leaf, 2), Shrinkage: 1})
	}
	b := &Bundle{Fault: e, Kill: e}
	b.Describe(30, func(name string) []float64 {
		var all []float64
		for _, p := range known {
			all = append(all, p.Column(name)...)
		}
		return all
	})
	b.Acquaint(known)
	return b
}

func TestProgramsOfTheSameKindAreFamiliarAsOftenAsTheCardSaysAndOthersAreNot(t *testing.T) {
	rng := rand.New(rand.NewPCG(73, 1))
	b := reading(programs(rng, 300, 0))
	f := b.Card.Familiar
	if f == nil || f.Programs != 300 || f.FalseAlarms < 0.04 || f.FalseAlarms > 0.05 {
		t.Fatalf("%+v", f)
	}
	foreign := func(of []Program) (share float64) {
		for _, p := range of {
			if b.Unlike(p).Foreign() {
				share += 1 / float64(len(of))
			}
		}
		return share
	}
	if got := foreign(programs(rng, 1000, 0)); got < 0.02 || got > 0.09 {
		t.Errorf("%.3f of new programs of the kind are taken for foreign, the card says %.3f", got, f.FalseAlarms)
	}
	if got := foreign(programs(rng, 200, 5)); got < 0.99 {
		t.Errorf("only %.3f of programs of another kind are noticed", got)
	}
	if text := b.Card.Markdown(); !strings.Contains(text, "Of 300 of these programs") {
		t.Errorf("the card does not name the rate:\n%s", text)
	}
}

// Edges apart, the limit is what comes out when each program is left out with its
// group and the rest is described anew.
func TestTheDistancesOfALimitAreThoseFromTheOtherGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(74, 1))
	known := programs(rng, 15, 0) // at most one in twenty: none
	b := reading(known)
	largest := 0.0
	for p := range known {
		rest := &Bundle{Card: Card{Familiar: &Familiar{}}}
		for _, d := range b.Card.Distributions {
			var values []float64
			for _, other := range known {
				if other.Group != known[p].Group {
					values = append(values, other.Column(d.Name)...)
				}
			}
			d.Shares = d.spread(values)
			rest.Card.Distributions = append(rest.Card.Distributions, d)
		}
		largest = max(largest, rest.Unlike(known[p]).Distance)
	}
	if got := b.Card.Familiar.Limit; got < largest-1e-12 || got > largest+1e-12 || b.Card.Familiar.FalseAlarms != 0 {
		t.Errorf("limit %v, the furthest program is %v away", got, largest)
	}
}

func TestFewMutantsAndCardsWithoutALimitGiveNoVerdict(t *testing.T) {
	known := programs(rand.New(rand.NewPCG(75, 1)), 20, 0)
	b := reading(known)
	few := known[0]
	few.Mutants = FewMutants - 1
	if got := b.Unlike(few); got != nil || got.Foreign() {
		t.Errorf("few mutants: %+v", got)
	}
	b.Acquaint(known[:2]) // of one group: nothing to hold it against
	if b.Card.Familiar != nil || b.Unlike(known[0]) != nil {
		t.Errorf("one group: %+v", b.Card.Familiar)
	}
}
