package decide

import (
	"context"

	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Drawn evaluates the condition in a few states that are drawn at random, small numbers
// mostly: a mutant that can be told from the original often is in many of them. Functions
// are drawn as functions, so that such a model is one.
func Drawn(next Decider) Decider { return drawn{next} }

type drawn struct{ next Decider }

// draws is how many states are tried.
const draws = 48

func (d drawn) Decide(ctx context.Context, condition *term.Term) (Result, error) {
	switch {
	case condition.IsFalse():
		return Result{Answer: No, By: "rewriting"}, nil
	case condition.IsTrue():
		return Result{Answer: Yes, Model: random(0), By: "rewriting"}, nil
	}
	for seed := range uint64(draws) {
		if err := ctx.Err(); err != nil {
			return Result{}, err
		}
		if term.Evaluate(random(seed)).Of(condition) == 1 {
			return Result{Answer: Yes, Model: random(seed), By: "drawn states"}, nil
		}
	}
	return d.next.Decide(ctx, condition)
}

// random is a state that follows from a seed.
type random uint64

func (r random) Var(t *term.Term) uint64 {
	return r.draw(t, hashOf(t.Name))
}

func (r random) App(t *term.Term, args []uint64) uint64 {
	h := hashOf(t.Name)
	for _, a := range args {
		h = term.Mix(h, a)
	}
	return r.draw(t, h)
}

func hashOf(name string) uint64 {
	h := uint64(1)
	for _, c := range []byte(name) {
		h = term.Mix(h, uint64(c))
	}
	return h
}

// draw is a value of a term's width: small, a corner, or any.
func (r random) draw(t *term.Term, h uint64) uint64 {
	h = term.Mix(term.Mix(h, uint64(r)), uint64(t.Width))
	if !t.IsBits() || t.Width == 1 {
		return h >> 7
	}
	return shape(h, t.Width, uint64(r))
}

// shape makes a number of a width of a hash, in the way of a seed: even ones draw all
// inputs from few values, so that they are often equal, or on one side of 0.
func shape(h uint64, width uint8, seed uint64) uint64 {
	x, way := h>>16, h%8
	var v uint64
	switch {
	case seed%4 == 0:
		v = x%5 - 1
	case seed%8 == 2: // all above 0
		v = 1 + x%50
	case seed%8 == 6: // all below
		v = -(1 + x%50)
	case way < 4:
		v = x%256 - 64
	case way == 4:
		v = 1 << (x % uint64(width))
	case way == 5:
		v = term.Mask(width)>>1 + x%3 - 1
	case way == 6:
		v = -(x % 17)
	default:
		v = x
	}
	return v & term.Mask(width)
}
