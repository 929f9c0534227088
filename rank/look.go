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
