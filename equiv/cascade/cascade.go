// Package cascade lists the stages that find equivalent and duplicate mutants,
// and asks them in turn: each about the mutants that no stage before it has
// decided, function by function, so that the expensive stages see few mutants.
//
// Stages run at the same time. A function goes on to the next stage as soon as the
// one before has told its verdicts, and waits there until it is asked for; no more
// functions are under way than the stages look at.
//
// Verdicts are put together per function. A mutant that one stage calls a duplicate
// of another follows that one wherever a later stage ties it: both are then equal
// to the same, and the evidence names both stages.
package cascade

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/mutant"
)

// ErrContract is wrapped by the error of Decide when a stage does not keep the
// contract of equiv.Stage.
var ErrContract = errors.New("the stage does not keep its contract")

// Decide asks the stages about the mutants of the batches, and reports for each
// stage what it cost and found. A batch's Done is told the verdicts when all stages
// have had their say. Decide fails if a stage does.
func Decide(ctx context.Context, stages []equiv.Stage, p equiv.Program, batches iter.Seq[equiv.Batch]) ([]equiv.Report, error) {
	if len(stages) == 0 {
		for f := range opened(batches) {
			f.Done(f.verdicts)
		}
		return nil, ctx.Err()
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	turns := make([]*turn, len(stages))
	feed := opened(batches)
	for i, s := range stages {
		turns[i] = &turn{stage: s, in: feed, report: equiv.Report{Stage: s.Name}}
		if i < len(stages)-1 {
			turns[i].next = make(chan *function)
			feed = received(ctx, turns[i].next)
		}
	}
	// A stage waits for those before and behind it, so that each has a worker, and
	// one that fails stops the others.
	err := parallel.Each(ctx, len(turns), slices.Values(turns), func(_ context.Context, _ int, t *turn) (err error) {
		ended := false
		defer func() {
			if !ended {
				cancel(err)
			}
		}()
		err = t.run(ctx, p)
		ended = err == nil
		return err
	})
	if cause := context.Cause(ctx); cause != nil {
		return nil, cause
	}
	if err != nil {
		return nil, err
	}
	reports := make([]equiv.Report, len(turns))
	for i, t := range turns {
		reports[i] = t.report
	}
	return reports, nil
}

// function is the mutants of one function on their way through the stages.
type function struct {
	equiv.Batch
	verdicts []equiv.Verdict
	// open are the places of the mutants that are not decided.
	open []int
}

// opened makes functions of batches.
func opened(batches iter.Seq[equiv.Batch]) iter.Seq[*function] {
	return func(yield func(*function) bool) {
		for b := range batches {
			f := &function{Batch: b, verdicts: make([]equiv.Verdict, len(b.Mutants)), open: make([]int, len(b.Mutants))}
			for i := range f.open {
				f.open[i] = i
			}
			if !yield(f) {
				return
			}
		}
	}
}

// received are the functions that come out of a channel, until the context ends.
func received(ctx context.Context, from <-chan *function) iter.Seq[*function] {
	return func(yield func(*function) bool) {
		for {
			select {
			case <-ctx.Done():
				return
			case f, ok := <-from:
				if !ok || !yield(f) {
					return
				}
			}
		}
	}
}

// turn is a stage at work.
type turn struct {
	stage equiv.Stage
	in    iter.Seq[*function]
	// next is where functions go that have open mutants; nil at the last stage.
	next chan *function

	mu      sync.Mutex // guards what follows
	report  equiv.Report
	pending int // batches without verdicts
	broken  error
}

// run asks the stage about all functions.
func (t *turn) run(ctx context.Context, p equiv.Program) error {
	if t.next != nil {
		defer close(t.next)
	}
	drained := false
	busy, err := t.stage.Decide(ctx, p, func(yield func(equiv.Batch) bool) {
		for f := range t.in {
			b := equiv.Batch{Module: f.Module, Func: f.Func, Mutants: f.openMutants()}
			b.Done = func(verdicts []equiv.Verdict) { t.take(ctx, f, &b, verdicts) }
			t.note(func() { t.pending++ })
			if !yield(b) {
				return
			}
		}
		drained = true
	})
	t.report.Busy = busy
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case t.broken != nil:
		return t.broken
	case !drained || t.pending > 0:
		return fmt.Errorf("%s: %w: it left batches without verdicts", t.stage.Name, ErrContract)
	}
	return nil
}

func (t *turn) note(what func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	what()
}

// openMutants are those that no stage has decided: at first all.
func (f *function) openMutants() []mutant.Mutant {
	if len(f.open) == len(f.Mutants) {
		return f.Mutants
	}
	out := make([]mutant.Mutant, len(f.open))
	for k, i := range f.open {
		out[k] = f.Mutants[i]
	}
	return out
}

// take keeps the verdicts on a function's open mutants and hands it on.
func (t *turn) take(ctx context.Context, f *function, b *equiv.Batch, verdicts []equiv.Verdict) {
	err := check(b, verdicts)
	t.note(func() {
		t.pending--
		if err != nil {
			t.broken = fmt.Errorf("%s: %w: %w", t.stage.Name, ErrContract, err)
			return
		}
		t.report.Add(verdicts)
	})
	if err != nil {
		return
	}
	var open []int
	for k, i := range f.open {
		f.keep(i, verdicts[k])
		if verdicts[k].Kind == equiv.Unknown {
			open = append(open, i)
		}
	}
	f.open = open
	if t.next == nil || len(open) == 0 {
		f.Done(follow(f.verdicts))
		return
	}
	select {
	case t.next <- f:
	case <-ctx.Done(): // nobody waits for the verdicts any more
	}
}

// check reports verdicts that are not those of a batch.
func check(b *equiv.Batch, verdicts []equiv.Verdict) error {
	if len(verdicts) != len(b.Mutants) {
		return fmt.Errorf("%d verdicts on %d mutants", len(verdicts), len(b.Mutants))
	}
	earlier := map[int32]bool{}
	for i, v := range verdicts {
		switch {
		case v.Mutant != b.Mutants[i].Selector:
			return fmt.Errorf("a verdict on mutant %d in the place of %d", v.Mutant, b.Mutants[i].Selector)
		case v.Kind == equiv.Duplicate && !earlier[v.Of], v.Kind != equiv.Duplicate && v.Of != 0:
			return fmt.Errorf("mutant %d is called %v of %d", v.Mutant, v.Kind, v.Of)
		}
		earlier[v.Mutant] = true
	}
	return nil
}

// keep notes what a stage says of a mutant. A stage that could not look at it takes
// nothing from what one before it has seen, but says why it could not.
func (f *function) keep(i int, v equiv.Verdict) {
	switch was := &f.verdicts[i]; {
	case v.Kind != equiv.Unknown || v.Evidence != "" || was.Evidence == "":
		*was = v
	case was.Reason == "":
		was.Reason = v.Reason
	}
}

// follow ties a duplicate of a mutant that a later stage has tied to what that one
// is tied to. Mutants are duplicates of earlier ones only, so one walk is enough.
func follow(verdicts []equiv.Verdict) []equiv.Verdict {
	at := make(map[int32]*equiv.Verdict, len(verdicts))
	for i := range verdicts {
		v := &verdicts[i]
		at[v.Mutant] = v
		if v.Kind != equiv.Duplicate {
			continue
		}
		of := at[v.Of]
		if of.Kind != equiv.Equivalent && of.Kind != equiv.Duplicate {
			continue
		}
		v.Kind, v.Of = of.Kind, of.Of
		if v.Evidence != of.Evidence {
			v.Evidence += ", " + of.Evidence
		}
	}
	return verdicts
}
