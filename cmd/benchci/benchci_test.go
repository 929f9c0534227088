package main

import (
	"math"
	"strings"
	"testing"
	"time"
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

func TestRegressionsAreSummedUpByTheirWorst(t *testing.T) {
	second := func(n float64) cost {
		return cost{time.Duration(n * float64(time.Second)), time.Duration(n * float64(time.Second))}
	}
	var out strings.Builder
	sumUp(&out, []*regression{
		{mutants: 1000, ran: 20, telling: 2, place: 1, full: second(8), first: second(2), second: second(.5)},
		{mutants: 300, ran: 10, telling: 1, place: 4, full: second(9), first: second(1), second: second(.2), ranAgain: 3},
		{mutants: 700, ran: 7, full: second(3), first: second(2), second: second(.1)},
	})
	want := `
3 regressions. Mutants run: 1/50 of all in the median, 1/30 at most. CPU time: 1/4.0 of a full run in the median, 1/1.5 at most.
Of 2 that some mutant of the changed lines tells, the first gap does for 1, one of the first 3 for 1.
After a comment was added: 3 mutants run in all, 0.5 s at most.
`
	if out.String() != want {
		t.Errorf("%s", out.String())
	}
}
