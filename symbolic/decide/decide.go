// Package decide says whether a condition on terms can hold: a chain of deciders of one
// interface, cheap ones in front, each asking the next about what it cannot answer itself
// (KLEE's chain; Cadar, Dunbar and Engler, OSDI 2008).
//
// Rewriting has come before all: package term decides most questions while they are put.
// Then: a few states, drawn at random, in which the condition may hold (drawn.go);
// answers that were given before, and the states in which earlier conditions held
// (known.go); and bits: the condition
// as an and-inverter graph that all questions about one function share, in which nodes that
// turn out to be equal are merged (graph.go; Kuehlmann and Krohm, "Equivalence Checking
// Using Cuts and Heaps", 1997), so that the search for a model (package sat) finds two
// versions of the same code to be mostly one. A solver of somebody else's may come last (other.go).
//
// # What an answer is worth
//
// Functions that are not interpreted are free there: that equal arguments give equal
// results is added where a model breaks it, and the question is put again. No is a proof.
// Yes comes with a model in which the condition was evaluated to hold, functions consistent.
// Unknown is an answer: limits are conflicts and nodes, never seconds.
package decide

import (
	"context"

	"github.com/winnow-mutants/winnow/symbolic/term"
)

// Answer says whether a condition can hold.
type Answer uint8

// The answers.
const (
	Unknown Answer = iota
	No             // it never holds
	Yes            // it holds in the model
)

func (a Answer) String() string { return [...]string{"unknown", "no", "yes"}[a] }

// Result is an answer, and a model if it is Yes.
type Result struct {
	Answer Answer
	Model  term.State
	// By names the decider that knew.
	By string
}

// Decider answers whether a condition, a term of one bit, can hold. An error is of the
// context only.
type Decider interface {
	Decide(ctx context.Context, condition *term.Term) (Result, error)
}

// Limits bound the work on one condition.
type Limits struct {
	// Conflicts bounds those of the search for a model; 0 means 8,000.
	Conflicts int
	// Nodes bounds those of the graph; 0 means 100,000.
	Nodes int
}

func (l Limits) withDefaults() Limits {
	if l.Conflicts == 0 {
		l.Conflicts = 8_000
	}
	if l.Nodes == 0 {
		l.Nodes = 100_000
	}
	return l
}

// Chain puts what is quick in front of the decider that is asked last, of one pool's conditions.
func Chain(last Decider) Decider { return Drawn(Remembered(Known(last))) }

// Remembered gives the answers again that were given.
func Remembered(next Decider) Decider { return &remembered{next, map[*term.Term]Result{}} }

type remembered struct {
	next    Decider
	answers map[*term.Term]Result
}

func (r *remembered) Decide(ctx context.Context, condition *term.Term) (Result, error) {
	if known, ok := r.answers[condition]; ok {
		return known, nil
	}
	out, err := r.next.Decide(ctx, condition)
	if err == nil {
		r.answers[condition] = out
	}
	return out, err
}
