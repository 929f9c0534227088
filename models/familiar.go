package models

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Familiar says how far the programs that a model learned from are from each
// other, so that one that is further away can be told.
//
// The distance of a program from others is the mean, over the columns of the card
// and weighted by their importance, of the Kolmogorov-Smirnov distance between
// its mutants' values and those of the others: from 0, the same, to 1. The
// programs of one kind differ, each from all others, since much that features
// tell is the same for all mutants of a function; so the usual limits for whole
// populations (MuchDrift) would take every program for foreign.
type Familiar struct {
	// Limit is the distance above which a program counts as unlike them.
	Limit float64 `json:"limit"`
	// FalseAlarms is the share of Programs that are above it, each held against the
	// programs of other groups.
	FalseAlarms float64 `json:"false_alarms"`
	Programs    int     `json:"programs"`
}

// falseAlarms is the share of familiar programs that Acquaint lets be above the
// limit.
const falseAlarms = 0.05

// FewMutants is the number of mutants below which the distance of a program says
// more about chance than about the program.
const FewMutants = 50

func (f *Familiar) validate() error {
	if f == nil || f.Limit >= 0 && f.Limit <= 1 && f.FalseAlarms >= 0 && f.FalseAlarms <= 1 && f.Programs > 0 {
		return nil
	}
	return fmt.Errorf("limit %v, false alarms %v of %d programs: want shares of some programs", f.Limit, f.FalseAlarms, f.Programs)
}

// Program is what a model may be asked to score: the mutants of one program.
type Program struct {
	// Group is what the program has in common with others, such as the problem
	// that it solves.
	Group   string
	Mutants int
	// Column returns the values of a column, one a mutant, nil when there are none.
	Column func(name string) []float64
}

// NewProgram is a program whose columns are known by their place among the named ones.
func NewProgram(group string, columns []string, mutants int, column func(at int) []float64) Program {
	return Program{Group: group, Mutants: mutants, Column: func(name string) []float64 {
		at := slices.Index(columns, name)
		if at < 0 {
			return nil
		}
		return column(at)
	}}
}

// Acquaint sets Card.Familiar from the programs that b learned from, after
// Describe. Each is held against those of other groups, as a program that is new
// to the model will be; the limit is such that one in twenty is above it. Programs
// of FewMutants do not count, and without any other Card.Familiar stays nil.
func (b *Bundle) Acquaint(programs []Program) {
	b.Card.Familiar = nil
	distances := make([]float64, 0, len(programs))
	sums, importance := make([]float64, len(programs)), 0.0
	for i := range b.Card.Distributions {
		d := &b.Card.Distributions[i]
		counts, all, groups := make([][]float64, len(programs)), make([]float64, len(d.Shares)), map[string][]float64{}
		for p := range programs {
			counts[p] = d.count(programs[p].Column(d.Name))
			group := groups[programs[p].Group]
			if group == nil {
				group = make([]float64, len(d.Shares))
				groups[programs[p].Group] = group
			}
			for bin, n := range counts[p] {
				all[bin] += n
				group[bin] += n
			}
		}
		if len(groups) < 2 {
			return
		}
		importance += d.Importance
		others := make([]float64, len(all))
		for p := range programs {
			for bin, n := range groups[programs[p].Group] {
				others[bin] = all[bin] - n
			}
			sums[p] += d.Importance * d.drift(shares(others), shares(counts[p])).KS
		}
	}
	for p := range programs {
		if programs[p].Mutants >= FewMutants && importance > 0 {
			distances = append(distances, sums[p]/importance)
		}
	}
	if len(distances) == 0 {
		return
	}
	slices.Sort(distances)
	n := len(distances)
	limit := distances[n-1-int(falseAlarms*float64(n))]
	above := 0
	for _, x := range distances {
		if x > limit {
			above++
		}
	}
	b.Card.Familiar = &Familiar{Limit: limit, FalseAlarms: float64(above) / float64(n), Programs: n}
}

// Unlike is how far a program is from those that a model learned from.
type Unlike struct {
	Distance float64 `json:"distance"`
	Familiar
	// Columns are the drifts in the columns of the card, those first that make most
	// of the distance.
	Columns []Drift `json:"columns"`
}

// Foreign says whether the program is further away than the limit.
func (u *Unlike) Foreign() bool { return u != nil && u.Distance > u.Limit }

// mostColumns is how many columns are named of those that a program differs in.
const mostColumns = 3

// Most names the columns that make most of the distance, three at most.
func (u *Unlike) Most() []string {
	var out []string
	for _, d := range u.Columns[:min(mostColumns, len(u.Columns))] {
		out = append(out, d.Name)
	}
	return out
}

// Unlike compares a program with those that b learned from. It is nil when the
// card does not say how far those are from each other, or when the program has
// fewer than FewMutants.
func (b *Bundle) Unlike(p Program) *Unlike {
	if b.Card.Familiar == nil || p.Mutants < FewMutants {
		return nil
	}
	out := &Unlike{Familiar: *b.Card.Familiar, Columns: b.Drifts(p.Column)}
	importance := 0.0
	for _, d := range out.Columns {
		out.Distance += d.Importance * d.KS
		importance += d.Importance
	}
	out.Distance /= importance
	if math.IsNaN(out.Distance) {
		return nil
	}
	slices.SortStableFunc(out.Columns, func(a, b Drift) int { return cmp.Compare(b.Importance*b.KS, a.Importance*a.KS) })
	return out
}
