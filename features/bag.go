package features

import (
	"fmt"

	"github.com/winnow-mutants/winnow/mutant"
)

// matchers and replacers give the halves of mutant types their columns in a
// bag: matchers first.
var (
	matchers  = mutant.Matchers()
	replacers = mutant.Replacers()
	columnOf  = func() map[string]int {
		columns := map[string]int{}
		for i, m := range matchers {
			columns["matcher "+m] = i
		}
		for i, r := range replacers {
			columns["replacer "+r] = len(matchers) + i
		}
		return columns
	}()
)

// halvesOf returns the bag columns of a mutant's type.
func halvesOf(m *mutant.Mutant) []int {
	var out []int
	for _, key := range []string{"matcher " + m.Matcher, "replacer " + m.Replacer} {
		if column, ok := columnOf[key]; ok {
			out = append(out, column)
		}
	}
	return out
}

// tally is a number of mutants, and after it the bag of their types' halves.
type tally []float64

func newTally() tally { return make(tally, 1+len(matchers)+len(replacers)) }

// add counts the mutants of sites of a function.
func (t tally) add(f *function, sites []int) {
	for _, k := range sites {
		s := f.sites[k]
		t[0] += float64(len(s.mutants))
		for _, h := range s.halves {
			t[1+h.column] += h.count
		}
	}
}

// bagColumns describes the bag of types of the mutants that what names, in
// columns that start with prefix.
func bagColumns(prefix, what, source string) []Column {
	var out []Column
	for _, m := range matchers {
		out = append(out, Column{Name: prefix + "_matcher_" + m, Unit: "mutants", Source: source,
			Doc: fmt.Sprintf("mutants %s that match the fragment: %s", what, m)})
	}
	for _, r := range replacers {
		out = append(out, Column{Name: prefix + "_replacer_" + r, Unit: "mutants", Source: source,
			Doc: fmt.Sprintf("mutants %s that put in the fragment: %s", what, r)})
	}
	return out
}

// tallyColumns describes a tally.
func tallyColumns(prefix, what, numberSource, bagSource string) []Column {
	number := Column{Name: prefix, Unit: "mutants", Source: numberSource, Doc: "mutants " + what}
	return append([]Column{number}, bagColumns(prefix, what, bagSource)...)
}
