package main

import (
	"context"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/rank"
)

// order ranks a program's mutants as winnow rank does: those of --top, or all where there is a
// budget; nil where neither is given.
func (o *runOptions) order() (campaign.Choice, error) {
	if o.Top == (predict.Top{}) && o.Budget == 0 {
		return nil, nil
	}
	strategy, err := predict.Lookup(predict.Winnow.Name)
	if err != nil {
		return nil, err
	}
	folder, err := o.oneModel()
	if err != nil {
		return nil, err
	}
	model, err := modelFor("", folder, strategy)
	if err != nil {
		return nil, err
	}
	ranked := rank.Options{Model: model, Strategy: orderBy(model, strategy), Top: o.Top, Seed: o.Seed, Workers: o.Workers}
	return func(ctx context.Context, p *program.Program, infecting func() (map[string]int, error)) ([]string, error) {
		options := ranked
		options.Infecting = infecting
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

// oneModel is the project whose model orders the mutants of all.
func (o *runOptions) oneModel() (folder string, err error) {
	first, err := chosenModel("", o.Projects[0])
	if err != nil {
		return "", err
	}
	for _, other := range o.Projects[1:] {
		if name, err := chosenModel("", other); err != nil {
			return "", err
		} else if name != first {
			return "", exit.Usagef("%s ranks by %s, %s by %s (winnow models use): run them one after the other", o.Projects[0], first, other, name)
		}
	}
	return o.Projects[0], nil
}

// grows says that as many mutants are made as the budget has time for: not where they
// are named or counted otherwise.
func (o *runOptions) grows() bool {
	return o.Budget > 0 && o.Only == "" && o.Shard == "" && o.Top == (predict.Top{})
}

// What is made where a budget is to last for a share of all or for the first of them, which
// depend on how many there are.
const (
	leastMost  = 300
	mostSecond = 20
)

// most is how many mutants are made at most: all, where some are named.
func (o *runOptions) most() int {
	switch {
	case o.Only != "":
		return 0
	case o.Budget > 0 && !o.MostGiven && !o.grows():
		return o.affordable()
	}
	return o.Most
}

// affordable is how many of them there may be time to make and run.
func (o *runOptions) affordable() int {
	return min(o.Most, max(leastMost, int(o.Budget.Seconds()*mostSecond)))
}
