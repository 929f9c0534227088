package execute

import "context"

// shareFrom is the work of the original from which on runs share how they begin, and
// shareSteps in how many steps its run is cut. Moving the beginning has a price for each
// step of a batch, and shorter runs have little to save (docs/results/execution.md).
const (
	shareFrom  = 2000
	shareSteps = 16
)

// findSteps lets the original say in which step of its run it first reaches each
// site. Runs of mutants in a runner then begin where the step before ended
// (runtime/share.c). It is one more run a test, and only where that pays.
func (e *Engine) findSteps(ctx context.Context, w *worker, b *batch, t *TestBaseline) error {
	if e.options.Tier != InProcess || t.SetAside != "" || !t.ReachedKnown || t.Work < e.shareFrom() || e.options.fuel(t) <= t.Work {
		return nil
	}
	inSteps := *b
	inSteps.want, inSteps.selectors, inSteps.slice = wantReached, []int32{0}, (t.Work+shareSteps-1)/shareSteps
	seen, err := w.decide(ctx, &inSteps)
	if err != nil {
		return err
	}
	if o := seen[0]; o.reached != nil && t.Same(o.Outcome, ExitStatus) && o.Work == t.Work {
		t.Slice, t.Steps = inSteps.slice, o.reached
	}
	return nil
}

func (e *Engine) shareFrom() int64 {
	if e.options.shareAll {
		return 1
	}
	return shareFrom
}

// inSteps gives a batch of mutants the steps of their sites.
func (b *batch) inSteps(t *TestBaseline, sites []int) {
	if t.Slice == 0 {
		return
	}
	b.slice, b.steps = t.Slice, make([]uint8, len(sites))
	for i, site := range sites {
		if site < len(t.Steps) {
			b.steps[i] = t.Steps[site]
		}
	}
}
