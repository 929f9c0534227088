// Package smt finds equivalent and duplicate mutants by what their function computes: the
// original and the mutant are followed as terms (symbolic/execute), and a decider is asked
// whether they can come to something different (symbolic/decide).
//
// It goes from cut to cut: a function is cut at its entry and at the heads of its loops. From
// any state at a cut, the same for both, each version goes on to the next cuts or to the
// end. If they cannot differ there in what they show, leave and hold, as far as it may still
// be read, they never differ, however often loops run: by induction on the cuts passed, and
// with no bound. Only cuts from which the changed code is reached before the next are asked
// about. The weak form of Riener's miter (2011, section 3.3) on one function, with loops.
//
// Of the states at a cut, what the original's variables hold whenever it comes there is known
// (symbolic/invariant): a counter that is not negative, an index that is no more than a length.
// As both versions come to each cut in one state, what holds of the original's holds of it.
// Not so for two mutants: duplicates are compared from every state.
//
// What the function is called with, what memory holds and what other functions do is
// arbitrary, so a mutant that this tells apart may still be equivalent in its program: such
// a one is Unknown here, with the reason. Where a function depends on its arguments alone,
// a call that tells the two apart is run by the interpreter (analysis/concrete) before it is
// believed, and tried on all further mutants: such a mutant is Different.
//
// A duplicate is a mutant whose terms are those of an earlier one.
//
// What C leaves undefined in the original is no difference where a counter runs over its type:
// then nothing is known any more.
package smt

import (
	"context"
	"errors"
	"time"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/symbolic/assume"
	"github.com/winnow-mutants/winnow/symbolic/decide"
	"github.com/winnow-mutants/winnow/symbolic/execute"
	"github.com/winnow-mutants/winnow/symbolic/smtlib"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Replay is the evidence of a Different mutant: a call was found and run. It is Limits where the
// call takes numbers near the limits of their type, and what differs is mostly what runs over.
const (
	Replay = "smt/replay"
	Limits = "smt/limits"
)

// Options choose how much work a mutant is worth.
type Options struct {
	// Workers is how many functions are looked at at the same time; 0 means one a CPU.
	// Verdicts do not depend on it.
	Workers int
	// Limits bound each question.
	Limits decide.Limits
	// Time bounds a function's mutants together: those that are left when it is over are
	// Unknown. 0 is no bound, with which verdicts are the same on every machine.
	Time time.Duration
	// Until ends all that is left, in the same way; zero is never.
	Until time.Time
	// Assumed is what the user takes for granted; the reasons of verdicts that rest on it say so.
	Assumed []assume.Assumption
	// Last, when set, makes the decider that is asked last, of the embedded one: once a function,
	// with what is done when that is decided.
	Last func(embedded decide.Decider) (last decide.Decider, done func())
	// Proved, when set, is told of each mutant that is found equivalent, and from several
	// goroutines. Those whose terms are the original's leave no condition to ask.
	Proved func(Proved)
}

// Proved is a mutant that was found equivalent: none of the conditions can hold, one a cut from
// which its code is reached, unless rewriting was enough to see it. Facts, as text, hold at the
// cuts of those conditions that begin with them; why, no condition says.
type Proved struct {
	Mutant     *mutant.Mutant
	Pool       *term.Pool // of the conditions
	Conditions []*term.Term
	Facts      []string
}

// Brief are the options where many mutants wait for a run to end: little work on each, but
// bounded in conflicts and nodes, so that verdicts do not depend on the machine as long as the
// time does not come.
func Brief(until time.Time) Options {
	return Options{Limits: decide.Limits{Conflicts: 1_000, Nodes: 50_000}, Until: until}
}

// Stage returns the stage.
func Stage(opts Options) equiv.Stage {
	return equiv.Stage{
		Name:   "smt",
		Doc:    "Symbolic execution from loop head to loop head (after Riener 2011): mutants that come to the same from every state of their function.",
		Cost:   50 * time.Millisecond,
		Decide: equiv.Beside(opts.Workers, func(ctx context.Context, b equiv.Batch) ([]equiv.Verdict, error) { return Function(ctx, b, opts) }),
	}
}

// Function gives the verdicts on the mutants of one function.
func Function(ctx context.Context, b equiv.Batch, opts Options) ([]equiv.Verdict, error) {
	out := make([]equiv.Verdict, len(b.Mutants))
	for i := range b.Mutants {
		out[i].Mutant = b.Mutants[i].Selector
	}
	within, stop := equiv.Within(ctx, opts.Time, opts.Until)
	defer stop()
	if within.Err() != nil && ctx.Err() == nil {
		for i := range out {
			out[i].Reason = timeReason
		}
		return out, nil
	}
	p, err := prepare(b, opts)
	switch {
	case errors.Is(err, execute.ErrAssumption):
		return nil, err
	case err != nil:
		for i := range out {
			out[i].Reason = err.Error()
		}
		return out, nil
	}
	defer p.done()
	for i := range b.Mutants {
		v := &out[i]
		if within.Err() != nil && ctx.Err() == nil {
			v.Reason = timeReason
			continue
		}
		if p.changes[i] == nil {
			v.Reason = "the change is not understood"
			continue
		}
		r, err := p.compare(within, i)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case errors.Is(err, smtlib.ErrLies):
			return nil, err
		case within.Err() != nil:
			v.Reason = timeReason
			continue
		case err != nil:
			v.Reason = err.Error()
			continue
		}
		v.Evidence, v.Reason = "smt/"+r.by, r.reason
		switch {
		case r.equal:
			v.Kind = equiv.Equivalent
			if opts.Proved != nil {
				opts.Proved(Proved{&b.Mutants[i], p.f.Pool, r.conditions, r.facts})
			}
		case p.seen[r.signature] > 0:
			v.Kind, v.Of = equiv.Duplicate, b.Mutants[p.seen[r.signature]-1].Selector
			v.Evidence, v.Reason = "smt/terms", "both compute the same formulas"
		case r.signature != "":
			p.seen[r.signature] = i + 1
		}
		if r.told.Call != "" && v.Kind == equiv.Unknown {
			v.Kind, v.Evidence, v.Reason = equiv.Different, Replay, r.told.Call
			if r.told.Near {
				v.Evidence = Limits
			}
		}
	}
	return out, nil
}
