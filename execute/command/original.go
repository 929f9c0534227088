package command

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/winnow-mutants/winnow/execute"
)

// environment is what every run has, but for what its test adds.
func environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=/tmp", "LANG=C.UTF-8", "TZ=UTC", "USER=winnow", "LOGNAME=winnow", "SHELL=/bin/sh", "TERM=dumb"}
}

// request makes a test's run with a mutant.
func (e *Engine) request(test int, build string, selector int32, fuel int64, wall time.Duration) request {
	t := &e.tests[test]
	env := append(slices.DeleteFunc(environment(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.ContainsFunc(t.Env, func(own string) bool { return strings.HasPrefix(own, name+"=") })
	}), t.Env...)
	r := request{Build: build, Argv: t.Argv, Dir: t.Dir, Stdin: t.Stdin, Wall: wall, Keep: tailBytes, Files: t.Files}
	if len(t.Cases) > 0 {
		r.Keep, env = caseBytes, append(env, "WINNOW_LINES=1")
	}
	if build != "" {
		env = append(env, fmt.Sprintf("WINNOW_MUTANT=%010d", selector), "WINNOW_TABLE="+tablePath)
		r.Table = e.builds.Sites
	}
	if build == probeBuild {
		r.Table = e.builds.Shape.Size
	}
	if fuel > 0 {
		env = append(env, fmt.Sprintf("WINNOW_FUEL=%019d", fuel))
	}
	r.Env, r.Selector, r.Fuel = env, selector, fuel
	return r
}

// tailBytes is how much of what a command printed is shown when it fails.
const tailBytes = 2048

// outcome is a reply in the terms of package execute. What is no behaviour is not in
// it, so that outcomes can be compared.
func (e *Engine) outcome(test int, r *reply, t table) execute.Outcome {
	o := execute.Outcome{Cause: execute.CauseExit, Status: r.Status, Wall: r.Wall, Work: t.work}
	switch {
	case r.TimedOut:
		o.Cause, o.Status = execute.CauseTime, 0
	case r.Signal != 0:
		o.Cause, o.Status = execute.CauseSignal, r.Signal
	case r.Status == 0:
		o.Status = e.tests[test].Status // that checks pass which are not among its cases is no failure
	}
	for _, output := range []struct {
		compared bool
		printed  printed
	}{{e.tests[test].Compare.Stdout, r.Stdout}, {e.tests[test].Compare.Stderr, r.Stderr}, {len(e.tests[test].Files) > 0, r.Files}} {
		if output.compared {
			o.OutputLength += uint64(output.printed.Length)
			o.OutputHash = o.OutputHash*31 + output.printed.Hash
		}
	}
	if e.tests[test].Tally != "" {
		said := fnv.New64a()
		said.Write([]byte(tally(r)))
		o.OutputHash = said.Sum64()
	}
	if e.caseFails(test, r) {
		o.OutputHash ^= caseFailed
	}
	return o
}

// caseFailed marks what was seen of a run in which a case fails.
const caseFailed = 0x9e3779b97f4a7c15

// Failing is a test that says nothing of mutants, and why.
type Failing struct {
	Reason string
	// Output is the end of what it printed.
	Output string
}

// Check runs the tests on the project as it was built, before anything is mutated,
// and returns, by test, why it cannot be used, nil for those that can: failing,
// skipped, or, of those that it runs again, different then. Told gets each answer as it
// is known, in any order; calls do not overlap.
func (e *Engine) Check(ctx context.Context, told func(test int, f *Failing)) ([]*Failing, error) {
	out := make([]*Failing, len(e.tests))
	var mu sync.Mutex
	begun := time.Now()
	again := func() bool { return time.Since(begun) < rechecking }
	err := e.each(ctx, len(e.tests), func(ctx context.Context, c *client, test int) error {
		f, err := e.check(ctx, c, test, again)
		if err != nil {
			return fmt.Errorf("running test %s: %w", e.tests[test].Name, err)
		}
		out[test] = f
		if told != nil {
			mu.Lock()
			defer mu.Unlock()
			told(test, f)
		}
		return nil
	})
	return out, err
}

