package decide

import (
	"context"

	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Known evaluates the condition in the states in which the conditions before it held: what
// tells one mutant of a statement from the original often tells the next.
func Known(next Decider) Decider { return &known{next: next} }

type known struct {
	next   Decider
	models []*model // the one that was of use last comes first
}

// mostKnown is how many states are kept.
const mostKnown = 32

func (d *known) Decide(ctx context.Context, condition *term.Term) (Result, error) {
	for k, m := range d.models {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		if m = m.again(); term.Evaluate(m).Of(condition) == 1 && !m.broken {
			copy(d.models[1:k+1], d.models[:k])
			d.models[0] = m
			return Result{Answer: Yes, Model: m, By: "known states"}, nil
		}
	}
	out, err := d.next.Decide(ctx, condition)
	if m, ok := out.Model.(*model); ok {
		if len(d.models) == mostKnown {
			d.models = d.models[:mostKnown-1]
		}
		d.models = append([]*model{m}, d.models...)
	}
	return out, err
}

// again is the model for another condition: functions that it does not name are not yet
// defined.
func (m *model) again() *model {
	return &model{values: m.values, functions: map[string]uint64{}}
}
