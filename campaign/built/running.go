package built

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/mutant"
)

// found is what the runs told.
type found struct {
	base   *execute.Baseline
	result *execute.Result
	// columns are those of result: the tests, and cases of them.
	columns []command.Column
	// mutants are in the order of result.
	mutants []mutant.Mutant
}

var errNotReached = errors.New("none of its tests runs what was mutated")

// run runs the tests on the builds.
func (r *recording) run(ctx, limited context.Context, builds command.Builds, suite *suite) (*found, error) {
	start := time.Now()
	out := &found{mutants: r.chosen}
	told := &telling{recording: r, found: out, last: start, bySelector: map[int32]*mutant.Mutant{}, keys: r.keyed(r.program), deciding: newDeciding(r.changes(r.program), out.mutants)}
	list := make([]execute.Mutant, len(out.mutants))
	for i, m := range out.mutants {
		list[i] = asRun(&m)
		told.bySelector[m.Selector] = &out.mutants[i]
	}
	done := r.during("running the tests on the original, to see what they reach")
	defer done()
	blind := map[int]bool{}
	engine, err := command.Start(ctx, builds, suite.tests, command.Options{Workers: r.opts.Workers, Matrix: r.opts.Matrix, Until: r.opts.Until,
		Known: told.known, Progress: told.progress, OnMutant: told.mutant, OnBlind: func(test int, byOutput bool) { blind[test] = byOutput }})
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	if out.base, err = engine.Original(limited, suite.failing); err != nil {
		return nil, err
	}
	out.columns = engine.Columns()
	r.tellBlind(suite, blind)
	if timeUp(out.base) {
		return nil, exit.New(exit.Timeout, fmt.Errorf("%s, whose tests take %.0f s: %w", r.build.Subject.Name, suite.took.Seconds(), ErrSlowTests), "")
	}
	if !slices.ContainsFunc(list, out.reached) && (r.size.files > 0 || !r.asked()) {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: %w", r.build.Subject.Name, errNotReached),
			"name what they run as targets in winnow.toml, or as tests the commands that run it")
	}
	probe, err := r.probe(limited, engine, out.base)
	if err != nil {
		return nil, err
	}
	for t := range probe.Tests {
		if out.base.Tests[t].SetAside == "" && probe.Tests[t].Unprobed != "" {
			r.summary.Unprobed++
		}
	}
	r.stage("probe", start)
	done()
	r.say("%s (%.1f s)", out.outlook(list, probe), time.Since(start).Seconds())
	start = time.Now()
	out.result, err = engine.Kill(ctx, out.base, probe, list)
	r.stage("execute", start)
	r.ran = time.Since(start)
	if err == nil {
		err = told.err
	}
	return out, err
}

// asked says that somebody named what is mutated, or which mutants are run: that no test comes to it is what they are told
// then, mutant by mutant, and no sign of a wrong target.
func (r *recording) asked() bool {
	s := &r.opts.Mutation.Scope
	return r.opts.Apart || s.Diff != "" || s.Config != "" || len(s.Files)+len(s.Functions)+len(s.Lines) > 0
}

// ErrSlowTests is wrapped by the error of a run that could not even run the original.
var ErrSlowTests = errors.New("the time was up before they had run with the mutants built in")

// ErrLargeSource is wrapped by the error of a run that could not even make the fewest mutants of its first sources.
var ErrLargeSource = errors.New("the time was up before its mutants were made")

// timeUp reports that no test is left, and that time is what was missing.
func timeUp(base *execute.Baseline) bool {
	some := false
	for _, t := range base.Tests {
		if t.SetAside == "" {
			return false
		}
		some = some || t.SetAside == command.NoTime
	}
	return some
}

