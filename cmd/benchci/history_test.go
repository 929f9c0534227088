package main

import (
	"math"
	"testing"
)

// Of ten mutants of which two tell, one is among four that are drawn with 1 - C(8,4)/C(10,4).
func TestTheChanceOfADrawIsExact(t *testing.T) {
	for _, c := range []struct {
		n, marked, k int
		none         float64
	}{{10, 2, 4, 70.0 / 210}, {10, 0, 10, 1}, {3, 3, 1, 0}, {5, 1, 5, 0}} {
		if got := noneOf(c.n, c.marked, c.k); math.Abs(got-c.none) > 1e-12 {
			t.Errorf("%d of %d marked, %d drawn: %v, want %v", c.marked, c.n, c.k, got, c.none)
		}
	}
}
