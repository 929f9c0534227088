package execute

import "github.com/winnow-mutants/winnow/symbolic/term"

// Unrolled is what a function comes to from its entry within a number of rounds.
type Unrolled struct {
	// Ends are the ways in which it ends within them: Returns and Ends.
	Ends []Outcome
	// Beyond is that it comes to a loop's head once more: that it never does is the unwinding
	// assertion.
	Beyond *term.Term
}

// Unroll follows the function from its entry, with a change unless that is nil, until it has
// come to heads of loops so many times, counted together.
func (f *Function) Unroll(rounds int, change *Change) (Unrolled, error) {
	p := f.Pool
	all := &run{f: f, p: p, change: change}
	out := Unrolled{Beyond: p.Truth(false)}
	waiting := map[int][]arrival{0: {{p.Truth(true), f.Entry()}}}
	for round := 0; len(waiting) > 0; round++ {
		next := map[int][]arrival{}
		for _, b := range f.order {
			if len(waiting[b]) == 0 {
				continue
			}
			when, state := all.merge(waiting[b])
			if round > rounds {
				out.Beyond = p.Or(out.Beyond, when)
				continue
			}
			outcomes, err := f.Run(b, state, change)
			if err != nil {
				return Unrolled{}, err
			}
			for _, o := range outcomes {
				if o.When = p.And(when, o.When); o.When.IsFalse() {
					continue
				}
				switch {
				case o.Kind != Cuts:
					all.leave(o)
				case o.State.Trapped.IsTrue(): // nothing comes behind it
					o.Kind, o.Block = Ends, 0
					all.leave(o)
				default:
					next[o.Block] = append(next[o.Block], arrival{o.When, o.State})
				}
			}
		}
		waiting = next
	}
	out.Ends = all.outcomes
	return out, nil
}
