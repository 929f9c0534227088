package program

import "github.com/winnow-mutants/winnow/dataset"

// MayBeUndefined are marks of the mutants among some that C leaves undefined in some states
// (ub.Potential), in their order.
func (p *Program) MayBeUndefined(ids []string) []dataset.Proof {
	var out []dataset.Proof
	for _, id := range ids {
		if v, is := p.Undefined[id]; is {
			out = append(out, dataset.Proof{ID: id, Verdict: dataset.Undefined, Evidence: "ub/" + v.Category.String(), Reason: v.String()})
		}
	}
	return out
}
