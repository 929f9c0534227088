package equiv

import (
	"context"
	"iter"
	"sync/atomic"
	"time"

	"github.com/winnow-mutants/winnow/internal/parallel"
)

// Beside is the Decide of a stage that looks at each function by itself, at so many at the same
// time; 0 or less means one a CPU. A function's verdicts do not depend on the others. All are unknown
// where it panics, if the program has somebody to tell.
func Beside(workers int, function func(ctx context.Context, b Batch) ([]Verdict, error)) func(context.Context, Program, iter.Seq[Batch]) (time.Duration, error) {
	return func(ctx context.Context, p Program, batches iter.Seq[Batch]) (time.Duration, error) {
		var busy atomic.Int64
		err := parallel.Each(ctx, workers, batches, func(ctx context.Context, _ int, b Batch) error {
			start := time.Now()
			verdicts, err := p.try(ctx, b, function)
			busy.Add(int64(time.Since(start)))
			if err == nil {
				b.Done(verdicts)
			}
			return err
		})
		return time.Duration(busy.Load()), err
	}
}

// try looks at a function. Where that panics and Mishap is there, it is told, and every mutant is unknown.
func (p *Program) try(ctx context.Context, b Batch, function func(context.Context, Batch) ([]Verdict, error)) (verdicts []Verdict, err error) {
	if p.Mishap == nil {
		return function(ctx, b)
	}
	defer func() {
		if v := recover(); v != nil {
			p.Mishap(Mishap{b.Func.Name(), parallel.Cause(v)})
			verdicts = make([]Verdict, len(b.Mutants))
			for i := range verdicts {
				verdicts[i] = Verdict{Mutant: b.Mutants[i].Selector, Reason: "winnow failed at its function"}
			}
		}
	}()
	return function(ctx, b)
}

// Within bounds the work on a function by how long it may take and until when all may, whichever
// comes first; zero values are no bound.
func Within(ctx context.Context, most time.Duration, until time.Time) (context.Context, context.CancelFunc) {
	if most > 0 {
		if end := time.Now().Add(most); until.IsZero() || end.Before(until) {
			until = end
		}
	}
	if until.IsZero() {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, until)
}
