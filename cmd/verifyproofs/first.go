package main

import (
	"context"
	"fmt"
	"io"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/models"
	"github.com/winnow-mutants/winnow/models/released"
	"github.com/winnow-mutants/winnow/predict"
	"github.com/winnow-mutants/winnow/rank"
)

// first counts the mutants that no test kills among the first of a ranking, as it is and
// without those that are proved.
type first struct {
	model *models.Bundle
	lists int
	// all has the lists of all mutants, half of those that every second test lets live: how
	// many are listed and how many of them no test kills, as ranked and without the proved.
	all, half [2]listed
}

type listed struct{ mutants, unkillable int }

// firstModel ranks: it has not seen Codeflaws.
const firstModel = "projects"

func (f *first) add(ctx context.Context, r *dataset.Run, s *dataset.Subject, proved map[string]bool) error {
	if f.model == nil {
		var err error
		if f.model, err = released.Open(firstModel); err != nil {
			return err
		}
	}
	from, err := rank.OpenTables(r.Dir)
	if err != nil {
		return err
	}
	ranking, err := rank.Order(ctx, from, rank.Options{Model: f.model, Strategy: predict.Winnow, Seed: 1})
	if err != nil {
		return err
	}
	f.lists++
	dies, diesOfHalf := map[string]bool{}, map[string]bool{}
	for m, id := range s.Kills.Mutants() {
		for t := range s.Kills.Tests() {
			if s.Kills.Killed(m).Get(t) {
				dies[id] = true
				diesOfHalf[id] = diesOfHalf[id] || t%2 == 0
			}
		}
	}
	for _, one := range []struct {
		into    *[2]listed
		without map[string]bool
	}{{&f.all, nil}, {&f.half, diesOfHalf}} {
		for k, leave := range []map[string]bool{nil, proved} {
			n := 0
			for i := range ranking.Mutants {
				id := ranking.Mutants[i].ID
				if one.without[id] || leave[id] {
					continue
				}
				if n == predict.FirstScreen {
					break
				}
				n++
				one.into[k].mutants++
				if !dies[id] {
					one.into[k].unkillable++
				}
			}
		}
	}
	return nil
}

func (f *first) write(out io.Writer) {
	fmt.Fprintf(out, "\n| of the first %d of %d lists no test kills | as ranked | without the proved |\n|---|--:|--:|\n", predict.FirstScreen, f.lists)
	for _, row := range []struct {
		name string
		of   [2]listed
	}{{"all mutants", f.all}, {"what half of the tests let live", f.half}} {
		fmt.Fprintf(out, "| %s |", row.name)
		for _, l := range row.of {
			fmt.Fprintf(out, " %d of %d (%.1f %%) |", l.unkillable, l.mutants, 100*float64(l.unkillable)/float64(max(l.mutants, 1)))
		}
		fmt.Fprintln(out)
	}
}
