package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// task is one batch of a kill run.
type task struct {
	test    int
	mutants []int // indices
}

// killRun is the state of one call of Kill.
type killRun struct {
	engine  *Engine
	base    *Baseline
	beyond  []Cell // the pairs run although they are not infected
	mutants []Mutant
	result  *Result
	tasks   []task

	mu       sync.Mutex
	waiting  []int    // by test: batches not yet decided
	cells    [][]Cell // by test, in completion order until the test is done
	timeouts []Bits   // by mutant: tests ended by work or time
	audited  []Cell   // the pairs audited; only their numbers are used
	handedOn []Cell   // the pairs that InProcess left to Fork; likewise
	total    int
	done     int
}

// Kill decides every pair of mutants and tests. The baseline is that of this
// engine (Originals). An error means that no runs are possible or the context
// ended, never that a mutant misbehaved.
func (e *Engine) Kill(ctx context.Context, base *Baseline, mutants []Mutant) (*Result, error) {
	if len(base.Tests) != len(e.tests) {
		return nil, fmt.Errorf("execute: the baseline is of %d tests, the engine has %d", len(base.Tests), len(e.tests))
	}
	for i, m := range mutants {
		if m.Selector < 1 || m.Site < 0 || m.Site >= e.sites {
			return nil, fmt.Errorf("execute: mutant %d: selector %d or site %d is not of this program with %d sites", i, m.Selector, m.Site, e.sites)
		}
	}
	if p := e.options.Probe; p != nil && len(p.Tests) != len(e.tests) {
		return nil, fmt.Errorf("execute: %d tests were probed, the engine has %d", len(p.Tests), len(e.tests))
	}
	k := &killRun{engine: e, base: base, mutants: mutants}
	if err := k.plan(); err != nil {
		return nil, err
	}
	err := e.eachTask(ctx, len(k.tasks), func(ctx context.Context, w *worker, i int) error {
		return k.run(ctx, w, k.tasks[i])
	})
	if err != nil {
		return nil, fmt.Errorf("running the mutants: %w", err)
	}
	k.assemble()
	return k.result, nil
}

// plan fills in what needs no run and cuts the rest into tasks, test by test.
func (k *killRun) plan() error {
	n := len(k.engine.tests)
	k.result = &Result{Mutants: slices.Clone(k.mutants), Sandbox: k.engine.sandbox, Infected: makeBits(len(k.mutants), n),
		Killed: makeBits(len(k.mutants), n), Unknown: makeBits(len(k.mutants), n), Reached: makeBits(len(k.mutants), n)}
	k.timeouts = makeBits(len(k.mutants), n)
	k.waiting, k.cells = make([]int, n), make([][]Cell, n)
	for test := range n {
		t := &k.base.Tests[test]
		var reached []int
		for m, mutant := range k.mutants {
			switch {
			case t.SetAside != "":
				k.result.Unknown[m].Set(test)
			case t.Reached.Has(mutant.Site):
				k.result.Reached[m].Set(test)
				if k.needsRun(m, test) {
					reached = append(reached, m)
				}
			}
		}
		k.result.Runs += len(reached)
		if known, ok := k.engine.options.Known[test]; ok {
			if err := k.recall(test, known); err != nil {
				return err
			}
			continue
		}
		k.total += len(reached)
		for part := range slices.Chunk(reached, k.engine.options.Tier.chunk()) {
			k.tasks = append(k.tasks, task{test, part})
			k.waiting[test]++
		}
	}
	return nil
}

// recall takes over the cells of an earlier run.
func (k *killRun) recall(test int, known []Cell) error {
	for _, c := range known {
		if int(c.Test) != test || c.Mutant < 0 || int(c.Mutant) >= len(k.mutants) || !k.result.Reached[c.Mutant].Has(test) {
			return fmt.Errorf("execute: the known cell %+v does not belong to test %d of this run; start it anew", c, test)
		}
	}
	k.cells[test] = known
	return nil
}

func makeBits(sets, members int) []Bits {
	out := make([]Bits, sets)
	for i := range out {
		out[i] = NewBits(members)
	}
	return out
}

