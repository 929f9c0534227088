package campaign

import (
	"context"
	"fmt"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// probe makes the probing runs on the tests in use.
func (r *recorder) probe(ctx context.Context, base *execute.Baseline) (*execute.ProbeResult, error) {
	if r.probing == nil {
		return nil, nil
	}
	start := time.Now()
	p, err := execute.StartProbe(ctx, r.probing.Binary, r.c.Tests, r.probing.Shape, r.opts.Execute)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	found, err := p.Run(ctx, base)
	if err != nil {
		return nil, err
	}
	for _, t := range found.Tests {
		if t.Unprobed != "" {
			r.summary.Unprobed++
		}
	}
	if r.opts.Counts {
		if r.probed, err = r.probeTable(base, found); err != nil {
			return nil, err
		}
	}
	r.stage("probe", start)
	return found, nil
}

// probeTable writes down how often the tests execute and infect the mutants, and what
// the values were like.
func (r *recorder) probeTable(base *execute.Baseline, found *execute.ProbeResult) (*table.Table, error) {
	t, err := table.New(dataset.ProbeSchema())
	if err != nil {
		return nil, fmt.Errorf("making the table of the probe: %w", err)
	}
	for i := range r.mutants {
		m := &r.mutants[i]
		for k, test := range r.c.Tests {
			p := &found.Tests[k]
			if p.Unprobed != "" || !base.Tests[k].Reached.Has(m.Site.Ordinal) {
				continue
			}
			if err := t.Append(m.ID, test.Name, int64(p.ReachCounts[m.Site.Ordinal]), int64(p.InfectCounts[m.Selector]),
				int64(p.Values[m.Site.Ordinal]), int64(p.Changes[m.Selector]), int64(r.leavings.Of(test.Name, m.Selector))); err != nil {
				return nil, fmt.Errorf("making the table of the probe: %w", err)
			}
		}
	}
	return t, nil
}
