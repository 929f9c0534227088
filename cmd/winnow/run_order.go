package main

import (
	"context"

	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/rank"
)

// order ranks a program's mutants as winnow rank does, where only the first are to be run.
func (o *runOptions) order() (func(ctx context.Context, p *program.Program) ([]string, error), error) {
	if o.Top == (predict.Top{}) {
		return nil, nil
	}
	strategy, err := predict.Lookup(predict.Winnow.Name)
	if err != nil {
		return nil, err
	}
	model, err := modelFor(defaultModel, strategy)
	if err != nil {
		return nil, err
	}
	options := rank.Options{Model: model, Strategy: orderBy(model, strategy), Top: o.Top, Seed: o.Seed, Workers: o.Workers}
	return func(ctx context.Context, p *program.Program) ([]string, error) {
		ranking, err := rank.Order(ctx, rank.OfProgram(p, nil), options)
		if err != nil {
			return nil, err
		}
		var out []string
		for i := range ranking.Mutants {
			out = append(out, ranking.Mutants[i].ID)
		}
		return out, nil
	}, nil
}