// run decides one task.
func (k *killRun) run(ctx context.Context, w *worker, t task) error {
	e := k.engine
	input, err := e.tests[t.test].ReadInput()
	if err != nil {
		return err
	}
	base := &k.base.Tests[t.test]
	b := &batch{tier: e.options.Tier, args: e.tests[t.test].Args, outputs: e.tests[t.test].outputs(), input: input,
		fuel: e.options.fuel(base), wall: e.options.fence(base), test: t.test, original: &base.Outcome}
	running := k.notStopped(t)
	var sites []int
	for _, m := range running {
		b.selectors = append(b.selectors, k.mutants[m].Selector)
		sites = append(sites, k.mutants[m].Site)
	}
	b.inSteps(base, sites)
	var seen []decided
	if len(running) > 0 {
		if seen, err = w.decide(ctx, b); err != nil {
			return err
		}
	}
	if err := k.audit(ctx, w, t.test, b, running, seen); err != nil {
		return err
	}
	k.finish(t, running, seen)
	return nil
}

// notStopped leaves out the mutants that have timed out often enough on
// earlier tests; assemble gives them the same cells as if they had run.
func (k *killRun) notStopped(t task) []int {
	limit := k.engine.options.StopAfterTimeouts
	if limit == 0 {
		return t.mutants
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(t.mutants), func(m int) bool {
		before := 0
		for test := range t.test {
			if k.timeouts[m].Has(test) {
				before++
			}
		}
		return before >= limit
	})
}

// audit decides a sample of the pairs again with the judge and puts its
// observation in place where the two differ.
func (k *killRun) audit(ctx context.Context, w *worker, test int, b *batch, running []int, seen []decided) error {
	if b.tier.judge {
		return nil
	}
	for i, m := range running {
		if !sampled(b.selectors[i], test, k.engine.options.AuditEvery) || seen[i].Cause == CauseFailed {
			continue
		}
		again, err := w.judge(ctx, b, b.selectors[i], "the audit's run could not be started")
		if err != nil {
			return err
		}
		fast, judge := seen[i].Outcome, again.Outcome
		fast.Wall, judge.Wall = 0, 0
		k.mu.Lock()
		k.audited = append(k.audited, Cell{Mutant: int32(m), Test: int32(test)})
		if !fast.Same(judge, ExitStatus) || fast.Work != judge.Work && fast.Cause != CauseTime {
			k.result.Audit.Disagreements = append(k.result.Audit.Disagreements, Disagreement{Mutant: m, Test: test, Fast: fast, Judge: judge})
			seen[i] = again
		}
		k.mu.Unlock()
	}
	return nil
}

// sampled chooses pairs by their numbers, so that every run audits the same.
func sampled(selector int32, test, every int) bool {
	x := uint64(uint32(selector))<<32 | uint64(uint32(test))
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9 // the mixer of SplitMix64 (Steele, Lea and Flood 2014)
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return (x^x>>31)%uint64(every) == 0
}

// finish stores a task's verdicts and hands out the test's when it was the last.
func (k *killRun) finish(t task, running []int, seen []decided) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, m := range running {
		cell, ok := k.cell(m, t.test, seen[i].Outcome)
		if ok {
			k.cells[t.test] = append(k.cells[t.test], cell)
		}
		k.auditProbe(m, t.test, seen[i].Outcome, ok)
		if seen[i].Cause == CauseFailed {
			k.result.Failures = append(k.result.Failures, Failure{Mutant: m, Test: t.test, Reason: seen[i].failure})
		}
		if seen[i].shared {
			k.result.Shared++
		}
		if seen[i].handedOn {
			k.handedOn = append(k.handedOn, Cell{Mutant: int32(m), Test: int32(t.test)})
		}
		if timedOut(seen[i].Cause) {
			k.timeouts[m].Set(t.test)
		}
	}
	for _, m := range t.mutants {
		if _, ran := slices.BinarySearch(running, m); !ran {
			k.cells[t.test] = append(k.cells[t.test], stoppedCell(m, t.test))
		}
	}
	k.waiting[t.test]--
	k.done += len(t.mutants)
	options := &k.engine.options
	if k.waiting[t.test] == 0 {
		slices.SortFunc(k.cells[t.test], compareCells)
		if options.OnTest != nil {
			options.OnTest(t.test, slices.Clone(k.cells[t.test]))
		}
	}
	if options.Progress != nil {
		options.Progress(k.done, k.total)
	}
}

