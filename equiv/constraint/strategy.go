package constraint

import (
	"math"
	"math/bits"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// relation is a set of ways in which two numbers compare.
type relation uint8

// The relations: a set each of less, equal and greater.
const (
	never relation = 0
	less  relation = 1 << iota >> 1
	equal
	greater
	always = less | equal | greater
)

func (r relation) String() string {
	return [...]string{"never", "<", "==", "<=", ">", "!=", ">=", "always"}[r]
}

// mirrored is the relation of the second number to the first.
func (r relation) mirrored() relation { return r&equal | r&less<<2 | r&greater>>2 }

// constraint says how two terms of a width compare, as integers with or without a sign.
type constraint struct {
	a, b     term
	rel      relation
	unsigned bool
	// line is where the source asks for it; 0 for what a change would take.
	line int
	// assumed says that the user takes it for granted.
	assumed bool
}

// constraint compares two terms in one of the forms in which two of them are easily seen to
// exclude each other: a number comes second, and numbers that were widened are compared in
// their own width.
func (t *terms) constraint(a, b term, rel relation, unsigned bool) constraint {
	if rel == equal || rel == less|greater {
		unsigned = false
	}
	x, xNumber := t.constant(a)
	y, yNumber := t.constant(b)
	width := t.width(a)
	switch {
	case a == b:
		return constraint{rel: truth(rel&equal != 0)}
	case xNumber && yNumber:
		return constraint{rel: truth(holds(rel, x, y, width, unsigned))}
	case xNumber || !yNumber && a > b:
		a, b, rel = b, a, rel.mirrored()
		x, y, xNumber, yNumber = y, x, yNumber, xNumber
	}
	from := &t.forms[a]
	if t.width(a) == 1 && yNumber {
		return t.isTrue(a, holds(rel, 1, y, 2, false), holds(rel, 0, y, 2, false))
	}
	if (from.code == op.ZExt || from.code == op.SExt) && t.width(from.a) == 1 && yNumber {
		one := t.convert(from.code, t.number(1, 1), width)
		return t.isTrue(from.a, holds(rel, t.forms[one].k, y, width, unsigned), holds(rel, 0, y, width, unsigned))
	}
	if from.code == op.ZExt || from.code == op.SExt {
		narrow := t.width(from.a)
		if to := &t.forms[b]; to.code == from.code && t.width(to.a) == narrow {
			return t.constraint(from.a, to.a, rel, from.code == op.ZExt || unsigned)
		}
		lowest, highest := int64(0), int64(1)<<narrow-1
		if from.code == op.SExt {
			lowest, highest = -(int64(1) << (narrow - 1)), int64(1)<<(narrow-1)-1
		}
		if yNumber && narrow < 63 && (from.code == op.ZExt || !unsigned) && (!unsigned || y >= 0) {
			switch {
			case y < lowest:
				return constraint{rel: truth(rel&greater != 0)}
			case y > highest:
				return constraint{rel: truth(rel&less != 0)}
			default:
				return t.constraint(from.a, t.number(y, narrow), rel, from.code == op.ZExt)
			}
		}
	}
	if !yNumber || unsigned {
		return constraint{a: a, b: b, rel: rel, unsigned: unsigned}
	}
	// The difference of two numbers is zero where they are the same, wrap or not; and the numbers
	// of a sum are moved where nothing can wrap.
	hasNoSign := rel == equal || rel == less|greater
	if from.code == op.Sub && y == 0 && (hasNoSign || t.exact(a)) {
		return t.constraint(from.a, from.b, rel, false)
	}
	if k, isNumber := t.constant(from.b); isNumber && t.exact(a) && (from.code == op.Add || from.code == op.Sub) {
		if from.code == op.Add {
			k = -k
		}
		if moved := y + k; op.Wrap(moved, width) == moved && (moved > y) == (k > 0) {
			return t.constraint(from.a, t.number(moved, width), rel, false)
		}
	}
	return constraint{a: a, b: b, rel: rel, unsigned: unsigned}
}

// exact reports a sum, a difference or a product that cannot wrap: its operands are numbers of
// fewer bits, such as characters that C has widened.
func (t *terms) exact(x term) bool {
	f := &t.forms[x]
	switch f.code {
	case op.Add, op.Sub:
		return f.leaf == 0 && max(t.bits(f.a), t.bits(f.b)) < uint(f.width)
	case op.Mul:
		return f.leaf == 0 && t.bits(f.a)+t.bits(f.b) <= uint(f.width)
	}
	return false
}

// bits are how many a term needs as a number with a sign.
func (t *terms) bits(x term) uint {
	f := &t.forms[x]
	switch {
	case f.leaf == isNumber && f.k < 0:
		return uint(bits.Len64(uint64(^f.k))) + 1
	case f.leaf == isNumber:
		return uint(bits.Len64(uint64(f.k))) + 1
	case f.leaf != 0:
		return uint(f.width)
	case f.code == op.ZExt:
		return t.width(f.a) + 1
	case f.code == op.SExt:
		return t.width(f.a)
	case f.code == op.And:
		if k, isNumber := t.constant(f.b); isNumber && k >= 0 {
			return t.bits(f.b)
		}
	case t.exact(x) && f.code != op.Mul:
		return max(t.bits(f.a), t.bits(f.b)) + 1
	case t.exact(x):
		return t.bits(f.a) + t.bits(f.b)
	}
	return uint(f.width)
}

// isTrue is what a truth has to be where something holds if it is one, and if it is zero.
func (t *terms) isTrue(a term, one, zero bool) constraint {
	f := &t.forms[a]
	switch {
	case one == zero:
		return constraint{rel: truth(one)}
	case f.code == op.CompareInts && one:
		return constraint{a: f.a, b: f.b, rel: f.rel, unsigned: f.unsigned}
	case f.code == op.CompareInts:
		return t.constraint(f.a, f.b, always&^f.rel, f.unsigned)
	case one:
		return constraint{a: a, b: t.number(0, 1), rel: less | greater}
	}
	return constraint{a: a, b: t.number(0, 1), rel: equal}
}

func truth(holds bool) relation {
	if holds {
		return always
	}
	return never
}

func holds(rel relation, x, y int64, width uint, unsigned bool) bool {
	below := x < y
	if unsigned {
		below = op.Unsigned(x, width) < op.Unsigned(y, width)
	}
	switch {
	case x == y:
		return rel&equal != 0
	case below:
		return rel&less != 0
	}
	return rel&greater != 0
}

// contradiction finds two constraints that exclude each other, or one that cannot hold, which
// is returned without a second.
func contradiction(t *terms, all []constraint) (a, b *constraint, found bool) {
	for i := range all {
		if all[i].rel == never || len(intervalsOf(t, &all[i])) == 0 {
			return &all[i], nil, true
		}
	}
	return contradicts(t, all, all)
}

// contradicts finds a constraint of each of two sets that exclude each other.
func contradicts(t *terms, some, others []constraint) (a, b *constraint, found bool) {
	for i := range some {
		for k := range others {
			if exclude(t, &some[i], &others[k]) {
				return &some[i], &others[k], true
			}
		}
	}
	for i := range some {
		if splitExcluded(t, &some[i], others) {
			return &some[i], firstOf(others), true
		}
	}
	for k := range others {
		if splitExcluded(t, &others[k], some) {
			return firstOf(some), &others[k], true
		}
	}
	return nil, nil, false
}

func firstOf(all []constraint) *constraint {
	if len(all) == 0 {
		return nil
	}
	return &all[0]
}

// exclude tells whether two constraints cannot both hold, by negation or by comparing
// constants.
func exclude(t *terms, c, d *constraint) bool { return negates(c, d) || constantsApart(t, c, d) }

// negates is the first strategy, negation and partial negation (figure 4 and table III): the
// same terms compare in ways that have nothing in common.
func negates(c, d *constraint) bool {
	return c.a == d.a && c.b == d.b && c.rel&d.rel == 0 && c.rel != always && d.rel != always &&
		(c.unsigned == d.unsigned || c.hasNoSign() || d.hasNoSign())
}

func (c *constraint) hasNoSign() bool { return c.rel == equal || c.rel == less|greater }

// constantsApart is the third strategy, the comparison of constants (figure 6 and table V): no
// number is in both ranges of one term.
func constantsApart(t *terms, c, d *constraint) bool {
	if c.a != d.a || c.rel == always || d.rel == always {
		return false
	}
	if _, isNumber := t.constant(c.b); !isNumber {
		return false
	}
	if _, isNumber := t.constant(d.b); !isNumber {
		return false
	}
	for _, x := range intervalsOf(t, c) {
		for _, y := range intervalsOf(t, d) {
			if max(x.lo, y.lo) <= min(x.hi, y.hi) {
				return false
			}
		}
	}
	return true
}

// interval is a range of integers with their sign, both ends included.
type interval struct{ lo, hi int64 }

// intervalsOf are the numbers that a constraint with a constant allows its term; all where the
// second term is none.
func intervalsOf(t *terms, c *constraint) (out []interval) {
	width := t.width(c.a)
	lowest, highest := int64(math.MinInt64), int64(math.MaxInt64)
	if width > 0 && width < 64 {
		lowest, highest = -(int64(1) << (width - 1)), int64(1)<<(width-1)-1
	}
	k, isNumber := t.constant(c.b)
	if !isNumber || c.rel == always || width <= 1 {
		return []interval{{lowest, highest}}
	}
	add := func(lo, hi int64) {
		if lo <= hi {
			out = append(out, interval{lo, hi})
		}
	}
	if c.rel&equal != 0 {
		add(k, k)
	}
	// Without a sign the order is 0 to the highest, then the lowest to -1.
	switch {
	case c.rel&less == 0:
	case !c.unsigned && k > lowest:
		add(lowest, k-1)
	case c.unsigned && k > 0:
		add(0, k-1)
	case c.unsigned && k < 0:
		add(0, highest)
		if k > lowest {
			add(lowest, k-1)
		}
	}
	switch {
	case c.rel&greater == 0:
	case !c.unsigned && k < highest:
		add(k+1, highest)
	case c.unsigned && k >= 0:
		if k < highest {
			add(k+1, highest)
		}
		add(lowest, -1)
	case c.unsigned && k < -1:
		add(k+1, -1)
	}
	return out
}

// half is a constraint on one operand, against zero.
type half struct {
	second bool // the operator's second operand
	rel    relation
}

// split is a row of table IV: where (x code y) compares with zero so, one of the alternatives
// holds, each of which is of one or two operands.
type split struct {
	code         op.Code
	rel          relation
	alternatives [][]half
	// wraps says that it holds of numbers that wrap, too.
	wraps bool
}

// splits are the rows that hold of integers with a width. Of the published ones those of a
// quotient that is at least, at most or equal to zero do not, for 1/2 is 0; those of the
// difference follow from comparing its operands where nothing wraps.
var splits = []split{
	{op.Add, greater, [][]half{{{false, greater}}, {{true, greater}}}, false},
	{op.Add, greater | equal, [][]half{{{false, greater | equal}}, {{true, greater | equal}}}, false},
	{op.Add, less, [][]half{{{false, less}}, {{true, less}}}, false},
	{op.Add, less | equal, [][]half{{{false, less | equal}}, {{true, less | equal}}}, false},
	{op.Add, equal, [][]half{{{false, less | equal}}, {{true, less | equal}}}, false},
	{op.Sub, greater, [][]half{{{false, greater}}, {{true, less}}}, false},
	{op.Sub, greater | equal, [][]half{{{false, greater | equal}}, {{true, less | equal}}}, false},
	{op.Sub, less, [][]half{{{false, less}}, {{true, greater}}}, false},
	{op.Sub, less | equal, [][]half{{{false, less | equal}}, {{true, greater | equal}}}, false},
	{op.Mul, greater, [][]half{{{false, greater}, {true, greater}}, {{false, less}, {true, less}}}, false},
	{op.Mul, greater | equal, [][]half{{{false, greater | equal}, {true, greater | equal}}, {{false, less | equal}, {true, less | equal}}}, false},
	{op.Mul, less, [][]half{{{false, greater}, {true, less}}, {{false, less}, {true, greater}}}, false},
	{op.Mul, less | equal, [][]half{{{false, greater | equal}, {true, less | equal}}, {{false, less | equal}, {true, greater | equal}}}, false},
	{op.Mul, equal, [][]half{{{false, equal}}, {{true, equal}}}, false},
	{op.Mul, less | greater, [][]half{{{false, less | greater}, {true, less | greater}}}, true},
	{op.SDiv, greater, [][]half{{{false, greater}, {true, greater}}, {{false, less}, {true, less}}}, true},
	{op.SDiv, less, [][]half{{{false, greater}, {true, less}}, {{false, less}, {true, greater}}}, true},
	{op.SDiv, less | greater, [][]half{{{false, less | greater}}}, true},
}

// splitExcluded is the second strategy, constraint splitting (figure 5 and table IV): each
// alternative of a constraint has a part that one of the others excludes.
func splitExcluded(t *terms, c *constraint, others []constraint) bool {
	f := t.forms[c.a]
	if k, isNumber := t.constant(c.b); !isNumber || k != 0 || c.unsigned {
		return false
	}
	for _, row := range splits {
		if row.code == f.code && row.rel == c.rel && (row.wraps || t.exact(c.a)) {
			return noneLeft(t, row.alternatives, f, others)
		}
	}
	return false
}

func noneLeft(t *terms, alternatives [][]half, f form, others []constraint) bool {
	for _, alternative := range alternatives {
		excluded := false
		for _, h := range alternative {
			x := f.a
			if h.second {
				x = f.b
			}
			part := t.constraint(x, t.number(0, t.width(x)), h.rel, false)
			for k := range others {
				excluded = excluded || part.rel == never || part.rel != always && exclude(t, &part, &others[k])
			}
		}
		if !excluded {
			return false
		}
	}
	return true
}
