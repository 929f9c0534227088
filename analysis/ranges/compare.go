package ranges

import "github.com/llir/llvm/ir/enum"

// Order is the set of ways in which two numbers can be ordered.
type Order uint8

// The ways, which are joined by |.
const (
	Less Order = 1 << iota
	Equal
	Greater
)

// Orders are the ways in which members of two intervals can be ordered, read
// without a sign when a comparison does so.
func Orders(a, b Interval, width uint, unsigned bool) Order {
	if a.IsEmpty() || b.IsEmpty() {
		return 0
	}
	var out Order
	if a.Lo <= b.Hi && b.Lo <= a.Hi {
		out |= Equal
	}
	less, greater := a.Lo < b.Hi, b.Lo < a.Hi
	if unsigned {
		alo, ahi := a.unsigned(width)
		blo, bhi := b.unsigned(width)
		less, greater = alo < bhi, blo < ahi
	}
	if less {
		out |= Less
	}
	if greater {
		out |= Greater
	}
	return out
}

// holdsFor are the ways for which a comparison is true.
func holdsFor(p enum.IPred) (ways Order, unsigned bool) {
	switch p {
	case enum.IPredEQ:
		return Equal, false
	case enum.IPredNE:
		return Less | Greater, false
	case enum.IPredSLT:
		return Less, false
	case enum.IPredSLE:
		return Less | Equal, false
	case enum.IPredSGT:
		return Greater, false
	case enum.IPredSGE:
		return Greater | Equal, false
	case enum.IPredULT:
		return Less, true
	case enum.IPredULE:
		return Less | Equal, true
	case enum.IPredUGT:
		return Greater, true
	}
	return Greater | Equal, true
}

// Compare is what a comparison can be, as 0 and 1.
func Compare(p enum.IPred, a, b Interval, width uint) Interval {
	ways, unsigned := holdsFor(p)
	out, can := Empty, Orders(a, b, width, unsigned)
	if can&ways != 0 {
		out = out.Join(Exactly(1))
	}
	if can&^ways != 0 {
		out = out.Join(Exactly(0))
	}
	return out
}

// Refine is what two numbers can be where a comparison of them is true, or not.
func Refine(p enum.IPred, holds bool, a, b Interval, width uint) (x, y Interval) {
	ways, unsigned := holdsFor(p)
	if !holds {
		ways ^= Less | Equal | Greater
	}
	if unsigned {
		if !inOneHalf(a) || !inOneHalf(b) || a.Lo < 0 != (b.Lo < 0) {
			return refineUnsigned(ways, a, b)
		} // else the order is that of signed numbers
	}
	switch ways {
	case Equal:
		x = a.Meet(b)
		return x, x
	case Less | Greater:
		return without(a, b), without(b, a)
	case Less:
		return a.Meet(below(b, 1)), b.Meet(above(a, 1))
	case Less | Equal:
		return a.Meet(below(b, 0)), b.Meet(above(a, 0))
	case Greater:
		return a.Meet(above(b, 1)), b.Meet(below(a, 1))
	}
	return a.Meet(above(b, 0)), b.Meet(below(a, 0))
}

// inOneHalf: all of the interval has one sign.
func inOneHalf(a Interval) bool { return a.Lo >= 0 || a.Hi < 0 }

// refineUnsigned knows that what is less than a number without the top bit has
// none either.
func refineUnsigned(ways Order, a, b Interval) (x, y Interval) {
	least := int64(0)
	if ways&Equal == 0 {
		least = 1
	}
	switch {
	case ways&Less != 0 && b.Lo >= 0:
		return a.Meet(Interval{0, difference(b.Hi, least).x}), b
	case ways&Greater != 0 && a.Lo >= 0:
		return a, b.Meet(Interval{0, difference(a.Hi, least).x})
	}
	return a, b
}

// below is all numbers that are by some less than one of the interval.
func below(a Interval, by int64) Interval {
	e := difference(a.Hi, by)
	if e.over {
		return Empty
	}
	return Interval{Full(64).Lo, e.x}
}

func above(a Interval, by int64) Interval {
	e := sum(a.Lo, by)
	if e.over {
		return Empty
	}
	return Interval{e.x, Full(64).Hi}
}

// without takes a number off the ends of an interval.
func without(a, b Interval) Interval {
	switch {
	case !b.IsOne():
		return a
	case a == b:
		return Empty
	case a.Lo == b.Lo:
		return Interval{a.Lo + 1, a.Hi}
	case a.Hi == b.Lo:
		return Interval{a.Lo, a.Hi - 1}
	}
	return a
}