// probe runs the tests on the probing build, unless the time is up: what they infect is then
// asked for nothing, for no mutant is run.
func (r *recording) probe(ctx context.Context, engine *command.Engine, base *execute.Baseline) (*execute.ProbeResult, error) {
	if r.opts.Until.IsZero() || time.Now().Before(r.opts.Until) {
		return engine.Probe(ctx, base)
	}
	out := &execute.ProbeResult{Tests: make([]execute.TestProbe, len(base.Tests))}
	for t := range out.Tests {
		out.Tests[t].Unprobed = "the time was up"
	}
	return out, nil
}

// tellBlind says once of the tests that notice nothing what is made of them: byOutput is what
// command.Options.OnBlind told, by test.
func (r *recording) tellBlind(suite *suite, byOutput map[int]bool) {
	var compared, same []string
	for _, test := range slices.Sorted(maps.Keys(byOutput)) {
		name := suite.tests[test].Name
		switch {
		case r.blind[name]:
		case byOutput[test]:
			compared = append(compared, name)
		default:
			same = append(same, name)
		}
		r.blind[name] = true
	}
	tell := func(names []string, one, many string) {
		switch shown := names[:min(len(names), blindShown)]; {
		case len(names) == 1:
			r.say("test %s passes even when the program is stopped as soon as it begins, %s", names[0], one)
		case len(names) > len(shown):
			r.say("%d tests pass even when the program is stopped as soon as it begins, %s: %s, …", len(names), many, strings.Join(shown, ", "))
		case len(names) > 0:
			r.say("%d tests pass even when the program is stopped as soon as it begins, %s: %s", len(names), many, strings.Join(shown, ", "))
		}
	}
	tell(compared, "so that what it prints is compared", "so that what they print is compared")
	tell(same, "and prints the same: it kills no mutant", "and print the same: they kill no mutant")
}

// blindShown is how many of such tests are named.
const blindShown = 5

func (f *found) reached(m execute.Mutant) bool {
	for t := range f.base.Tests {
		if b := &f.base.Tests[t]; b.SetAside == "" && b.Reached.Has(m.Site) {
			return true
		}
	}
	return false
}

// outlook says how many mutants have to be run, and why the others need not.
func (f *found) outlook(list []execute.Mutant, probe *execute.ProbeResult) string {
	unreached, toRun := 0, 0
	for _, m := range list {
		if !f.reached(m) {
			unreached++
			continue
		}
		for t := range probe.Tests {
			if f.base.Tests[t].SetAside == "" && f.base.Tests[t].Reached.Has(m.Site) && probe.Tests[t].Infects(m) {
				toRun++
				break
			}
		}
	}
	return fmt.Sprintf("the tests do not come to %d of %d mutants, and make no difference to %d; %d are to be run", unreached, len(list), len(list)-unreached-toRun, toRun)
}

// telling says what is decided, as it is.
type telling struct {
	*recording
	*found
	bySelector map[int32]*mutant.Mutant
	keys       map[int32][]string // of what is kept, by selector
	last       time.Time
	err        error // of keeping what is decided
	deciding   *deciding
}

func (t *telling) known(m execute.Mutant) ([]execute.Cell, bool) {
	return t.kept.known(t.keys[m.Selector]...)
}

// progress tells every 2 seconds how far the runs are.
func (t *telling) progress(done, total int) {
	if time.Since(t.last) > 2*time.Second {
		t.last = time.Now()
		t.say("%d of %d mutants decided", done, total)
	}
}

// mutant keeps a decision that cost runs, and tells of one that survives what reaches it.
func (t *telling) mutant(d command.Decision) {
	m := t.bySelector[d.Mutant.Selector]
	if d.Runs > 0 && d.Verdict != execute.Unknown && !d.Cut && t.err == nil {
		t.err = t.kept.add(t.keys[m.Selector][0], d.Cells)
	}
	t.kept.runs += d.Runs
	if t.deciding.survives(m.ID, d.Verdict) && t.reached(d.Mutant) {
		change := *m
		change.ID = t.deciding.first[m.ID] // as the change is recorded
		t.opts.Survivor(&change, t.short(m.File))
	}
}
