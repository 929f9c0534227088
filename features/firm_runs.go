package features

import (
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/ir"
	"github.com/winnow-mutants/winnow/mutant"
)

// mostFollowed are the instructions of a test that CompareAtExits follows.
const mostFollowed = 16 << 10

// CompareAtExits follows a module's main on inputs, those of tests, and tells of each mutant
// what becomes of it on each input until the function is left in which it first makes a
// difference: by input and mutant, 0 where nothing is known; nil for an input of which
// nothing is. The program is interpreted (analysis/concrete), and what it prints is not
// looked at. Nothing is known of a module without main, and of inputs beyond 16,384
// instructions.
func CompareAtExits(m *ir.Module, mutants []mutant.Mutant, given [][]byte) ([][]mutant.Leaving, error) {
	out := make([][]mutant.Leaving, len(given))
	p, err := survey(m, mutants, inputs{})
	if err != nil {
		return nil, fmt.Errorf("follow mutants: %w", err)
	}
	if p.main == nil {
		return out, nil
	}
	root := concrete.Root(p.main, &p.lowered)
	numbers := make([]int, len(mutants))
	for i := range numbers {
		numbers[i] = i
	}
	var walker concrete.Walker
	for some := range slices.Chunk(numbers, mostTogether) {
		var changes []*concrete.Change
		var of []int
		for _, i := range some {
			if c := p.changeFrom(root, i); c != nil {
				changes, of = append(changes, c), append(of, i)
			}
		}
		set := concrete.NewChanges(changes)
		for k := range given {
			root.WalkToExits(&walker, &concrete.Given{Text: given[k]}, set, mostFollowed, func(n int, how concrete.Leaving) {
				if out[k] == nil {
					out[k] = make([]mutant.Leaving, len(mutants))
				}
				out[k][of[n]] = atExitBits(how)
			})
		}
	}
	return out, nil
}

// changeFrom is what a mutant changes in the code that main calls; nil for nothing.
func (p *program) changeFrom(root *concrete.Code, i int) *concrete.Change {
	s := p.siteOf[i]
	own := root.Callee(s.fn.code.Func)
	if own == nil {
		return nil
	}
	c := newEdit(&p.mutants[i])
	w, ok := s.fn.windowOf(s, c)
	if !ok {
		return nil
	}
	return s.changeOf(own, c, w)
}

func atExitBits(how concrete.Leaving) mutant.Leaving {
	if !how.Known {
		return 0
	}
	l := mutant.LeavingKnown.With(how.Cells, how.Locals)
	for _, like := range []struct {
		so  bool
		bit mutant.Leaving
	}{{how.Trapped, mutant.LeavingTrapped}, {how.Stays, mutant.LeavingStays}, {how.Returned, mutant.LeavingReturned}} {
		if like.so {
			l |= like.bit
		}
	}
	return l
}
