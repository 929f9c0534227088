package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/winnow-mutants/winnow/symbolic/decide"
	"github.com/winnow-mutants/winnow/symbolic/smtlib"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// versus asks each question that the embedded decider is asked of another solver, too, and
// counts. Answers that contradict each other are wrong.
type versus struct {
	name string
	each time.Duration // of the other solver's time for a question

	mu                                     sync.Mutex
	questions, embedded, other, both, less int
	wrong                                  []string
	embeddedTime, otherTime                time.Duration
	slowest                                time.Duration // of the embedded one
}

// last is smt.Options.Last.
func (v *versus) last(embedded decide.Decider) (decide.Decider, func()) {
	solver, err := smtlib.NewSolver(v.name, v.each)
	if err != nil {
		return failed{err}, func() {}
	}
	return &compared{v, embedded, solver}, solver.Close
}

// failed is a decider that has only an error.
type failed struct{ err error }

func (f failed) Decide(context.Context, *term.Term) (decide.Result, error) {
	return decide.Result{}, f.err
}

type compared struct {
	v        *versus
	embedded decide.Decider
	solver   *smtlib.Solver
}

func (c *compared) Decide(ctx context.Context, condition *term.Term) (decide.Result, error) {
	start := time.Now()
	out, err := c.embedded.Decide(ctx, condition)
	took := time.Since(start)
	if err != nil {
		return out, err
	}
	start = time.Now()
	answer, _, err := c.solver.Ask(ctx, condition)
	if err != nil {
		return out, err
	}
	c.v.count(out.Answer, answer, took, time.Since(start), fmt.Sprintf("condition %d", condition.ID))
	return out, nil
}

func (v *versus) count(ours decide.Answer, theirs smtlib.Answer, took, other time.Duration, what string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.questions++
	v.embeddedTime += took
	v.otherTime += other
	v.slowest = max(v.slowest, took)
	quick := ours != decide.Unknown && took <= v.each
	switch {
	case quick && theirs != smtlib.Unknown:
		v.both++
	case quick:
		v.embedded++
	case theirs != smtlib.Unknown:
		v.other++
	default:
		v.less++
	}
	if ours == decide.Yes && theirs == smtlib.Unsat || ours == decide.No && theirs == smtlib.Sat {
		v.wrong = append(v.wrong, what)
	}
}

// write prints the counts.
func (v *versus) write(out io.Writer) error {
	decided := v.both + v.other
	fmt.Fprintf(out, "\n| questions that the embedded decider was asked, and %s | %d |\n|---|--:|\n", v.name, v.questions)
	fmt.Fprintf(out, "| decided by %s in %v | %d |\n", v.name, v.each, decided)
	if decided > 0 {
		fmt.Fprintf(out, "| of these by the embedded decider in that time | %d (%.1f %%) |\n", v.both, 100*float64(v.both)/float64(decided))
	}
	fmt.Fprintf(out, "| decided by the embedded one alone, by none | %d, %d |\n", v.embedded, v.less)
	fmt.Fprintf(out, "| answers that contradict each other | %d |\n", len(v.wrong))
	fmt.Fprintf(out, "| time of the embedded decider, the most for a question; of %s | %.1f s, %.2f s; %.1f s |\n", v.name, v.embeddedTime.Seconds(), v.slowest.Seconds(), v.otherTime.Seconds())
	if len(v.wrong) > 0 {
		return errors.New("the two deciders contradict each other")
	}
	return nil
}
