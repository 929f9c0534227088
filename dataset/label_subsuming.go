package dataset

import (
	"cmp"
	"slices"

	"github.com/winnow-mutants/winnow/matrix"
)

// subsuming is the dissertation's indicator of section 5: killing such a mutant
// kills others as a side effect, and no other mutant's killing does as much for
// it, but for mutants killed by the very same tests.
var subsuming = Label{
	Name:     "subsuming",
	Doc:      "killed, and no other mutant is killed by fewer and only by the same tests",
	Requires: []string{KillsFile},
	Binary:   true,
	Run: func(e *Evidence) []Value {
		classes := killClasses(e)
		of := make([]Value, len(classes))
		for i, c := range classes {
			of[i] = c.value(classes)
		}
		out := make([]Value, len(e.Mutants))
		for i, c := range classes {
			for _, m := range c.mutants {
				out[m] = of[i]
			}
		}
		return out
	},
}

// killClass is the mutants of which exactly the same is known.
type killClass struct {
	killed, open matrix.Bits
	kills        int // members of killed
	mutants      []int
}

// killClasses returns the classes, those with the fewest known kills first.
func killClasses(e *Evidence) []*killClass {
	at := map[string]*killClass{}
	var classes []*killClass
	for m, killed := range e.Killed {
		key := killed.Key() + e.Unknown[m].Key()
		c, ok := at[key]
		if !ok {
			c = &killClass{killed: killed, open: e.Unknown[m], kills: killed.Count()}
			at[key] = c
			classes = append(classes, c)
		}
		c.mutants = append(c.mutants, m)
	}
	slices.SortStableFunc(classes, func(a, b *killClass) int { return cmp.Compare(a.kills, b.kills) })
	return classes
}

// value settles the label of a class whose own cells are all known; one with
// open cells is left unknown. It compares the class with every class that has fewer known kills; only
// they can be killed by a proper subset of its tests.
func (c *killClass) value(sorted []*killClass) Value {
	if !c.open.Empty() {
		return unknown()
	}
	if c.kills == 0 {
		return no()
	}
	settled := true
	for _, o := range sorted {
		if o.kills >= c.kills {
			break
		}
		if !o.killed.IsSubset(c.killed) {
			continue
		}
		inside, most := o.open.IsSubset(c.killed), o.kills+o.open.Count()
		switch {
		case o.kills > 0 && inside && most < c.kills:
			return no() // a proper subset whatever its open cells hold
		case o.kills > 0 || c.kills > 1 && o.open.Intersects(c.killed):
			settled = false // it may be, depending on them
		}
	}
	if !settled {
		return unknown()
	}
	return yes()
}
