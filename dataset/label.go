package dataset

import (
	"fmt"
	"math"
	"strings"
)

// Label is what a learner is to predict of a mutant.
type Label struct {
	Name, Doc string
	// Requires are the files of the run folder that the label rests on.
	Requires []string
	// Binary: targets are 0 or 1. Otherwise they are in [0, 1].
	Binary bool
	// Run returns the value of every mutant of the evidence.
	Run func(e *Evidence) []Value
}

// Value is a label's value for one mutant.
type Value struct {
	// Target is NaN where the evidence does not settle it: the mutant is not
	// an example of anything.
	Target float64
	// Weight is the example's weight; 1 unless the label says otherwise.
	Weight float64
}

// LookupLabel returns the label of that name.
func LookupLabel(name string) (Label, error) {
	var names []string
	for _, l := range Labels() {
		if l.Name == name {
			return l, nil
		}
		names = append(names, l.Name)
	}
	return Label{}, fmt.Errorf("label %q is not known; choose one of: %s", name, strings.Join(names, ", "))
}

// each builds a label's Run from the value of one mutant.
func each(value func(e *Evidence, mutant int) Value) func(*Evidence) []Value {
	return func(e *Evidence) []Value {
		out := make([]Value, len(e.Mutants))
		for i := range out {
			out[i] = value(e, i)
		}
		return out
	}
}

func yes() Value     { return Value{Target: 1, Weight: 1} }
func no() Value      { return Value{Target: 0, Weight: 1} }
func unknown() Value { return Value{Target: math.NaN(), Weight: 1} }
