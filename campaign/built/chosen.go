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
