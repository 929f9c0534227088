package train

import (
	"math"
	"slices"
)

// split is a candidate: which column, what goes left, and what it gains.
type split struct {
	column int // -1: none
	gain   float64
	// goesLeft says for every bin of the column where it leads.
	goesLeft [256]bool
	// bin is the last bin on the left of a numeric split.
	bin         int
	defaultLeft bool
	left, right cell
}

var noSplit = split{column: -1}

// judge scores splits by the second-order approximation of the loss (Chen and
// Guestrin, "XGBoost" (2016), equations 6 and 7).
type judge struct {
	precision
	minRows   int
	minSecond float64
	minGain   float64
	l1, l2    float64

	categoryLimit     int
	categorySmoothing float64
	categoryL2        float64
}

func newJudge(o *Options) judge {
	return judge{
		minRows: o.MinLeafSamples, minSecond: o.MinLeafHessian, minGain: o.MinGain, l1: o.L1, l2: o.L2,
		categoryLimit: o.CategoryLimit, categorySmoothing: o.CategorySmoothing, categoryL2: o.CategoryL2,
	}
}

// shrunk is the first derivative after the L1 penalty.
func shrunk(first, l1 float64) float64 {
	return math.Copysign(max(math.Abs(first)-l1, 0), first)
}

// score is twice the loss that the best value removes from rows with these
// derivatives.
func (j *judge) score(first, second, l2 float64) float64 {
	if j.l1 > 0 {
		first = shrunk(first, j.l1)
	}
	return first * first / (second + l2)
}

// undivided is the score of a node before it is split.
func (j *judge) undivided(total cell) float64 {
	return j.score(j.first(total), j.second(total), j.l2)
}

// value is the leaf value that minimises the loss.
func (j *judge) value(first, second float64) float64 {
	return -shrunk(first, j.l1) / (second + j.l2)
}

// rounding is the relative gain that may be mere rounding.
const rounding = 1e-10

// gain returns what dividing rows into left and right gains, and false when that
// is not allowed or not worth it. before is the score of the rows undivided. It
// is called for every bin of every node.
func (j *judge) gain(left, right cell, before, l2 float64) (float64, bool) {
	if j.rows(left) < j.minRows || j.rows(right) < j.minRows {
		return 0, false
	}
	secondLeft, secondRight := j.second(left), j.second(right)
	if secondLeft < j.minSecond || secondRight < j.minSecond {
		return 0, false
	}
	gain := j.score(j.first(left), secondLeft, l2) + j.score(j.first(right), secondRight, l2) - before
	return gain, gain > j.minGain && gain > rounding*before
}

// numeric looks for the best threshold whose leaves keep to the limits and to
// the direction of a monotone column. Among equal gains the lowest threshold
// wins, and missing values go right. own has one cell a bin, the last for
// missing values.
func (j *judge) numeric(column int, own []cell, total cell, l limits, direction int) split {
	best := noSplit
	before := j.undividedWithin(total, l)
	bounded := direction != 0 || l != unlimited
	last := len(own) - 1
	missing := own[last]
	someMissing := j.rows(missing) > 0
	var left cell
	consider := func(bin int, left cell, defaultLeft bool) {
		right := total.minus(left)
		gain, ok := 0.0, false
		if bounded {
			gain, ok = j.gainWithin(left, right, before, j.l2, l, direction)
		} else {
			gain, ok = j.gain(left, right, before, j.l2)
		}
		if ok && gain > best.gain {
			best.column, best.gain, best.bin, best.defaultLeft, best.left, best.right = column, gain, bin, defaultLeft, left, right
		}
	}
	for b, c := range own[:last] {
		if j.rows(c) == 0 {
			continue // the same rows as the bin before
		}
		left.add(c)
		consider(b, left, false)
		if someMissing {
			with := left
			with.add(missing)
			consider(b, with, true)
		}
	}
	if best.column < 0 {
		return best
	}
	if !someMissing {
		// Nothing was learned, so the heavier side is the better guess.
		best.defaultLeft = j.rows(best.left) >= j.rows(best.right)
	}
	for b := range best.bin + 1 {
		best.goesLeft[b] = true
	}
	best.goesLeft[last] = best.defaultLeft
	return best
}

// category is a bin of a categorical column that some row of the node is in.
type category struct {
	bin  int
	cell cell
	rank float64
}

// categorical looks for the best set of categories. What is missing or has no
// bin stays right. Up to four categories are tried one by one; more are sorted
// by the ratio of their derivatives, and the sets are the beginnings of that
// order and of its reverse (Fisher, "On grouping for maximum homogeneity" (1958);
// LightGBM does the same).
func (j *judge) categorical(column int, own []cell, total cell, l limits) split {
	var present []category
	for b, c := range own[:len(own)-1] {
		if j.rows(c) > 0 {
			present = append(present, category{bin: b, cell: c, rank: j.first(c) / (j.second(c) + j.categorySmoothing)})
		}
	}
	best := noSplit
	before := j.undividedWithin(total, l)
	consider := func(set []category, left cell, l2 float64) {
		right := total.minus(left)
		if gain, ok := j.gainWithin(left, right, before, l2, l, 0); ok && gain > best.gain {
			best = split{column: column, gain: gain, left: left, right: right}
			for _, c := range set {
				best.goesLeft[c.bin] = true
			}
		}
	}
	const oneByOne = 4
	if len(present) <= oneByOne {
		for i, c := range present {
			consider(present[i:i+1], c.cell, j.l2)
		}
		return best
	}
	slices.SortStableFunc(present, func(a, b category) int { return cmpFloat(a.rank, b.rank) })
	for range 2 {
		var left cell
		for i := range min(len(present), j.categoryLimit) {
			left.add(present[i].cell)
			consider(present[:i+1], left, j.l2+j.categoryL2)
		}
		slices.Reverse(present)
	}
	return best
}
