package campaign

import (
	"context"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/mutant"
)

// looked is what is known of the original before any mutant is run.
type looked struct {
	made *executables
	base *baseline
	// found are the probing runs on the tests in use; nil where they are not wanted.
	found *execute.ProbeResult
}

// look builds a program and runs the original on the tests.
func (r *recording) look(ctx context.Context, m *mutated, s *suite) (*looked, error) {
	done := r.during("building them, and running the tests on the original")
	defer done()
	made, err := r.build(ctx, m, s.tests)
	if err != nil {
		return nil, err
	}
	at := &looked{made: made}
	start := time.Now()
	if at.base, err = r.baseline(ctx, made.meta, s); err != nil {
		made.remove()
		return nil, err
	}
	r.done("baseline", start)
	if at.found, err = r.infections(ctx, made, at.base); err != nil {
		made.remove()
		return nil, err
	}
	return at, nil
}

// infections makes the probing runs on the tests in use, nil where they are not wanted.
func (r *recording) infections(ctx context.Context, made *executables, base *baseline) (*execute.ProbeResult, error) {
	if made.probing == nil {
		return nil, nil
	}
	start := time.Now()
	found, err := r.probe(ctx, made.probing, base.tests, base.original)
	if err == nil {
		r.done("probe", start)
	}
	return found, err
}

// of are the probing runs, of some mutants; nil where there were none.
func (l *looked) of(mutants []mutant.Mutant) *probed {
	if l.found == nil {
		return nil
	}
	return &probed{mutants, l.base.tests, l.base.original, l.found, l.made.exits}
}

// infecting is how many tests infect each of some mutants, by their ids.
func (l *looked) infecting(mutants []mutant.Mutant) map[string]int {
	out := make(map[string]int, len(mutants))
	for i := range mutants {
		m := &mutants[i]
		of := execute.Mutant{Selector: m.Selector, Site: m.Site.Ordinal}
		for t := range l.base.tests {
			if l.base.original.Tests[t].Reached.Has(of.Site) && (l.found == nil || l.found.Tests[t].Infects(of)) {
				out[m.ID]++
			}
		}
	}
	return out
}
