package codeflaws

import (
	"slices"

	"github.com/winnow-mutants/winnow/internal/stream"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
)

// ChooseOptions are the limits of Choose; zero fields take their default.
type ChooseOptions struct {
	// MinTests is the least number of usable tests; 10 by default.
	MinTests int
	// MaxTests is how many of them are kept at most; 25 by default, and at
	// least 9, below which a quarter leaves less than two revealing tests.
	MaxTests int
	Seed     uint64
}

// Reason says why a fault is not chosen; it is empty for one that is.
type Reason string

const (
	// TooFewTests: less than MinTests tests are usable.
	TooFewTests Reason = "too few usable tests"
	// NotRevealed: no usable test reveals the fault.
	NotRevealed Reason = "not revealed"
	// Easy: a quarter of the usable tests or more reveal the fault (FaRM's
	// filter keeps faults that less than 25 % reveal).
	Easy Reason = "revealed by a quarter of the tests or more"
)

// Choose says whether the fault of that id is hard and, if so, on which tests
// to study it: their places in results, in order. Tests whose verdict is
// unknown are not usable.
//
// Of more than MaxTests usable tests it draws MaxTests, with about the same
// share of revealing ones, but at least two where there are, and less than a
// quarter. The draw depends on the seed and the id.
func Choose(id string, results fault.Table, o ChooseOptions) ([]int, Reason) {
	if o.MinTests == 0 {
		o.MinTests = 10
	}
	if o.MaxTests == 0 {
		o.MaxTests = 25
	}
	o.MaxTests = max(o.MaxTests, 9)
	var revealing, others []int
	for i, r := range results {
		switch r.Verdict {
		case matrix.Killed:
			revealing = append(revealing, i)
		case matrix.Survived:
			others = append(others, i)
		}
	}
	usable := len(revealing) + len(others)
	switch {
	case usable < o.MinTests:
		return nil, TooFewTests
	case len(revealing) == 0:
		return nil, NotRevealed
	case 4*len(revealing) >= usable:
		return nil, Easy
	}
	if usable > o.MaxTests {
		n := min(revealingShare(len(revealing), usable, o.MaxTests), len(revealing))
		draw := stream.New(o.Seed, "dataset/codeflaws tests "+id)
		for _, tests := range [][]int{revealing, others} {
			draw.Shuffle(len(tests), func(i, j int) { tests[i], tests[j] = tests[j], tests[i] })
		}
		revealing, others = revealing[:n], others[:o.MaxTests-n]
	}
	keep := append(revealing, others...)
	slices.Sort(keep)
	return keep, ""
}

// revealingShare is kept x revealing / usable, rounded, but at least 2 and less
// than a quarter of kept.
func revealingShare(revealing, usable, kept int) int {
	n := (2*kept*revealing + usable) / (2 * usable)
	return min(max(n, 2), (kept-1)/4)
}
