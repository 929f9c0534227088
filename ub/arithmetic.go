package ub

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/analysis/ranges"
)

// outcome is what an operation can do with the numbers that its operands can be.
type outcome uint8

const (
	unharmed outcome = iota // C defines what it does, or nothing is known
	mayHarm                 // for some of the numbers it does not
	harms                   // for none of them it does
)

// valuesOf says what an integer operand can be; false where that is not known.
type valuesOf func(op.Operand) (ranges.Interval, bool)

// isSum reports operators that can leave their type.
func isSum(c op.Code) bool { return c == op.Add || c == op.Sub || c == op.Mul }

// isArithmetic reports operators that C does not define for all operands.
func isArithmetic(c op.Code) bool { return isSum(c) || isDivision(c) || isShift(c) }

// categoryOf is what an operator can do wrong.
func categoryOf(o *op.Op) Category {
	switch {
	case isDivision(o.Code):
		return DivisionByZero
	case isShift(o.Code):
		return ShiftTooFar
	}
	return Overflow
}

// outcomeOf is what an operator of integers can do.
func outcomeOf(o *op.Op, of valuesOf) outcome {
	if o.Type.Width() == 0 {
		return outcomeOfWide(o)
	}
	b, ok := of(o.Args[1])
	if !ok || b.IsEmpty() {
		return unharmed
	}
	if isSum(o.Code) {
		a, ok := of(o.Args[0])
		if !ok || a.IsEmpty() {
			return unharmed
		}
		return overflow(o, a, b)
	}
	right := ranges.Interval{Lo: 0, Hi: int64(o.Type.Width()) - 1}
	switch {
	case isShift(o.Code) && b.Meet(right).IsEmpty(), isDivision(o.Code) && b == ranges.Exactly(0):
		return harms
	case isShift(o.Code) && !b.Within(right), isDivision(o.Code) && b.Has(0):
		return mayHarm
	case o.Code != op.SDiv && o.Code != op.SRem || !b.Has(-1):
		return unharmed
	}
	least := ranges.Full(o.Type.Width()).Lo
	if a, ok := of(o.Args[0]); ok && a == ranges.Exactly(least) && b == ranges.Exactly(-1) {
		return harms
	}
	return unharmed
}

// outcomeOfWide is that of integers of more than 64 bits, of which only numbers are known.
func outcomeOfWide(o *op.Op) outcome {
	b := o.Args[1]
	switch {
	case isDivision(o.Code) && b.IsNumber() && b.X == 0,
		isShift(o.Code) && b.IsNumber() && (b.X < 0 || b.X >= int64(o.Type.Bits)), isShift(o.Code) && b.Kind == op.Wide:
		return harms
	}
	return unharmed
}

// overflow says whether a sum or product of signed numbers leaves its type.
func overflow(o *op.Op, a, b ranges.Interval) outcome {
	full := ranges.Full(o.Type.Width())
	if o.Type.Width() <= 32 {
		return leaves(extremes(o.Code, a, b), full)
	}
	ends := make([]*big.Int, 0, 4)
	for _, x := range []int64{a.Lo, a.Hi} {
		for _, y := range []int64{b.Lo, b.Hi} {
			ends = append(ends, exact(o.Code, x, y))
		}
	}
	least, most := slices.MinFunc(ends, (*big.Int).Cmp), slices.MaxFunc(ends, (*big.Int).Cmp)
	low, high := big.NewInt(full.Lo), big.NewInt(full.Hi)
	switch {
	case least.Cmp(high) > 0 || most.Cmp(low) < 0:
		return harms
	case least.Cmp(low) < 0 || most.Cmp(high) > 0:
		return mayHarm
	}
	return unharmed
}

// extremes are the least and the greatest result of numbers of up to 32 bits.
func extremes(c op.Code, a, b ranges.Interval) ranges.Interval {
	switch c {
	case op.Add:
		return ranges.Interval{Lo: a.Lo + b.Lo, Hi: a.Hi + b.Hi}
	case op.Sub:
		return ranges.Interval{Lo: a.Lo - b.Hi, Hi: a.Hi - b.Lo}
	}
	w, x, y, z := a.Lo*b.Lo, a.Lo*b.Hi, a.Hi*b.Lo, a.Hi*b.Hi
	return ranges.Interval{Lo: min(w, x, y, z), Hi: max(w, x, y, z)}
}

