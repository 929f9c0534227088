package program

import (
	"cmp"
	"slices"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/mutant"
)

// Proof is what is known of one mutant without running it.
type Proof struct {
	Mutant mutant.Mutant
	// Verdict is the kind; Of the id of the mutant that a duplicate equals.
	Verdict equiv.Kind
	Of      string
	// Evidence is the method that came to it, or the last that tried; Reason says in words
	// what it rests on.
	Evidence, Reason string
}

// Proofs are the verdicts on all mutants that were asked for, by file, line and column.
// Those that stay are told of as far as Mutation.Further was asked.
func (p *Program) Proofs() []Proof {
	var out []Proof
	for _, r := range p.Removed {
		out = append(out, Proof{r.Mutant, r.Kind, r.Of, r.Evidence, r.Reason})
	}
	for _, m := range p.Mutants() {
		v := p.Open[m.ID]
		out = append(out, Proof{m, v.Kind, "", v.Evidence, v.Reason})
	}
	slices.SortStableFunc(out, func(a, b Proof) int {
		x, y := &a.Mutant, &b.Mutant
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Line, y.Line), cmp.Compare(x.Column, y.Column), cmp.Compare(x.ID, y.ID))
	})
	return out
}
