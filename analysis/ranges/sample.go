package ranges

import (
	"slices"

	"github.com/llir/llvm/ir/value"
)

// sampled is how many values of each input are tried.
const sampled = 16

// Differ is on which share of the inputs a value of the original is another than
// that of the code instead: of all pairs of the values nearest to zero that the
// inputs can have, 16 of each. ok is false for more than two inputs, and where
// the values are no integers or the code never runs.
func (c *Comparison) Differ(old, instead value.Value) (share float64, ok bool) {
	x, y := c.value(c.before.operand(old), c.before), c.value(c.after.operand(instead), c.after)
	if c.terms[x].width == 0 || c.terms[y].width == 0 {
		return 0, false
	}
	var inputs []int
	c.inputs(x, &inputs)
	c.inputs(y, &inputs)
	if len(inputs) > 2 {
		return 0, false
	}
	e := evaluation{c: c, given: make(map[int]int64, 2)}
	values := [2][]int64{{0}, {0}}
	for k, input := range inputs {
		if values[k] = nearZero(c.can[input]); len(values[k]) == 0 {
			return 0, false
		}
	}
	differ, all := 0, 0
	for _, p := range values[0] {
		for _, q := range values[1] {
			for k, input := range inputs {
				e.given[input] = [2]int64{p, q}[k]
			}
			before, okBefore := e.eval(x)
			after, okAfter := e.eval(y)
			if !okBefore {
				continue // the original does not get here
			}
			all++
			if !okAfter || before != after {
				differ++
			}
		}
	}
	if all == 0 {
		return 0, false
	}
	return float64(differ) / float64(all), true
}

// inputs adds the terms that a term is computed from and that are not computed
// here.
func (c *Comparison) inputs(n int, to *[]int) {
	t := &c.terms[n]
	switch t.kind {
	case numberTerm:
	case leafTerm, opaqueTerm:
		if !slices.Contains(*to, n) {
			*to = append(*to, n)
		}
	default:
		for _, operand := range []int{t.x, t.y, t.z} {
			if operand >= 0 {
				c.inputs(operand, to)
			}
		}
	}
}

// nearZero lists the members nearest to zero, at most so many as are sampled.
func nearZero(a Interval) []int64 {
	if a.IsEmpty() {
		return nil
	}
	lo := max(a.Lo, min(a.Hi, 0))
	hi := lo
	for hi-lo < sampled-1 && (lo > a.Lo || hi < a.Hi) {
		if lo > a.Lo && (hi == a.Hi || -lo < hi) {
			lo--
		} else {
			hi++
		}
	}
	out := make([]int64, 0, sampled)
	for x := lo; ; x++ {
		if out = append(out, x); x == hi {
			return out
		}
	}
}

// evaluation computes terms of given inputs.
type evaluation struct {
	c     *Comparison
	given map[int]int64
}

// eval is false where a result is not defined.
func (e *evaluation) eval(n int) (int64, bool) {
	t := &e.c.terms[n]
	switch t.kind {
	case numberTerm:
		return t.k, true
	case leafTerm, opaqueTerm:
		return e.given[n], true
	case chooseTerm:
		cond, ok := e.eval(t.x)
		if !ok {
			return 0, false
		}
		if cond != 0 {
			return e.eval(t.y)
		}
		return e.eval(t.z)
	}
	x, ok := e.eval(t.x)
	if !ok {
		return 0, false
	}
	var out Interval
	switch t.kind {
	case conversionTerm:
		out = Convert(t.what, Exactly(x), e.c.terms[t.x].width, t.width)
	default:
		y, ok := e.eval(t.y)
		if !ok {
			return 0, false
		}
		if t.kind == orderTerm {
			is := Orders(Exactly(x), Exactly(y), e.c.terms[t.x].width, t.k == 1)
			if is&t.ways != 0 {
				return 1, true
			}
			return 0, true
		}
		out = Apply(t.what, Exactly(x), Exactly(y), t.width, false)
	}
	return out.Lo, out.IsOne()
}
