package execute

import (
	"context"
	"slices"
	"time"
)

// checkEvery is the number of mutants after which a runner makes a run of the
// original again. When that is not what the original does, or the runner found
// that it was written over, all runs since the last such check are void.
const checkEvery = 128

// chunk is the number of mutants in one batch: enough to hide the pipe and, for
// InProcess, the start of a runner; few enough to keep all workers busy to the
// end.
func (t Tier) chunk() int {
	if t.shared {
		return 7 * checkEvery // with its checks still below maxSelectors
	}
	return 256
}

// silence is how long a server may have nothing to say while it does a batch.
// It passes on what a runner did when the runner has been checked.
func (b *batch) silence() time.Duration {
	if b.tier.shared {
		return 2 * checkEvery * b.wall
	}
	return b.wall
}

// decideInProcess makes the runs of a batch with InProcess and hands on to Fork
// what the runner left undecided, and what no check vouches for. On tests where
// not even the first check holds, Fork makes all runs.
func (w *worker) decideInProcess(ctx context.Context, b *batch) ([]decided, error) {
	out := make([]decided, len(b.selectors))
	for i := range out {
		out[i].handedOn = true
	}
	if !w.engine.unfit[b.test].Load() {
		if err := w.tryInProcess(ctx, b, out); err != nil {
			return nil, err
		}
	}
	safer := *b
	safer.tier, safer.selectors, safer.slice = b.tier.alone(), nil, 0
	var places []int
	for i := range out {
		if out[i].handedOn {
			safer.selectors = append(safer.selectors, b.selectors[i])
			places = append(places, i)
		}
	}
	for part := range slices.Chunk(places, Fork.chunk()) {
		some := safer
		some.selectors, safer.selectors = safer.selectors[:len(part)], safer.selectors[len(part):]
		seen, err := w.decide(ctx, &some)
		if err != nil {
			return nil, err
		}
		for k, i := range part {
			out[i] = seen[k]
			out[i].handedOn = true
		}
	}
	return out, nil
}

// tryInProcess fills in what InProcess decides. The runs are made in the order in
// which their sites are reached, for a runner can only move their beginning on.
func (w *worker) tryInProcess(ctx context.Context, b *batch, out []decided) error {
	order := byStep(b)
	checked := *b
	checked.selectors, checked.steps = withChecks(pick(b.selectors, order)), withChecks(pick(b.steps, order))
	seen, _, err := w.try(ctx, &checked) // a broken server answered less
	if err != nil {
		return err
	}
	holds := func(place int) bool {
		return place < len(seen) && !seen[place].undecided &&
			seen[place].Same(*b.original, ExitStatus) && seen[place].Work == b.original.Work
	}
	if len(seen) > 0 && !holds(0) {
		w.engine.unfit[b.test].Store(true)
		return nil
	}
	for place := 1; len(order) > 0; {
		part := order[:min(checkEvery, len(order))]
		order = order[len(part):]
		if holds(place + len(part)) {
			for i, at := range part {
				if o := seen[place+i]; !o.undecided && o.Cause != CauseFailed {
					out[at] = decided{observation: o}
				}
			}
		}
		place += len(part) + 1
	}
	return nil
}

// byStep orders the places of a batch by the step in which their sites are reached.
func byStep(b *batch) []int {
	order := make([]int, len(b.selectors))
	for i := range order {
		order[i] = i
	}
	if b.slice > 0 {
		slices.SortStableFunc(order, func(i, j int) int { return int(b.steps[i]) - int(b.steps[j]) })
	}
	return order
}

func pick[T any](from []T, order []int) []T {
	if len(from) == 0 {
		return nil
	}
	out := make([]T, len(order))
	for i, at := range order {
		out[i] = from[at]
	}
	return out
}

// withChecks puts the original (0, of step 0) before, behind, and between the mutants.
func withChecks[T int32 | uint8](mutants []T) []T {
	out := []T{0}
	for part := range slices.Chunk(mutants, checkEvery) {
		out = append(append(out, part...), 0)
	}
	return out
}
