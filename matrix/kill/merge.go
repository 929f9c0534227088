package kill

import (
	"fmt"

	"github.com/winnow-mutants/winnow/matrix"
)

// Source is a matrix and the name of where it comes from, for error messages.
type Source struct {
	Name string
	*Matrix
}

// Merge returns the union of two matrices: the mutants and tests of a, then
// those only b has. Knowledge beats Unknown; where both know the same, the
// details are a's. A cell on which they contradict each other is an error that
// names both sources. A pair that neither has is Unknown.
func Merge(a, b Source) (*Matrix, error) {
	out, err := New(union(a.mutants, b.mutants), union(a.tests, b.tests))
	if err != nil {
		return nil, err
	}
	if err := out.fill(a, Source{}); err != nil {
		return nil, err
	}
	return out, out.fill(b, a)
}

func union(a, b []string) []string {
	seen := make(map[string]bool, len(a))
	out := append([]string(nil), a...)
	for _, name := range a {
		seen[name] = true
	}
	for _, name := range b {
		if !seen[name] {
			out = append(out, name)
		}
	}
	return out
}

func places(names []string) map[string]int {
	at := make(map[string]int, len(names))
	for i, name := range names {
		at[name] = i
	}
	return at
}

// fill puts what src knows into m, which holds what before knows.
func (m *Matrix) fill(src, before Source) error {
	mutantAt, testAt := places(m.mutants), places(m.tests)
	for i, id := range src.mutants {
		to := mutantAt[id]
		for j, test := range src.tests {
			if err := m.mergeCell(to, testAt[test], src.Matrix, i, j); err != nil {
				return fmt.Errorf("merge kill matrices: mutant %s, test %s: %s and %s disagree: %w", id, test, before.Name, src.Name, err)
			}
		}
	}
	return nil
}

// told orders the causes of a survival by how far the mutant is known to have
// come.
func told(c matrix.Cause) int {
	switch c {
	case matrix.NotReached:
		return 0
	case matrix.NotInfected:
		return 1
	}
	return 2
}

func (m *Matrix) mergeCell(mutant, test int, src *Matrix, i, j int) error {
	reached := m.rows[mutant].reached.Get(test) || src.rows[i].reached.Get(j)
	mine, theirs := m.Cell(mutant, test), src.Cell(i, j)
	if _, err := mine.Verdict.Merge(theirs.Verdict); err != nil {
		return err
	}
	best := mine
	if mine.Verdict == matrix.Unknown && (theirs.Verdict != matrix.Unknown || mine.Cause == matrix.NotRun) ||
		mine.Verdict == matrix.Survived && theirs.Verdict == matrix.Survived && told(theirs.Cause) > told(mine.Cause) {
		best = theirs
	}
	if err := m.Set(mutant, test, best); err != nil {
		return err
	}
	if reached {
		m.SetReached(mutant, test)
	}
	return nil
}