// cell turns an outcome into a cell; ok is false for a survivor.
func (k *killRun) cell(mutant, test int, o Outcome) (cell Cell, ok bool) {
	c := Cell{Mutant: int32(mutant), Test: int32(test), Verdict: Killed, Cause: o.Cause, Status: uint8(o.Status), Work: o.Work}
	if o.Cause == CauseMemory {
		c.Status = 0 // what it would be without the limit is not known
	}
	switch {
	case k.base.Tests[test].Same(o, k.engine.options.Exit):
		return Cell{}, false
	case o.Cause == CauseFailed:
		c.Verdict, c.Work = Unknown, -1
	case o.Cause == CauseTime:
		c.Work = -1 // where the fence fell depends on the machine
		fallthrough
	case o.Cause.Limit():
		if k.engine.options.Limits == LimitsUnknown {
			c.Verdict = Unknown
		}
	}
	return c, true
}

// assemble orders the cells by mutant and sets the bits.
func (k *killRun) assemble() {
	r := k.result
	for _, cells := range k.cells {
		r.Cells = append(r.Cells, cells...)
	}
	slices.SortFunc(r.Cells, compareCells)
	if n := k.engine.options.StopAfterTimeouts; n > 0 {
		r.Cells = stopAfterTimeouts(r.Cells, r.Reached, len(k.engine.tests), n)
	}
	for _, c := range r.Cells {
		if c.Verdict == Killed {
			r.Killed[c.Mutant].Set(int(c.Test))
		} else {
			r.Unknown[c.Mutant].Set(int(c.Test))
		}
	}
	k.dropStopped()
	k.countUninfected()
	slices.SortFunc(r.Failures, func(a, b Failure) int { return comparePairs(a.Mutant, a.Test, b.Mutant, b.Test) })
	slices.SortFunc(r.Audit.Disagreements, func(a, b Disagreement) int {
		return comparePairs(a.Mutant, a.Test, b.Mutant, b.Test)
	})
}

// dropStopped forgets what was learned about pairs whose verdict was taken
// back: whether they ran at all depends on the order of the runs.
func (k *killRun) dropStopped() {
	r := k.result
	stopped := func(mutant, test int) bool {
		c, ok := r.Cell(mutant, test)
		return ok && c.Cause == CauseStopped
	}
	r.Failures = slices.DeleteFunc(r.Failures, func(f Failure) bool { return stopped(f.Mutant, f.Test) })
	r.Audit.Disagreements = slices.DeleteFunc(r.Audit.Disagreements, func(d Disagreement) bool { return stopped(d.Mutant, d.Test) })
	count := func(pairs []Cell) (n int) {
		for _, c := range pairs {
			if !stopped(int(c.Mutant), int(c.Test)) {
				n++
			}
		}
		return n
	}
	r.Audit.Checked, r.HandedOn = count(k.audited), count(k.handedOn)
}

func comparePairs(m1, t1, m2, t2 int) int {
	if m1 != m2 {
		return m1 - m2
	}
	return t1 - t2
}

// Score returns killed / decided mutants, where a mutant is decided when a test
// kills it or no pair of it is Unknown.
func (r *Result) Score() (killed, decided int, err error) {
	for m := range r.Mutants {
		switch {
		case r.Killed[m].Count() > 0:
			killed++
			decided++
		case r.Unknown[m].Count() == 0:
			decided++
		}
	}
	if decided == 0 {
		return 0, 0, errors.New("execute: no mutant is decided, so there is no score")
	}
	return killed, decided, nil
}