// rechecking is for how long tests are run a second time at once. Original runs each again
// anyhow, and sets aside those that do not pass then. What a test prints or writes is not looked
// at there: where that counts, a test is run again however long it takes.
const rechecking = 3 * time.Second

// Late is why Check finds a test unfit that had not ended at Options.Until.
const Late = "it had not ended when half of the time was up"

// check runs one test, twice where it is asked to.
func (e *Engine) check(ctx context.Context, c *client, test int, again func() bool) (*Failing, error) {
	wall, cut := e.inTime(e.options.BaselineWall)
	r := e.request(test, "", 0, 0, wall)
	r.Keep = caseBytes
	if wall == 0 {
		return &Failing{Reason: Late}, nil
	}
	first, err := c.do(ctx, r)
	if err != nil {
		return nil, err
	}
	if cut && first.TimedOut {
		return &Failing{Reason: Late}, nil
	}
	seen := e.outcome(test, first, table{})
	output := first.Stdout.end() + first.Stderr.end()
	failing := e.unusable(test, seen)
	if failing != "" && !e.partly(test, first) {
		return &Failing{Reason: failing, Output: output}, nil
	}
	if e.judgedByStatus(test) {
		e.tallies[test] = tally(first)
	}
	if !e.tests[test].Fails {
		e.cases[test] = casesOf(first)
	}
	if t := &e.tests[test]; failing == "" && !again() && t.Compare == (Comparison{}) && len(t.Files) == 0 {
		return nil, nil
	}
	second, err := c.do(ctx, r)
	if err != nil {
		return nil, err
	}
	switch {
	case !cut || !second.TimedOut:
	case failing != "":
		return &Failing{Reason: failing, Output: output}, nil
	default:
		return nil, nil // the first is all that is known
	}
	if reason := flaky(seen, e.outcome(test, second, table{})); reason != "" {
		return &Failing{Reason: reason, Output: output}, nil
	}
	e.cases[test] = both(e.cases[test], casesOf(second))
	if failing != "" {
		if len(e.cases[test]) == 0 {
			return &Failing{Reason: failing, Output: output}, nil
		}
		e.status[test] = seen.Status
	}
	return nil, nil
}

// partly says of a test that fails, by its status and nothing else, that it prints a line for each of
// its checks and that some of them pass.
func (e *Engine) partly(test int, r *reply) bool {
	t := &e.tests[test]
	plain := !r.TimedOut && r.Signal == 0 && r.Status != 0 && r.Status < cannotRun && r.Status != cmp.Or(t.Skip, skipped)
	return plain && e.judgedByStatus(test) && len(casesOf(r)) > 0
}

// Statuses are, by test, how one ends of which checks fail and others, its Cases, pass each time: what
// Test.Status may be given. It is 0 of others.
func (e *Engine) Statuses() []int { return e.status }

// unusable says why what the original did cannot be compared with.
func (e *Engine) unusable(test int, o execute.Outcome) string {
	t := &e.tests[test]
	switch {
	case o.Cause == execute.CauseTime:
		return "it takes too long without any mutant"
	case o.Cause == execute.CauseSignal && !t.Fails:
		return fmt.Sprintf("it fails without any mutant: signal %v", syscall.Signal(o.Status))
	case o.Cause == execute.CauseExit && o.Status == cmp.Or(t.Skip, skipped):
		return "it says that it was skipped"
	case o.Cause == execute.CauseExit && o.Status == 0 && t.Fails:
		return "it is to fail, and does not without any mutant"
	case o.Status != t.Status && !t.Fails:
		return fmt.Sprintf("it fails without any mutant: exit status %d", o.Status)
	}
	return ""
}

func flaky(first, again execute.Outcome) string {
	if first.Same(again, execute.ExitStatus) {
		return ""
	}
	return fmt.Sprintf("flaky: without any mutant it ends with %v, and with %v when it runs again", first, again)
}

