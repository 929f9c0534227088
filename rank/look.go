package rank

import "context"

// Inputs are looked for of the first lookedFirst mutants of the order: what a tester may read, and some
// that stand behind these; of mostLooked in all, since others come first when none was found.
const lookedFirst, mostLooked = 40, 2000

// looked orders the mutants at some places, by what is found when inputs are looked for that tell
// the first of them: an order whose first mutants were all looked for.
// Those that nothing calls come last.
func (r *ranking) looked(ctx context.Context, places []int) ([]int, error) {
	if r.opts.Uncalled == nil {
		return r.ofInputs(ctx, places)
	}
	r.uncalled = map[int]bool{}
	var called, others []int
	for _, place := range places {
		if (r.tests == nil || r.tests[place] == nil || r.tests[place].Reached == 0) && r.opts.Uncalled(r.scores[place].ID) {
			r.uncalled[place], others = true, append(others, place)
		} else {
			called = append(called, place)
		}
	}
	first, err := r.ofInputs(ctx, called)
	if err != nil || len(others) == 0 {
		return first, err
	}
	last, err := r.orderOf(others)
	return append(first, last...), err
}

// ofInputs is looked of mutants that the program may come to.
func (r *ranking) ofInputs(ctx context.Context, places []int) ([]int, error) {
	order, err := r.orderOf(places)
	if r.opts.Look == nil {
		return order, err
	}
	asked := map[int]bool{}
	for err == nil && len(asked) < mostLooked {
		var ids []string
		at := map[string]int{}
		first := order
		if r.opts.Fold {
			first, _ = r.fold(order)
		}
		for _, place := range first[:min(len(first), lookedFirst)] {
			if id := r.scores[place].ID; !asked[place] {
				ids, asked[place], at[id] = append(ids, id), true, place
			}
		}
		if len(ids) == 0 {
			break
		}
		found, err := r.opts.Look(ctx, ids)
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			continue
		}
		for id, told := range found {
			r.scores[at[id]].Looked, r.scores[at[id]].Found = true, told
		}
		if order, err = r.orderOf(places); err != nil {
			return nil, err
		}
	}
	return order, err
}
