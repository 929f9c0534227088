package command

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/winnow-mutants/winnow/execute"
)

// Kill decides the mutants, those first that come first: see the package comment for
// which runs are made. A probe of nil says nothing. An error means that no runs are
// possible or that the context ended, never that a mutant misbehaved.
func (e *Engine) Kill(ctx context.Context, base *execute.Baseline, probe *execute.ProbeResult, mutants []execute.Mutant) (*execute.Result, error) {
	k := &killing{engine: e, base: base, probe: probe, cells: make([][]execute.Cell, len(mutants))}
	k.columns = e.columnsOf()
	k.result = newResult(mutants, len(e.Columns()))
	open := k.open()
	if err := k.trial(ctx, open); err != nil {
		return nil, err
	}
	err := e.each(ctx, len(open), func(ctx context.Context, c *client, task int) error {
		return k.mutant(ctx, c, open[task])
	})
	if err != nil {
		return nil, fmt.Errorf("running the mutants: %w", err)
	}
	k.result.Cells = slices.Concat(k.cells...)
	return k.result, nil
}

func newResult(mutants []execute.Mutant, tests int) *execute.Result {
	sets := func() []execute.Bits {
		out := make([]execute.Bits, len(mutants))
		for i := range out {
			out[i] = execute.NewBits(tests)
		}
		return out
	}
	return &execute.Result{Mutants: slices.Clone(mutants), Killed: sets(), Unknown: sets(), Reached: sets(), Infected: sets()}
}

// killing is one call of Kill.
type killing struct {
	engine *Engine
	base   *execute.Baseline
	probe  *execute.ProbeResult
	result *execute.Result
	cells  [][]execute.Cell // by mutant
	todo   [][]int          // by mutant, the tests to run
	served []bool           // by test, those that fork servers run
	// columns are, by test, its own and those of its cases.
	columns [][]int

	mu   sync.Mutex
	done int
}

// order is the order in which a mutant's tests run: those that do less work first, those of which that is not
// known last. It is the same on any machine.
func (k *killing) order() []int {
	order := make([]int, len(k.base.Tests))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(uint64(k.base.Tests[a].Work), uint64(k.base.Tests[b].Work)) // -1 is the greatest
	})
	return order
}

// Decision is what was found of one mutant.
type Decision struct {
	Mutant  execute.Mutant
	Verdict execute.Verdict
	// Cells are those of its pairs that did not survive; Runs is how many were made.
	Cells []execute.Cell
	Runs  int
	// Cut says that the time was up before all runs were made that were to be.
	Cut bool
}

// open decides at once what needs no run, and returns the mutants that are left, in
// their order.
func (k *killing) open() []int {
	order := k.order()
	k.todo = make([][]int, len(k.result.Mutants))
	var out []int
	for m, one := range k.result.Mutants {
		for _, test := range order {
			t := &k.base.Tests[test]
			switch {
			case t.SetAside != "":
				k.set(k.result.Unknown[m], test)
			case t.Reached.Has(one.Site):
				infects := k.probe == nil || k.probe.Tests[test].Infects(one)
				if infects {
					k.todo[m] = append(k.todo[m], test)
				}
				k.reach(m, test, infects)
			}
		}
		switch known := k.recall(m, one); {
		case known:
			k.done++
		case len(k.todo[m]) == 0:
			k.tell(Decision{Mutant: one, Verdict: execute.Survived})
		default:
			out = append(out, m)
		}
	}
	return out
}

// recall takes what an earlier run found of a mutant.
func (k *killing) recall(m int, one execute.Mutant) bool {
	if k.engine.options.Known == nil {
		return false
	}
	cells, known := k.engine.options.Known(one)
	for _, cell := range cells {
		cell.Mutant = int32(m)
		k.note(m, cell)
	}
	return known
}

// mutant decides one mutant.
func (k *killing) mutant(ctx context.Context, c *client, m int) error {
	one, todo := k.result.Mutants[m], k.todo[m]
	verdict, runs := execute.Survived, 0
	cut := false
	for at, test := range todo {
		if verdict == execute.Killed && !k.engine.options.Matrix {
			k.stop(m, todo[at:])
			break
		}
		if cut = cut || k.engine.late(); cut {
			k.stop(m, todo[at:])
			verdict = worse(verdict, execute.Unknown)
			break
		}
		cell, answer, err := k.pair(ctx, c, m, test)
		if err != nil {
			return err
		}
		cut = cell.Cause == execute.CauseStopped
		runs++
		verdict = worse(verdict, cell.Verdict)
		for _, one := range k.spread(answer, cell) {
			k.note(m, one)
		}
	}
	slices.SortFunc(k.cells[m], func(a, b execute.Cell) int { return cmp.Compare(a.Test, b.Test) })
	k.tell(Decision{one, verdict, k.cells[m], runs, cut})
	return nil
}