// Original runs the tests on the build that holds the mutants, none of them selected,
// and says what they reach. Where that is not what Check saw of the project as it was
// built, as for a test that is set aside there (failing), the test is set aside. Tests that
// notice nothing are compared by what they print (blind.go), where there is time to find out.
func (e *Engine) Original(ctx context.Context, failing []*Failing) (*execute.Baseline, error) {
	var telling sync.Mutex
	base := &execute.Baseline{Tests: make([]execute.TestBaseline, len(e.tests))}
	err := e.each(ctx, len(e.tests), func(ctx context.Context, c *client, test int) error {
		if f := failing[test]; f != nil {
			base.Tests[test] = execute.TestBaseline{Outcome: execute.Outcome{Work: -1}, SetAside: f.Reason, Reached: execute.NewBits(e.builds.Sites)}
			return nil
		}
		wall, cut := e.inTime(e.options.BaselineWall)
		answer, err := c.do(ctx, e.request(test, mutantsBuild, 0, 0, wall))
		if err != nil {
			return fmt.Errorf("running test %s with the mutants built in: %w", e.tests[test].Name, err)
		}
		if cut && answer.TimedOut {
			base.Tests[test] = execute.TestBaseline{Outcome: execute.Outcome{Work: -1}, SetAside: NoTime, Reached: execute.NewBits(e.builds.Sites)}
			if seen := readTable(answer.Table, e.builds.Sites); !seen.full {
				base.Tests[test].Reached = e.reached(seen)
			}
			return nil
		}
		t := &e.tests[test]
		if e.judgedByStatus(test) {
			e.tallies[test] = tally(answer)
		}
		if t.Tally != e.tallies[test] {
			t.Tally = ""
		}
		if len(t.Cases) > 0 {
			passed := readResults(answer).passed
			e.passing[test], e.silent[test] = len(both(t.Cases, passed)), map[string]bool{}
			for _, name := range t.Cases {
				e.silent[test][name] = !slices.Contains(passed, name)
			}
		}
		base.Tests[test] = e.baseline(test, answer)
		if err := e.bound(ctx, c, test, answer, &base.Tests[test]); err != nil {
			return err
		}
		return e.attend(ctx, c, test, answer, &base.Tests[test], &telling)
	})
	return base, err
}

// bound finds out whether it is known how much a test's processes do. What those did that ended by _exit or a signal,
// as the children of many test programs do, nobody noted. The test runs again with a third of what
// mutants may do then: where the original cannot do with it, mutants have no limit but that of time.
func (e *Engine) bound(ctx context.Context, c *client, test int, answer *reply, base *execute.TestBaseline) error {
	if seen := readTable(answer.Table, e.builds.Sites); base.SetAside != "" || seen.ended >= seen.processes {
		return nil
	}
	if _, cut := e.inTime(2 * base.Wall); cut {
		base.Work = -1
		return nil
	}
	again, err := c.do(ctx, e.request(test, mutantsBuild, 0, mostWork(base)/3, e.options.BaselineWall))
	if err != nil {
		return fmt.Errorf("running test %s with the mutants built in: %w", e.tests[test].Name, err)
	}
	if seen := readTable(again.Table, e.builds.Sites); seen.outOfFuel > 0 {
		base.Work = -1
	}
	return nil
}

// NoTime is why Original sets a test aside that runs when the time is up. What it had come to by
// then it does come to.
const NoTime = "the time was up before it had run with the mutants built in"

func (e *Engine) baseline(test int, answer *reply) execute.TestBaseline {
	seen := readTable(answer.Table, e.builds.Sites)
	t := execute.TestBaseline{Outcome: e.outcome(test, answer, seen), Reached: e.reached(seen), ReachedKnown: !seen.full}
	if reason := e.unusable(test, t.Outcome); reason != "" {
		t.SetAside = "with the mutants built in, none selected, " + reason
	}
	return t
}

// reached are the sites that a run came to; all of them where that is not known.
func (e *Engine) reached(seen table) execute.Bits {
	sites := execute.NewBits(e.builds.Sites)
	for site := range e.builds.Sites {
		if seen.full || slices.ContainsFunc(seen.sites, func(of []byte) bool { return of[site] != 0 }) {
			sites.Set(site)
		}
	}
	return sites
}
