package built

import (
	"context"
	"errors"
	"fmt"

	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
)

// ErrNoneChosen says that Options.Choose named no mutant: nothing was run.
var ErrNoneChosen = errors.New("no mutant was chosen to be run")

// Chosen are the mutants of a program that choose names, in its order.
func Chosen(ctx context.Context, p *program.Program, choose func(context.Context, *program.Program) ([]string, error)) ([]mutant.Mutant, error) {
	ids, err := choose(ctx, p)
	if err != nil {
		return nil, err
	}
	if len(ids) == 0 {
		return nil, ErrNoneChosen
	}
	known := map[string]mutant.Mutant{}
	for _, m := range p.Mutants() {
		known[m.ID] = m
	}
	out := make([]mutant.Mutant, len(ids))
	for i, id := range ids {
		m, ok := known[id]
		if !ok {
			return nil, fmt.Errorf("mutant %s was chosen and is none of %s", id, p.Name)
		}
		out[i] = m
	}
	return out, nil
}

// withCopies are some mutants, and behind each those that are its change in a test program.
func (r *recording) withCopies(p *program.Program, chosen []mutant.Mutant) []mutant.Mutant {
	copies := map[string]mutant.Mutant{}
	for _, u := range p.Units {
		if u.Copies() {
			for _, m := range u.Mutants {
				copies[m.ID] = m
			}
		}
	}
	if len(copies) == 0 {
		return chosen
	}
	of := r.changes(p)
	var out []mutant.Mutant
	for _, m := range chosen {
		out = append(out, m)
		for _, id := range of.members[of.first[m.ID]] {
			if one, is := copies[id]; is {
				out = append(out, one)
				delete(copies, id)
			}
		}
	}
	return out
}

// chosenIn is how many of a program's mutants were chosen.
func (r *recording) chosenIn(p *program.Program) int {
	own := map[string]bool{}
	for _, m := range p.Mutants() {
		own[m.ID] = true
	}
	count := 0
	for i := range r.chosen {
		if own[r.chosen[i].ID] {
			count++
		}
	}
	return count
}
