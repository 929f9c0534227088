package ci

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/rank"
	"github.com/winnow-mutants/winnow/report"
)

// chosen is what is looked at of a program.
type chosen struct {
	inScope int
	all     []string // ids, in the order in which to look at them
	run     []string // those of them without a known verdict
	keys    map[string]string
	ranking *report.Ranking
	table   *table.Table
	reading *program.Reading
}

// choose ranks the mutants in scope and takes the best, one a line before a second: those that
// the tests are likely to let live, and another test to kill.
func (c *check) choose(ctx context.Context, p *program.Program, infecting func() (map[string]int, error)) ([]string, error) {
	mutants := p.Mutants()
	out := &chosen{inScope: len(mutants), ranking: &report.Ranking{Strategy: c.opts.Rank.Strategy.Name}}
	folder := c.of.Folder
	if c.of.Build != nil {
		folder = c.source()
	}
	var err error
	if out.reading, err = p.Reading(folder); err != nil {
		return nil, err
	}
	if out.keys, err = c.keys(ctx, p); err != nil {
		return nil, err
	}
	if len(mutants) > 0 {
		opts := c.opts.Rank
		opts.Top, opts.Budget = predict.Top{}, 0
		opts.Infecting = func() (map[string]int, error) { return c.infecting(mutants, out.keys, infecting) }
		if out.ranking, err = rank.Order(ctx, rank.OfProgram(p, nil), opts); err != nil {
			return nil, err
		}
	}
	order := InTurns(out.ranking.Mutants)
	if c.opts.Only != nil {
		order = slices.DeleteFunc(order, func(m report.Ranked) bool { return !c.opts.Only[m.ID] })
	}
	for _, m := range order[:c.opts.Top.Of(len(order))] {
		out.all = append(out.all, m.ID)
	}
	if out.table, err = program.MutantTable(picked(mutants, out.all), folder, nil); err != nil {
		return nil, err
	}
	c.chosen = out
	out.run = c.store.unknown(out)
	c.opts.Say(fmt.Sprintf("%d mutants where they were asked for: the best %d, of which %d have a verdict from an earlier run", out.inScope, len(out.all), len(out.all)-len(out.run)))
	if c.opts.DryRun {
		return nil, nil
	}
	return out.run, nil
}

// casesOfCommand stands for the cases of tests that are commands, which are not known.
const casesOfCommand = 20

// infecting is how many tests infect each of the mutants, by their ids: what is kept of all of
// them, or what runs of the original say.
func (c *check) infecting(mutants []mutant.Mutant, keys map[string]string, ask func() (map[string]int, error)) (map[string]int, error) {
	out := make(map[string]int, len(mutants))
	if ask == nil {
		for i := range mutants {
			out[mutants[i].ID] = casesOfCommand
		}
		return out, nil
	}
	for i := range mutants {
		id := mutants[i].ID
		kept, ok := c.store.Infecting[id]
		if !ok || kept.Key != keys[id] {
			found, err := ask()
			if err == nil {
				c.store.infecting(found, keys)
			}
			return found, err
		}
		out[id] = kept.Tests
	}
	return out, nil
}

// InTurns orders ranked mutants so that each line has one before any has a second.
func InTurns(ranked []report.Ranked) []report.Ranked {
	type line struct {
		file string
		line int
	}
	count := map[line]int{}
	turn := make(map[string]int, len(ranked))
	for i := range ranked {
		at := line{ranked[i].File, ranked[i].Line}
		turn[ranked[i].ID] = count[at]
		count[at]++
	}
	out := slices.Clone(ranked)
	slices.SortStableFunc(out, func(a, b report.Ranked) int { return cmp.Compare(turn[a.ID], turn[b.ID]) })
	return out
}

// picked are the mutants with the ids, in their own order.
func picked(mutants []mutant.Mutant, ids []string) []mutant.Mutant {
	var out []mutant.Mutant
	for i := range mutants {
		if slices.Contains(ids, mutants[i].ID) {
			out = append(out, mutants[i])
		}
	}
	return out
}
