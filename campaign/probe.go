package campaign

import (
	"context"
	"fmt"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program/build"
)

// probe makes the probing runs: one run of the original a test, which finds the mutants
// that the test infects. base is what the meta-mutant does on the tests.
func (b *bench) probe(ctx context.Context, probing *build.Probing, tests []execute.Test, base *execute.Baseline) (*execute.ProbeResult, error) {
	p, err := execute.StartProbe(ctx, probing.Binary, tests, probing.Shape, b.execute)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return p.Run(ctx, base)
}

// probed are probing runs, of which a table is to be made.
type probed struct {
	mutants []mutant.Mutant
	tests   []execute.Test
	base    *execute.Baseline
	found   *execute.ProbeResult
	exits   AtExits
}

// unprobed counts the tests whose probing run means nothing.
func (p *probed) unprobed() int {
	n := 0
	for _, t := range p.found.Tests {
		if t.Unprobed != "" {
			n++
		}
	}
	return n
}

// table writes down how often the tests execute and infect the mutants, and what the
// values were like.
func (p *probed) table() (*table.Table, error) {
	t, err := table.New(dataset.ProbeSchema())
	if err != nil {
		return nil, fmt.Errorf("making the table of the probe: %w", err)
	}
	for i := range p.mutants {
		m := &p.mutants[i]
		for k, test := range p.tests {
			seen := &p.found.Tests[k]
			if seen.Unprobed != "" || !p.base.Tests[k].Reached.Has(m.Site.Ordinal) {
				continue
			}
			if err := t.Append(m.ID, test.Name, int64(seen.ReachCounts[m.Site.Ordinal]), int64(seen.InfectCounts[m.Selector]),
				int64(seen.Values[m.Site.Ordinal]), int64(seen.Changes[m.Selector]), int64(p.exits.Of(test.Name, m.Selector))); err != nil {
				return nil, fmt.Errorf("making the table of the probe: %w", err)
			}
		}
	}
	return t, nil
}