// worse is the verdict on a mutant after one more pair: killed by one is killed, and
// unknown of one leaves the mutant unknown.
func worse(so, now execute.Verdict) execute.Verdict {
	if so == execute.Killed || now == execute.Killed {
		return execute.Killed
	}
	if so == execute.Unknown || now == execute.Unknown {
		return execute.Unknown
	}
	return execute.Survived
}

// stop leaves pairs without a verdict.
func (k *killing) stop(m int, tests []int) {
	for _, test := range tests {
		for _, column := range k.columns[test] {
			k.note(m, execute.Cell{Mutant: int32(m), Test: int32(column), Verdict: execute.Unknown, Cause: execute.CauseStopped, Work: -1})
		}
	}
}

// reach notes of a test that reaches a mutant which of its columns do, and infect it.
func (k *killing) reach(m, test int, infects bool) {
	one, probed := k.result.Mutants[m], k.engine.probed[test]
	some := false
	for at, column := range k.columns[test] {
		if probed == nil || probed[at].reached.Has(one.Site) {
			some = true
			k.result.Reached[m].Set(column)
			if infects && (probed == nil || probed[at].infected.Has(int(one.Selector))) {
				k.result.Infected[m].Set(column)
			}
		}
	}
	if !some { // the probing build ran otherwise
		k.result.Reached[m].Set(test)
	}
	if infects && !slices.ContainsFunc(k.columns[test], k.result.Infected[m].Has) {
		k.result.Infected[m].Set(test)
	}
}

// set adds the columns of a test to a set.
func (k *killing) set(bits execute.Bits, test int) {
	for _, column := range k.columns[test] {
		bits.Set(column)
	}
}

// spread gives the verdict on a test to its columns.
func (k *killing) spread(answer *reply, cell execute.Cell) []execute.Cell {
	if columns := k.columns[cell.Test]; len(columns) > 1 {
		return k.engine.spread(answer, cell, columns[1])
	}
	return []execute.Cell{cell}
}

// note keeps the cell of a pair that did not survive.
func (k *killing) note(m int, cell execute.Cell) {
	switch cell.Verdict {
	case execute.Killed:
		k.result.Killed[m].Set(int(cell.Test))
		// What a case before it has left behind may be what a case notices.
		k.result.Reached[m].Set(int(cell.Test))
		k.result.Infected[m].Set(int(cell.Test))
	case execute.Unknown:
		k.result.Unknown[m].Set(int(cell.Test))
	default:
		return
	}
	k.cells[m] = append(k.cells[m], cell)
}

// pair runs one mutant on one test, and says what was seen.
func (k *killing) pair(ctx context.Context, c *client, m, test int) (execute.Cell, *reply, error) {
	e, base := k.engine, &k.base.Tests[test]
	wall, cut := e.inTime(mostWall(base))
	answer, err := c.do(ctx, k.request(test, k.result.Mutants[m].Selector, wall, k.served[test]))
	if err != nil {
		return execute.Cell{}, nil, fmt.Errorf("running test %s: %w", e.tests[test].Name, err)
	}
	seen := readTable(answer.Table, e.builds.Sites)
	o := e.outcome(test, answer, seen)
	cell := execute.Cell{Mutant: int32(m), Test: int32(test), Verdict: execute.Survived, Cause: o.Cause, Status: uint8(o.Status), Work: seen.work}
	if o.Same(base.Outcome, execute.ExitStatus) {
		return cell, answer, nil
	}
	if cut && answer.TimedOut {
		cell.Verdict, cell.Cause, cell.Status, cell.Work = execute.Unknown, execute.CauseStopped, 0, -1
		return cell, answer, nil
	}
	cell.Verdict = execute.Killed
	if seen.outOfFuel > 0 {
		cell.Cause, cell.Status, cell.Work = execute.CauseWork, 0, -1
	}
	if cell.Cause.Limit() && e.options.Limits == execute.LimitsUnknown {
		cell.Verdict = execute.Unknown
	}
	return cell, answer, nil
}

// tell says that a mutant is decided.
func (k *killing) tell(d Decision) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.done++
	k.result.Runs += d.Runs
	if k.engine.options.OnMutant != nil {
		k.engine.options.OnMutant(d)
	}
	if k.engine.options.Progress != nil {
		k.engine.options.Progress(k.done, len(k.result.Mutants))
	}
}

// late reports whether no further test is to be begun.
func (e *Engine) late() bool {
	return !e.options.Until.IsZero() && time.Now().After(e.options.Until)
}
