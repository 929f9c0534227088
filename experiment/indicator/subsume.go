package indicator

import (
	"cmp"
	"slices"

	"github.com/winnow-mutants/winnow/matrix"
)

// Class is a set of mutants that no test tells apart.
type Class struct {
	// Kill is the killing set that all members share.
	Kill matrix.Bits
	// Members are positions, in increasing order.
	Members []int
}

// Classes groups the killable mutants by killing set, in the order of each
// class's first member.
func Classes(kills []matrix.Bits) []Class {
	number := map[string]int{}
	var classes []Class
	for i, kill := range kills {
		if kill.Empty() {
			continue
		}
		key := kill.Key()
		c, known := number[key]
		if !known {
			c = len(classes)
			number[key] = c
			classes = append(classes, Class{Kill: kill})
		}
		classes[c].Members = append(classes[c].Members, i)
	}
	return classes
}

// SubsumingClasses returns the classes that no other class subsumes, in the
// order of Classes.
func SubsumingClasses(kills []matrix.Bits) []Class {
	classes := Classes(kills)
	bySize := make([]int, len(classes))
	size := make([]int, len(classes))
	for i, c := range classes {
		bySize[i], size[i] = i, c.Kill.Count()
	}
	slices.SortStableFunc(bySize, func(a, b int) int { return cmp.Compare(size[a], size[b]) })

	// Whatever subsumes a class is itself subsumed by a subsuming class, so
	// only those, all of them smaller, have to be looked at.
	var found []int
	for _, c := range bySize {
		subsumed := slices.ContainsFunc(found, func(f int) bool { return classes[f].Kill.IsSubset(classes[c].Kill) })
		if !subsumed {
			found = append(found, c)
		}
	}
	slices.Sort(found)
	out := make([]Class, len(found))
	for i, c := range found {
		out[i] = classes[c]
	}
	return out
}

// Subsuming returns the mutants that are subsumed only by mutants no test
// tells them from.
func Subsuming(kills []matrix.Bits) []int {
	var out []int
	for _, c := range SubsumingClasses(kills) {
		out = append(out, c.Members...)
	}
	slices.Sort(out)
	return out
}

// Dominators returns one mutant, the first, of each subsuming class: a
// smallest set of mutants such that killing it kills all killable ones.
func Dominators(kills []matrix.Bits) []int {
	var out []int
	for _, c := range SubsumingClasses(kills) {
		out = append(out, c.Members[0])
	}
	return out
}

// NonDuplicated returns the killable mutants that some test tells from every
// other mutant.
func NonDuplicated(kills []matrix.Bits) []int {
	var out []int
	for _, c := range Classes(kills) {
		if len(c.Members) == 1 {
			out = append(out, c.Members[0])
		}
	}
	return out
}

// Representatives returns one mutant, the first, of each class.
func Representatives(kills []matrix.Bits) []int {
	var out []int
	for _, c := range Classes(kills) {
		out = append(out, c.Members[0])
	}
	return out
}