// leaves says whether results leave a type.
func leaves(results, full ranges.Interval) outcome {
	switch {
	case results.Meet(full).IsEmpty():
		return harms
	case !results.Within(full):
		return mayHarm
	}
	return unharmed
}

// exact is the result without a width.
func exact(c op.Code, x, y int64) *big.Int {
	a, b := big.NewInt(x), big.NewInt(y)
	switch c {
	case op.Add:
		return a.Add(a, b)
	case op.Sub:
		return a.Sub(a, b)
	}
	return a.Mul(a, b)
}

// sameOperands reports that two operations can have the same operands: what is wrong with
// one is wrong with the other.
func sameOperands(o, original *op.Op, of valuesOf) bool {
	for k := range o.Args {
		a, knows := of(o.Args[k])
		b, known := of(original.Args[k])
		if knows != known || a != b || !knows && o.Args[k] != original.Args[k] {
			return false
		}
	}
	return true
}

// verdictOf is the verdict on an operation that did something else in the original, if it was
// there: Definite where it is always wrong, Potential where the original's never is.
func verdictOf(o *op.Op, now, before outcome, wasThere bool, of valuesOf, line int) Verdict {
	v := Verdict{Category: categoryOf(o), Analysis: "values", Line: line}
	switch {
	case now == harms && before != harms:
		v.Grade = Definite
	case now == mayHarm && before == unharmed && tellsMuch(o, of, wasThere):
		v.Grade = Potential
	default:
		return Verdict{}
	}
	v.Reason = reasonOf(o, of, v.Grade)
	return v
}

// tellsMuch reports that what makes an operation wrong is known, and not just that nothing is.
func tellsMuch(o *op.Op, of valuesOf, wasThere bool) bool {
	full := ranges.Full(o.Type.Width())
	a, knows := of(o.Args[0])
	b, known := of(o.Args[1])
	if isSum(o.Code) {
		return knows && known && overflowsByWhatIsKnown(o, a, b)
	}
	return wasThere || known && b != full
}

// overflowsByWhatIsKnown reports that a sum or product can leave its type with numbers that bound an
// operand by more than its type does. A counter that nothing stops but the end of its type, since its
// comparison was changed, is no finding: everything that counts would be one, in hundreds of mutants.
func overflowsByWhatIsKnown(o *op.Op, a, b ranges.Interval) bool {
	full := ranges.Full(o.Type.Width())
	near := int64(1) << (o.Type.Width() / 2) // what a comparison with, or a step of, an unknown number leaves
	known := func(x int64) bool { return x > full.Lo+near && x < full.Hi-near }
	for _, x := range []int64{a.Lo, a.Hi} {
		for _, y := range []int64{b.Lo, b.Hi} {
			if (known(x) || a.IsOne()) && (known(y) || b.IsOne()) && overflow(o, ranges.Exactly(x), ranges.Exactly(y)) == harms {
				return true
			}
		}
	}
	return false
}

// reasonOf says in words what is wrong with an operation.
func reasonOf(o *op.Op, of valuesOf, g Grade) string {
	last := shownOperand(o.Args[1], of)
	verb := func(plain, third string) string {
		if g == Potential {
			return "may " + plain
		}
		return third
	}
	switch categoryOf(o) {
	case DivisionByZero:
		if last != "0" && g == Definite {
			return "divides the least number of its type by -1"
		}
		return verb("divide", "divides") + " by " + last
	case ShiftTooFar:
		return verb("shift", "shifts") + fmt.Sprintf(" %d bits by ", o.Type.Bits) + last
	}
	first := shownOperand(o.Args[0], of)
	return fmt.Sprintf("%s %s %s %s a signed integer of %d bits", first, symbols[o.Code], last, verb("overflow", "overflows"), o.Type.Bits)
}

var symbols = map[op.Code]string{op.Add: "+", op.Sub: "-", op.Mul: "*"}

func shownOperand(a op.Operand, of valuesOf) string {
	if i, ok := of(a); ok {
		if i == ranges.Full(a.Type.Width()) {
			return "any number"
		}
		return shown(i)
	}
	return fmt.Sprint(a.X)
}
