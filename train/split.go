package train

// split is a candidate: which column, what goes left, and what it gains.
type split struct {
	column int // -1: none
	gain   float64
	// goesLeft says for every bin of the column where it leads.
	goesLeft [256]bool
	// bin is the last bin on the left.
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
	l2        float64
}

func newJudge(o *Options) judge {
	return judge{minRows: o.MinLeafSamples, minSecond: o.MinLeafHessian, l2: o.L2}
}

// score is twice the loss that the best value removes from rows with these
// derivatives.
func (j *judge) score(first, second float64) float64 { return first * first / (second + j.l2) }

// undivided is the score of a node before it is split.
func (j *judge) undivided(total cell) float64 { return j.score(j.first(total), j.second(total)) }

// value is the leaf value that minimises the loss.
func (j *judge) value(first, second float64) float64 { return -first / (second + j.l2) }

// rounding is the relative gain that may be mere rounding.
const rounding = 1e-10

// gain returns what dividing rows into left and right gains, and false when that
// is not allowed or not worth it. before is the score of the rows undivided. It
// is called for every bin of every node.
func (j *judge) gain(left, right cell, before float64) (float64, bool) {
	if j.rows(left) < j.minRows || j.rows(right) < j.minRows {
		return 0, false
	}
	secondLeft, secondRight := j.second(left), j.second(right)
	if secondLeft < j.minSecond || secondRight < j.minSecond {
		return 0, false
	}
	gain := j.score(j.first(left), secondLeft) + j.score(j.first(right), secondRight) - before
	return gain, gain > 0 && gain > rounding*before
}

// best looks for the best threshold. Among equal gains the lowest threshold wins, and
// missing values go right. own has one cell a bin, the last for missing values.
func (j *judge) best(column int, own []cell, total cell) split {
	best := noSplit
	before := j.undivided(total)
	last := len(own) - 1
	missing := own[last]
	someMissing := j.rows(missing) > 0
	var left cell
	consider := func(bin int, left cell, defaultLeft bool) {
		right := total.minus(left)
		if gain, ok := j.gain(left, right, before); ok && gain > best.gain {
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
