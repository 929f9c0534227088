package program

import (
	"context"
	"errors"
	"time"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/ir/clang"
)

// Proving says what is to be proved of mutants that were compared before.
type Proving struct {
	// Mutation is what made the mutants, IDs are those to look at.
	Mutation Mutation
	IDs      map[string]bool
	// Stages are asked in turn, those that have not been: they end by themselves.
	Stages []equiv.Stage
	// Until is when nothing more is begun; zero is never.
	Until time.Time
}

// Prove asks stages about some of the program's mutants, and returns the verdicts on them: none
// where the time is up before they are made again. What the stages cost is added to the program's. The program is
// compiled again, since building its mutants rewrites it, but not compared again.
func (p *Program) Prove(ctx context.Context, tools *clang.Toolchain, how Proving) ([]Proof, error) {
	inputs := make([]Input, len(p.Units))
	for k, u := range p.Units {
		inputs[k] = u.Input
	}
	limited, done := equiv.Within(ctx, 0, how.Until)
	defer done()
	again, err := Load(limited, tools, inputs, LoadOptions{Workers: p.workers, Name: p.Name, Mutation: Mutation{Nothing: true}})
	if errors.Is(limited.Err(), context.DeadlineExceeded) && ctx.Err() == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	m, err := newMutating(ctx, again, Mutation{Rules: how.Mutation.Rules, Only: how.IDs, KeepUndefined: true})
	if err != nil {
		return nil, err
	}
	m.deep = true
	if err := m.compare(ctx, m.made(), how.Stages); err != nil {
		return nil, err
	}
	p.Stages = append(p.Stages, again.Stages...)
	for _, text := range again.Warnings {
		p.warn(text)
	}
	return again.Proofs(), nil
}
