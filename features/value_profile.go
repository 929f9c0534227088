package features

import (
	"math"

	"github.com/winnow-mutants/winnow/mutant"
)

// valueProfile is printed as "sights": released models and histories name it so.
var valueProfile = Family{
	Name: "sights",
	Doc: "What the values at the mutant's site were like on the tests, and what the mutant would have made of them, from a run of the original program " +
		"that computes both side by side: no mutant is run. Missing where the probe was recorded before values were noted, the columns of values where no test " +
		"executes the site or what it computes is an address, and those of changes where no test infects the mutant or it does otherwise than to compute another number.",
	Columns: []Column{
		{Name: "value_zero_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the tests that execute the site on which its value is 0 at least once"},
		{Name: "value_one_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the value 1"},
		{Name: "value_negative_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of negative values"},
		{Name: "value_classes", Unit: "classes", Source: "own", Beyond: Tests, Doc: "how many classes of values there are: 0, five sizes and beyond on either side, fractions"},
		{Name: "value_largest", Unit: "size", Source: "own", Beyond: Tests, Doc: "the largest absolute value: 1 for 1, 2 for 2 and 3, 3 to 15, 4 to 255, 5 to 65,535, 6 beyond; 0 for less than 1"},
		{Name: "value_distinct", Unit: "log2", Source: "own", Beyond: Tests, Doc: "about how many values there are, as log2(1 + x)"},
		{Name: "change_distinct", Unit: "log2", Source: "own", Beyond: Tests, Doc: "about how many differences the mutant makes, as log2(1 + x)"},
		{Name: "change_least", Unit: "size", Source: "own", Beyond: Tests, Doc: "the size of the smallest difference, as in value_largest"},
		{Name: "change_most", Unit: "size", Source: "own", Beyond: Tests, Doc: "the size of the largest"},
		{Name: "change_by_one_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the infecting tests on which every difference is 1"},
		{Name: "change_up_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the infecting tests on which the value becomes greater at least once"},
		{Name: "change_down_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of smaller"},
		{Name: "change_sign_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the original's or the mutant's value being negative, and the other not"},
		{Name: "change_zero_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of 0 and another value"},
		{Name: "change_parity_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of an odd and an even number"},
		{Name: "change_to_zero_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of the mutant's value being 0"},
		{Name: "change_to_one_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of 1"},
		{Name: "change_to_negative_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of a negative number"},
		{Name: "change_way_share", Unit: "share", Source: "own", Beyond: Tests, Doc: "the same of a branch that goes elsewhere"},
		{Name: "change_steadiness", Unit: "share", Source: "own", Beyond: Tests, Doc: "share of the infecting tests on which the mutant makes but one difference, as far as is remembered"},
	},
	FromTests: (*observed).fillValueProfile,
}

// fillValueProfile writes the columns of the family into each mutant's row.
func (o *observed) fillValueProfile(row func(m int) []float64) {
	for m := range o.places {
		r := row(m)
		for k := range r {
			r[k] = math.NaN()
		}
		fillValues(o.seen[m], r[:6])
		fillChanges(o.seen[m], r[6:])
	}
}

func fillValues(seen []Observation, r []float64) {
	var all mutant.Values
	tests, zero, one, negative := 0, 0, 0, 0
	for _, s := range seen {
		if s.Profile == nil || s.Profile.Values == 0 {
			continue
		}
		v := s.Profile.Values
		all |= v
		tests++
		zero += countIf(v&mutant.ValueZero != 0)
		one += countIf(v&mutant.ValueOne != 0)
		negative += countIf(v&mutant.ValueNegative != 0)
	}
	if tests == 0 {
		return
	}
	share := func(n int) float64 { return float64(n) / float64(tests) }
	r[0], r[1], r[2] = share(zero), share(one), share(negative)
	r[3], r[4], r[5] = float64(all.Classes()), float64(all.Largest()), math.Log2(1+all.Distinct())
}

// changesInOrder are those that columns count tests of, after change_by_one_share.
var changesInOrder = []mutant.Changes{mutant.ChangeUp, mutant.ChangeDown, mutant.ChangeSign, mutant.ChangeZero, mutant.ChangeParity,
	mutant.ChangeToZero, mutant.ChangeToOne, mutant.ChangeToNegative, mutant.ChangeWay}

func fillChanges(seen []Observation, r []float64) {
	var all mutant.Changes
	tests, byOne, steady := 0, 0, 0
	with := make([]int, len(changesInOrder))
	for _, s := range seen {
		if s.Profile == nil || s.Profile.Changes == 0 {
			continue
		}
		c := s.Profile.Changes
		all |= c
		tests++
		least, known := c.Least()
		most, _ := c.Most()
		byOne += countIf(known && least == 1 && most == 1)
		steady += countIf(known && c.Steady())
		for k, like := range changesInOrder {
			with[k] += countIf(c&like != 0)
		}
	}
	if tests == 0 {
		return
	}
	share := func(n int) float64 { return float64(n) / float64(tests) }
	if least, known := all.Least(); known {
		most, _ := all.Most()
		r[0], r[1], r[2] = math.Log2(1+all.Distinct()), float64(least), float64(most)
		r[3], r[len(r)-1] = share(byOne), share(steady)
	}
	for k, n := range with {
		r[4+k] = share(n)
	}
}

func countIf(holds bool) int {
	if holds {
		return 1
	}
	return 0
}
