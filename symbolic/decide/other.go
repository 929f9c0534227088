package decide

import (
	"context"

	"github.com/winnow-mutants/winnow/symbolic/smtlib"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Other asks a solver of somebody else's what the decider before it could not answer. That a
// condition never holds is believed of it; a model is computed first.
func Other(first Decider, solver *smtlib.Solver, name string) Decider {
	return &other{first, solver, name}
}

type other struct {
	first  Decider
	solver *smtlib.Solver
	name   string
}

func (d *other) Decide(ctx context.Context, condition *term.Term) (Result, error) {
	out, err := d.first.Decide(ctx, condition)
	if err != nil || out.Answer != Unknown {
		return out, err
	}
	answer, values, err := d.solver.Ask(ctx, condition)
	switch {
	case err != nil:
		return Result{}, err
	case answer == smtlib.Unsat:
		return Result{Answer: No, By: d.name}, nil
	case answer == smtlib.Sat:
		m := &model{values: values, functions: map[string]uint64{}}
		if term.Evaluate(m).Of(condition) == 1 && !m.broken {
			return Result{Answer: Yes, Model: m, By: d.name}, nil
		}
	}
	return Result{Answer: Unknown, By: d.name}, nil
}
