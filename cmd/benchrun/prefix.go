package main

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/execute"
)

// prefix adds up the work of runs, and how much of it is done before the mutant is
// first executed: what checkpoints would save at most, were they for nothing.
type prefix struct {
	runs, work, before       float64 // of the runs that ended by themselves
	limited, beyond, shorter float64 // the same of those that a limit ended
}

// add counts the pairs of a result that were run.
func (p *prefix) add(ctx context.Context, e *execute.Engine, base *execute.Baseline, r *execute.Result, parts int) error {
	for test := range base.Tests {
		before, err := e.Prefixes(ctx, base, test, parts)
		if err != nil {
			return err
		}
		for m, mutant := range r.Mutants {
			if !r.Reached[m].Has(test) {
				continue
			}
			work := base.Tests[test].Work
			cell, ok := r.Cell(m, test)
			switch {
			case ok && cell.Work < 0: // stopped, or ended by the clock: its work is not known
			case ok && cell.Cause.Limit():
				p.limited++
				p.beyond += float64(cell.Work)
				p.shorter += float64(min(before[mutant.Site], cell.Work))
			default:
				if ok {
					work = cell.Work
				}
				p.runs++
				p.work += float64(work)
				p.before += float64(min(before[mutant.Site], work))
			}
		}
	}
	return nil
}

func (p prefix) String() string {
	return fmt.Sprintf("before the mutant is executed: %.1f %% of the work of %.0f runs that end by themselves, "+
		"%.2f %% of that of %.0f runs that a limit ends, %.1f %% of all",
		share(p.before, p.work), p.runs, share(p.shorter, p.beyond), p.limited, share(p.before+p.shorter, p.work+p.beyond))
}

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * part / whole
}
