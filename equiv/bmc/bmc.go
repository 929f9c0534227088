// Package bmc looks for a difference between a function and its mutants within a number of rounds
// of its loops, from the function's beginning: bounded model checking with a miter (Riener 2011,
// section 3.3). Where the function's arguments are numbers, or it is the main of a program that
// reads its standard input, what a model says is a test: it is run by the interpreter
// (equiv/replay) before it is believed, and on all mutants that are open, most of which need no
// question then (simulation, which the thesis names as future work).
//
// # Verdicts
//
// A mutant that a test tells is Different, with the test. One that cannot differ within the bound
// is Unknown, and the reason says the bound, unless neither version ever comes to a loop more
// often (the unwinding assertions hold): then the bound leaves nothing out, and the mutant is
// Equivalent. A model that the run does not confirm, as where functions that are not known would
// have to do what they do not do, decides nothing.
//
// # Where it departs from the thesis
//
// The selector of the meta-mutant is no free input of one formula: mutants are asked about in
// turn. That one formula was there to share what mutants have in common, which here all terms of a
// function do (symbolic/term) and the graph of their bits does (symbolic/decide); and a question
// about one mutant has an answer of its own, so that a limit leaves one mutant open, and not all.
// The bound counts the rounds of all loops together. Traps are compared, too, and so is the order
// of what is shown. Calls of small functions without loops are followed; what others do is an arbitrary function of
// all that was shown before, the same for both versions.
package bmc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/symbolic/assume"
	"github.com/winnow-mutants/winnow/symbolic/decide"
	"github.com/winnow-mutants/winnow/symbolic/execute"
)

// The evidence of verdicts: a test was run and told, nothing differs and nothing is beyond the
// bound, nothing differs within the bound, neither was found.
const (
	Told     = "bmc/replay"
	Limits   = "bmc/limits" // as smt.Limits
	Complete = "bmc/complete"
	Bounded  = "bmc/bounded"
	Open     = "bmc/open"
)

// Rounds is how often loops' heads are passed, all together, unless options say otherwise.
const Rounds = 8

// Options choose how much work is done.
type Options struct {
	// Workers is how many functions are looked at at the same time; 0 means one a CPU. Verdicts
	// do not depend on it.
	Workers int
	// Rounds is how often loops' heads are passed, all together; 0 means Rounds.
	Rounds int
	// Limits bound each question.
	Limits decide.Limits
	// Time bounds a function's mutants together; 0 is no bound, with which verdicts are the same
	// on every machine.
	Time time.Duration
	// Until ends all that is left, in the same way; zero is never.
	Until time.Time
	// Assumed is what the user takes for granted; verdicts that rest on it say so.
	Assumed []assume.Assumption
	// Found, when set, is told of each test that tells mutants, and from several goroutines.
	Found func(Test)
}

// Test is a call or an input that tells mutants from the original.
type Test struct {
	// Function is that whose arguments they are; "main" where Input is what the program reads.
	Function string
	Args     []int64
	Input    []byte
	// Tells are mutants, those that it is the first to tell.
	Tells []*mutant.Mutant
}

// Stage returns the stage.
func Stage(opts Options) equiv.Stage {
	return equiv.Stage{
		Name:   "bmc",
		Doc:    "Bounded model checking with a miter (Riener 2011): a test for each mutant that can differ within some rounds of its function's loops, and tried on all others.",
		Cost:   200 * time.Millisecond,
		Decide: equiv.Beside(opts.Workers, func(ctx context.Context, b equiv.Batch) ([]equiv.Verdict, error) { return Function(ctx, b, opts) }),
	}
}

// Function gives the verdicts on the mutants of one function.
func Function(ctx context.Context, b equiv.Batch, opts Options) ([]equiv.Verdict, error) {
	if opts.Rounds <= 0 {
		opts.Rounds = Rounds
	}
	within, stop := equiv.Within(ctx, opts.Time, opts.Until)
	defer stop()
	out := make([]equiv.Verdict, len(b.Mutants))
	for i := range b.Mutants {
		out[i].Mutant = b.Mutants[i].Selector
	}
	err := within.Err()
	var s *search
	if err == nil {
		s, err = newSearch(b, opts, out)
	}
	if err == nil {
		err = s.all(within)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, execute.ErrAssumption):
		return nil, err
	case within.Err() != nil:
		err = fmt.Errorf("the time was over before it was looked at to the end")
	}
	if err != nil {
		for i := range out {
			if out[i].Kind == equiv.Unknown && out[i].Evidence == "" && out[i].Reason == "" {
				out[i].Reason = err.Error()
			}
		}
	}
	return out, nil
}
