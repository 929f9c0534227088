package execute

import (
	"context"
	"fmt"
)

// Prefixes is how much of the original's run on a test is over when it executes each
// site for the first time: what the runs of the mutants of that site have in common
// with it, and a checkpoint there would save. It is the first of parts budgets, equal
// steps of the original's work, within which the site is reached, so that a prefix is
// never too short, and too long by a step at most. Unit: work; -1 where the test does
// not reach the site.
//
// It runs the original parts times, and serves to judge whether sharing prefixes would
// pay (split-stream execution: King and Offutt 1991, Tokumoto et al. 2016); no verdict
// rests on it.
func (e *Engine) Prefixes(ctx context.Context, base *Baseline, test, parts int) ([]int64, error) {
	out := make([]int64, e.sites)
	t := &base.Tests[test]
	for site := range out {
		out[site] = -1
		if t.SetAside == "" && t.ReachedKnown && t.Reached.Has(site) {
			out[site] = t.Work
		}
	}
	err := e.eachTask(ctx, 1, func(ctx context.Context, w *worker, _ int) error {
		// From the end, so that the last budget that still reaches a site stays.
		for part := parts - 1; part > 0; part-- {
			b, err := e.originalBatch(test)
			if err != nil {
				return err
			}
			b.want, b.selectors, b.fuel = wantReached, []int32{0}, t.Work*int64(part)/int64(parts)
			seen, err := w.decide(ctx, b)
			if err != nil {
				return err
			}
			for site, reached := range seen[0].reached {
				if reached != 0 && out[site] >= 0 {
					out[site] = b.fuel
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("running parts of the original: %w", err)
	}
	return out, nil
}
