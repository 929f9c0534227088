package rank

import "context"

// Inputs are looked for of the first lookedFirst mutants of the order: what a tester may read, and some
// that stand behind these; of mostLooked in all, since others come first when none was found.
const lookedFirst, mostLooked = 40, 2000

// looked orders the mutants at some places, by what is found when inputs are looked for that tell
// the first of them: an order whose first mutants were all looked for.
func (r *ranking) looked(ctx context.Context, places []int) ([]int, error) {
	order, err := r.orderOf(places)
	if r.opts.Look == nil {
		return order, err
	}
	for asked := 0; err == nil && asked < mostLooked; {
		var ids []string
		at := map[string]int{}
		first := order
		if r.opts.Fold {
			first, _ = r.fold(order)
		}
		for _, place := range first[:min(len(first), lookedFirst)] {
			if s := &r.scores[place]; !s.Looked {
				ids = append(ids, s.ID)
				at[s.ID] = place
			}
		}
		if asked += len(ids); len(ids) == 0 {
			break
		}
		found, err := r.opts.Look(ctx, ids)
		if err != nil {
			return nil, err
		}
		if found == nil {
			break
		}
		for id, place := range at {
			r.scores[place].Looked, r.scores[place].Found = true, found[id]
		}
		if order, err = r.orderOf(places); err != nil {
			return nil, err
		}
	}
	return order, err
}
