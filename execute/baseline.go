package execute

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"
)

// Baseline is how the original behaves: what mutants are compared with.
type Baseline struct {
	// Tests are in the order of the engine's tests.
	Tests []TestBaseline
}

// TestBaseline is the original on one test.
type TestBaseline struct {
	Outcome
	// SetAside says why the test is not used, e.g. that it is flaky; "" when it
	// is. An original that crashes is no reason: crashing is its behaviour.
	SetAside string
	// Reached holds the sites that executed. ReachedKnown is false when the run
	// ended in a way that hid them; Reached then holds all sites, so that no
	// mutant is taken for unreached.
	Reached      Bits
	ReachedKnown bool
	// Runs of mutants begin where the original is when their site is about to be
	// reached: Steps holds, by site, in which step of its run that is, from 1, each
	// step Slice units of work; 0 where it is not known. Slice is 0 where runs share
	// nothing: too short to gain.
	Slice int64
	Steps []uint8
}

// unlimitedFuel leaves room for subtraction without overflow.
const unlimitedFuel = math.MaxInt64 / 4

// repeats is how often the second server runs each original. With the first
// server's run, the outcomes come from two processes and from three different
// process numbers.
const repeats = 2

// Originals runs the original on every test: once in one set of servers, where
// it notes the sites reached, and again in another set, in reverse order. Tests
// that differ are flaky, and those that exceed a limit have no behaviour to
// compare with; both are set aside.
func (e *Engine) Originals(ctx context.Context) (*Baseline, error) {
	n := len(e.tests)
	base := &Baseline{Tests: make([]TestBaseline, n)}
	err := e.eachTask(ctx, n, func(ctx context.Context, w *worker, test int) error {
		b, err := e.originalBatch(test)
		if err != nil {
			return err
		}
		b.want, b.selectors = wantReached, []int32{0}
		seen, err := w.decide(ctx, b)
		if err != nil {
			return err
		}
		base.Tests[test] = e.firstLook(seen[0])
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("running the original: %w", err)
	}
	e.Rest() // what depends on its server shows by another
	err = e.eachTask(ctx, n, func(ctx context.Context, w *worker, task int) error {
		test := n - 1 - task
		first := &base.Tests[test]
		if first.SetAside != "" {
			return nil
		}
		b, err := e.originalBatch(test)
		if err != nil {
			return err
		}
		b.selectors = make([]int32, repeats)
		seen, err := w.decide(ctx, b)
		if err != nil {
			return err
		}
		first.secondLook(seen)
		return e.findSteps(ctx, w, b, first)
	})
	if err != nil {
		return nil, fmt.Errorf("running the original again: %w", err)
	}
	return base, nil
}

func (e *Engine) originalBatch(test int) (*batch, error) {
	input, err := e.tests[test].ReadInput()
	b := &batch{tier: e.options.Tier.alone(), test: test, args: e.tests[test].Args, input: input,
		fuel: e.options.BaselineWork, wall: e.options.BaselineWall}
	return b, err
}

func (e *Engine) firstLook(seen decided) TestBaseline {
	t := TestBaseline{Outcome: seen.Outcome, Reached: NewBits(e.sites), ReachedKnown: seen.reached != nil}
	for site := range e.sites {
		if !t.ReachedKnown || site < len(seen.reached) && seen.reached[site] != 0 {
			t.Reached.Set(site)
		}
	}
	switch {
	case seen.Cause == CauseFailed:
		t.SetAside = "the original could not be run: " + seen.failure
	case seen.Cause.Limit():
		t.SetAside = fmt.Sprintf("the original exceeds the limit of %v", seen.Cause)
	case seen.Work < 0:
		t.SetAside = "the original overwrites the counter of its work"
	}
	return t
}

func (t *TestBaseline) secondLook(seen []decided) {
	for _, again := range seen {
		if !t.Same(again.Outcome, ExitStatus) {
			t.SetAside = fmt.Sprintf("flaky: the original behaves differently when it runs again (%v; %v)", t.Outcome, again.Outcome)
			return
		}
	}
}

// Fuel is the work budget of a mutant on the test.
func (o *Options) fuel(t *TestBaseline) int64 {
	budget := o.FuelFactor*float64(t.Work) + float64(o.FuelFloor)
	return int64(min(budget, unlimitedFuel))
}

func (o *Options) fence(t *TestBaseline) time.Duration {
	fence := o.WallFactor*float64(t.Wall) + float64(o.WallFloor)
	return time.Duration(min(fence, float64(24*time.Hour)))
}

// Observe runs one mutant (0 is the original) on one test with the judge, under
// the limits of an original, and returns what it printed, bytes as they were.
func (e *Engine) Observe(ctx context.Context, selector int32, test int) (Outcome, []byte, error) {
	return e.observe(ctx, selector, test, nil)
}

// ObserveBeside is Observe of a mutant, under the limits of one beside what the original did on the
// test: it ends soon when it never would.
func (e *Engine) ObserveBeside(ctx context.Context, original Outcome, selector int32, test int) (Outcome, []byte, error) {
	return e.observe(ctx, selector, test, &TestBaseline{Outcome: original})
}

// ObserveTests runs the original on some tests, as Observe does, several at a time, and has each
// looked at when it has been run: one after the other, in any order. Starting a server costs more
// than most programs do, and here each worker starts one.
func (e *Engine) ObserveTests(ctx context.Context, tests []int, look func(test int, o Outcome, output []byte)) error {
	var one sync.Mutex
	return e.eachTask(ctx, len(tests), func(ctx context.Context, w *worker, task int) error {
		o, output, err := e.judged(ctx, w, 0, tests[task], nil)
		if err != nil {
			return err
		}
		one.Lock()
		defer one.Unlock()
		look(tests[task], o, output)
		return nil
	})
}

func (e *Engine) observe(ctx context.Context, selector int32, test int, under *TestBaseline) (o Outcome, output []byte, err error) {
	err = e.eachTask(ctx, 1, func(ctx context.Context, w *worker, _ int) error {
		var err error
		o, output, err = e.judged(ctx, w, selector, test, under)
		return err
	})
	return o, output, err
}

// judged runs one mutant on one test with the judge, under the limits that a baseline gives, of an
// original where it is nil.
func (e *Engine) judged(ctx context.Context, w *worker, selector int32, test int, under *TestBaseline) (Outcome, []byte, error) {
	if test < 0 || test >= len(e.tests) {
		return Outcome{}, nil, fmt.Errorf("execute: no test %d among %d", test, len(e.tests))
	}
	b, err := e.originalBatch(test)
	if err != nil {
		return Outcome{}, nil, err
	}
	b.tier, b.want, b.selectors = Fresh, wantOutput, []int32{selector}
	if under != nil {
		b.fuel, b.wall = e.options.fuel(under), e.options.fence(under)
	}
	seen, err := w.decide(ctx, b)
	if err != nil {
		return Outcome{}, nil, err
	}
	if seen[0].Cause == CauseFailed {
		return seen[0].Outcome, nil, errors.New("execute: " + seen[0].failure)
	}
	return seen[0].Outcome, seen[0].output, nil
}
