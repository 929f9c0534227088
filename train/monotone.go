package train

import (
	"fmt"
	"math"
	"slices"
)

// A monotone column is one whose growth must not move the score one way. A split
// on it whose children would be in the wrong order is not taken, and below it the
// values of either side stay on their side of the middle between the two, so
// that no later split can undo the order (LightGBM's "basic" method). Missing
// values are outside the order: they go where they fit best.

// limits are the lowest and the highest value of a leaf, before shrinkage.
type limits struct{ low, high float64 }

var unlimited = limits{math.Inf(-1), math.Inf(1)}

func (l limits) clamp(value float64) float64 { return min(max(value, l.low), l.high) }

// checkMonotone refuses constraints on what is not a numeric column of d.
func checkMonotone(monotone map[string]int, d *Data) error {
	for name, direction := range monotone {
		i := slices.Index(d.Names, name)
		switch {
		case i < 0:
			return fmt.Errorf("options: Monotone names %q, which is no column of the data", name)
		case d.categorical(i):
			return fmt.Errorf("options: Monotone names %q, which is a category and has no order", name)
		case direction != 1 && direction != -1:
			return fmt.Errorf("options: Monotone of %q is %d, it should be 1 or -1", name, direction)
		}
	}
	return nil
}

// directions returns the constraint of each column; nil when there is none.
func directions(monotone map[string]int, names []string) []int {
	if len(monotone) == 0 {
		return nil
	}
	out := make([]int, len(names))
	for i, name := range names {
		out[i] = monotone[name]
	}
	return out
}

// scoreAt is score for rows that get this value, best or not.
func (j *judge) scoreAt(value, first, second, l2 float64) float64 {
	return -(2*first*value + (second+l2)*value*value + 2*j.l1*math.Abs(value))
}

// undividedWithin is undivided for a leaf whose value is limited.
func (j *judge) undividedWithin(total cell, l limits) float64 {
	if l == unlimited {
		return j.undivided(total)
	}
	first, second := j.first(total), j.second(total)
	return j.scoreAt(l.clamp(j.value(first, second)), first, second, j.l2)
}

// gainWithin is gain for children whose values are limited and, with a
// direction, in order.
func (j *judge) gainWithin(left, right cell, before, l2 float64, l limits, direction int) (float64, bool) {
	if l == unlimited && direction == 0 {
		return j.gain(left, right, before, l2)
	}
	if _, ok := j.gain(left, right, math.Inf(-1), l2); !ok {
		return 0, false // too few rows
	}
	firstLeft, secondLeft := j.first(left), j.second(left)
	firstRight, secondRight := j.first(right), j.second(right)
	valueLeft := l.clamp(-shrunk(firstLeft, j.l1) / (secondLeft + l2))
	valueRight := l.clamp(-shrunk(firstRight, j.l1) / (secondRight + l2))
	if float64(direction)*(valueRight-valueLeft) < 0 {
		return 0, false
	}
	gain := j.scoreAt(valueLeft, firstLeft, secondLeft, l2) + j.scoreAt(valueRight, firstRight, secondRight, l2) - before
	return gain, gain > j.minGain && gain > rounding*before
}

// divideLimits returns the limits of the children of a split on a monotone
// column: none may cross the middle between their values.
func (j *judge) divideLimits(s *split, l limits, direction int) (left, right limits) {
	middle := (l.clamp(j.value(j.first(s.left), j.second(s.left))) + l.clamp(j.value(j.first(s.right), j.second(s.right)))) / 2
	left, right = l, l
	if direction > 0 {
		left.high, right.low = middle, middle
	} else {
		left.low, right.high = middle, middle
	}
	return left, right
}
