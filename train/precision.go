package train

import (
	"fmt"
	"math"
	"math/bits"
)

// Sums of derivatives decide every split, and floating-point sums depend on
// their order. So derivatives are rounded once a tree to fixed-point integers,
// whose sums are exact in any order: the number of workers, the layout of the
// table and subtraction of histograms cannot change a tree, and the exact
// learner of the tests must find the very same splits.
//
// A cell packs one row or the sum of many into two words: the first derivative
// with about 62-log2(rows) bits, 42 for a million rows, and in the other word the
// second derivative above the number of rows. The second derivative gets
// 63-2*log2(rows) bits, 23 for a million rows, as many as a float32 has.

// cell is the sum of the derivatives of some rows, and their number.
type cell struct {
	first int64
	both  int64 // second derivative << countBits + rows
}

func (c *cell) add(d cell) {
	c.first += d.first
	c.both += d.both
}

// minus returns c without the rows of d, which must be among those of c.
func (c cell) minus(d cell) cell { return cell{c.first - d.first, c.both - d.both} }

// precision translates cells into numbers.
type precision struct {
	countBits               uint
	countMask               int64
	firstUnit, secondUnit   float64 // what 1 stands for
	firstScale, secondScale float64 // and the inverse
}

func (p *precision) rows(c cell) int       { return int(c.both & p.countMask) }
func (p *precision) first(c cell) float64  { return float64(c.first) * p.firstUnit }
func (p *precision) second(c cell) float64 { return float64(c.both>>(p.countBits&63)) * p.secondUnit }

// pack rounds the derivatives of all rows into cells. It fails when one is not
// finite or a second derivative is negative.
func pack(first, second []float64, cells []cell) (precision, error) {
	mostFirst, mostSecond := 0.0, 0.0
	for r, x := range first {
		// The comparison is false for NaN too.
		if !(math.Abs(x) <= math.MaxFloat64 && second[r] >= 0 && second[r] <= math.MaxFloat64) {
			return precision{}, fmt.Errorf("the derivatives of row %d are %v and %v: lower LearningRate or check the labels", r, x, second[r])
		}
		mostFirst = max(mostFirst, math.Abs(x))
		mostSecond = max(mostSecond, second[r])
	}
	p := newPrecision(mostFirst, mostSecond, len(first))
	for r := range cells {
		cells[r] = p.cell(first[r], second[r])
	}
	return p, nil
}

// newPrecision chooses the finest units for which the sum of that many rows with
// derivatives up to mostFirst and mostSecond cannot overflow.
func newPrecision(mostFirst, mostSecond float64, rows int) precision {
	p := precision{countBits: uint(bits.Len(uint(rows)))}
	p.countMask = 1<<p.countBits - 1
	p.firstScale = scaleTo(mostFirst, 62-int(p.countBits))
	p.secondScale = scaleTo(mostSecond, 63-2*int(p.countBits))
	p.firstUnit, p.secondUnit = 1/p.firstScale, 1/p.secondScale
	return p
}

// cell rounds the derivatives of one row.
func (p *precision) cell(first, second float64) cell {
	return cell{
		first: int64(math.RoundToEven(first * p.firstScale)),
		both:  int64(math.RoundToEven(second*p.secondScale))<<(p.countBits&63) + 1,
	}
}

// scaleTo returns the power of two that brings most to just below 2^bits.
func scaleTo(most float64, bits int) float64 {
	if most == 0 {
		return 1
	}
	_, exponent := math.Frexp(most)
	return math.Ldexp(1, min(max(bits-exponent, -1000), 1000))
}
