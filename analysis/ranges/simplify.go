package ranges

import "github.com/winnow-mutants/winnow/analysis/op"

// simplified adds a term with what the ranges decide taken out.
func (c *Comparison) simplified(t term, can Interval) int {
	if t.width > 0 && can.IsOne() {
		return c.add(term{kind: numberTerm, x: -1, y: -1, z: -1, width: t.width, k: can.Lo}, can)
	}
	switch t.kind {
	case chooseTerm:
		switch cond := c.can[t.x]; {
		case cond == Exactly(1):
			return t.y
		case cond == Exactly(0), t.y == t.z:
			return t.z
		}
	case operatorTerm:
		if same, ok := c.neutral(t); ok {
			return same
		}
		t = c.canonical(t)
	case conversionTerm:
		if from := c.can[t.x]; t.what == op.ZExt && c.terms[t.x].width > 1 && from.Lo >= 0 {
			t.what = op.SExt
		}
	case orderTerm:
		// A truth that was widened is unequal to zero where it is true.
		x := c.terms[t.x]
		if y := c.terms[t.y]; y.kind == conversionTerm {
			t.x, t.y, t.ways = t.y, t.x, mirrored(t.ways)
			x = y
		}
		zero := c.terms[t.y]
		if x.kind == conversionTerm && x.what == op.ZExt && c.terms[x.x].width == 1 && zero.kind == numberTerm && zero.k == 0 && t.ways == Greater {
			return x.x
		}
	}
	return c.add(t, can)
}

// neutral recognises operators that give their first operand, or for sums and
// products the second.
func (c *Comparison) neutral(t term) (same int, ok bool) {
	x, y := c.can[t.x], c.can[t.y]
	switch t.what {
	case op.Add, op.Or, op.Xor:
		if y == Exactly(0) {
			return t.x, true
		}
		if x == Exactly(0) {
			return t.y, true
		}
	case op.Sub, op.Shl, op.LShr, op.AShr:
		return t.x, y == Exactly(0)
	case op.Mul:
		if y == Exactly(1) {
			return t.x, true
		}
		if x == Exactly(1) {
			return t.y, true
		}
	case op.SDiv, op.UDiv:
		return t.x, y == Exactly(1)
	case op.SRem:
		least, _ := magnitudes(y)
		_, most := magnitudes(x)
		return t.x, most < least
	case op.URem:
		return t.x, x.Lo >= 0 && x.Hi < y.Lo
	case op.And:
		if isMaskOf(y, x) {
			return t.x, true
		}
		if isMaskOf(x, y) {
			return t.y, true
		}
	}
	return 0, false
}

// isMaskOf: & with the number leaves all of the interval as it is.
func isMaskOf(mask, x Interval) bool {
	return mask == Exactly(-1) || mask.IsOne() && mask.Lo&(mask.Lo+1) == 0 && x.Lo >= 0 && x.Hi <= mask.Lo
}

// canonical gives terms that are equal one form.
func (c *Comparison) canonical(t term) term {
	nonNegative := c.can[t.x].Lo >= 0 && c.can[t.y].Lo >= 0
	switch t.what {
	case op.Add, op.Mul, op.And, op.Or, op.Xor:
		if t.x > t.y {
			t.x, t.y = t.y, t.x
		}
	case op.UDiv:
		if nonNegative {
			t.what = op.SDiv
		}
	case op.URem:
		if nonNegative {
			t.what = op.SRem
		}
	case op.LShr:
		if nonNegative {
			t.what = op.AShr
		}
	}
	return t
}
