package campaign

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/project"
)

// killing is what mutants are run on.
type killing struct {
	mutants []mutant.Mutant
	base    *baseline
	probed  *probed // nil: every mutant is run on every test that reaches it
}

// infected are the probing runs, for the engine.
func (k *killing) infected() *execute.ProbeResult {
	if k.probed == nil {
		return nil
	}
	return k.probed.found
}

// list is the mutants, for the engine.
func (k *killing) list() []execute.Mutant {
	out := make([]execute.Mutant, len(k.mutants))
	for i := range k.mutants {
		out[i] = execute.Mutant{Selector: k.mutants[i].Selector, Site: k.mutants[i].Site.Ordinal}
	}
	return out
}

// killed is what the runs of the mutants gave.
type killed struct {
	*execute.Result
	sandbox string
	notRun  int // mutants that there was no time for
}

// kill runs mutants on the tests in use.
func (r *recording) kill(ctx context.Context, binary string, k *killing) (*killed, error) {
	tests := len(k.base.tests)
	task := r.opts.Display.Start(cmp.Or(r.opts.Label, r.c.Name()), len(k.mutants)*tests)
	defer task.Done()
	shown := &shownPairs{task: task, tests: tests, part: span{0, len(k.mutants)}}
	options := r.bench.execute
	options.Probe, options.Progress = k.infected(), shown.decided
	engine, err := execute.Start(ctx, binary, k.base.tests, options)
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	out := &killed{sandbox: engine.Sandbox().String()}
	if r.opts.Progress == "" && r.opts.Until.IsZero() {
		out.Result, err = engine.Kill(ctx, k.base.original, k.list())
		return out, err
	}
	out.Result, out.notRun, err = r.killInParts(ctx, engine, k, shown)
	return out, err
}

// shownPairs shows how many pairs of mutants and tests are decided.
type shownPairs struct {
	task  *progress.Task
	tests int
	part  span // the mutants in hand
	shown int
}

// decided is told by the engine how many of a part's pairs are. What no test reaches is
// decided without a run and not counted.
func (s *shownPairs) decided(done, total int) {
	done += s.part.to*s.tests - total
	s.task.Add(done - s.shown)
	s.shown = done
}

// killInParts runs mutants part by part, until all are run or the time is up. Of mutants
// that were not run the result says so, and how many they are.
func (r *recording) killInParts(ctx context.Context, engine *execute.Engine, k *killing, shown *shownPairs) (*execute.Result, int, error) {
	key, err := r.runKey(k)
	if err != nil {
		return nil, 0, err
	}
	store, err := openParts(r.opts.Progress, key)
	if err != nil {
		return nil, 0, err
	}
	list, missing, pace := k.list(), 0, paceOf(k.base.original.Tests)
	result := &execute.Result{Sandbox: engine.Sandbox()}
	for from := 0; from < len(list); {
		part, done := store.done[from]
		if !done {
			to := from + r.opts.part
			if r.opts.part == 0 {
				to = k.reach(list, from, pace.runs(r.opts.partTime()))
			}
			part = partFile{From: from, To: min(to, store.nextDone(from, len(list)))}
			shown.part = span{part.From, part.To}
			began := time.Now()
			part.Result, err = r.killPart(ctx, engine, k.base, list[part.From:part.To])
			if err != nil {
				return nil, 0, err
			}
			if part.Result == nil {
				part.Result = k.notRun(list[from:part.To])
				missing += part.To - from
			} else if err := store.add(part); err != nil {
				return nil, 0, err
			}
			pace.learn(part.Result.Runs, time.Since(began))
		}
		appendResult(result, part.Result)
		from = part.To
	}
	return result, missing, nil
}

// killPart runs mutants; it returns nil when the time is up before they are.
func (r *recording) killPart(ctx context.Context, engine *execute.Engine, base *baseline, list []execute.Mutant) (*execute.Result, error) {
	if r.opts.Until.IsZero() {
		return engine.Kill(ctx, base.original, list)
	}
	if !time.Now().Before(r.opts.Until) {
		return nil, nil
	}
	limited, cancel := context.WithDeadline(ctx, r.opts.Until)
	defer cancel()
	result, err := engine.Kill(limited, base.original, list)
	if err != nil && ctx.Err() == nil && limited.Err() != nil {
		return nil, nil
	}
	return result, err
}

// partTime is what the next part is to take: less and less towards the end of a budget, since
// what is not finished by then is lost.
func (o *RecordOptions) partTime() time.Duration {
	if o.Until.IsZero() {
		return partTime
	}
	return min(partTime, time.Until(o.Until)/2)
}

// reach is the end of a part of so many runs that begins at a mutant of the list.
func (k *killing) reach(list []execute.Mutant, from, runs int) int {
	to := from
	for to < min(len(list), from+mostPart) && (to < from+leastPart || runs > 0) {
		runs -= k.needs(list[to])
		to++
	}
	return to
}

// needs is on how many tests a mutant is run.
func (k *killing) needs(m execute.Mutant) (runs int) {
	for t := range k.base.original.Tests {
		if k.reaches(t, m) && k.infects(t, m) {
			runs++
		}
	}
	return runs
}

// reaches says whether a test that is used comes to a mutant.
func (k *killing) reaches(test int, m execute.Mutant) bool {
	b := &k.base.original.Tests[test]
	return b.SetAside == "" && b.Reached.Has(m.Site)
}

// infects says whether a mutant makes a difference to a test that reaches it, as far as that
// was looked at.
func (k *killing) infects(test int, m execute.Mutant) bool {
	probe := k.infected()
	return probe == nil || probe.Tests[test].Infects(m)
}

// runKey identifies all that a part's verdicts depend on.
func (r *recording) runKey(k *killing) (string, error) {
	id, err := identityOf(r.c, &r.opts)
	if err != nil {
		return "", err
	}
	type behaviour struct {
		Test   string
		Aside  string
		Length uint64
		Hash   uint64
		Work   int64
		Cause  string
		Status int
	}
	key := struct {
		Tool            string
		Inputs, Options map[string]string
		Shard           string
		NoProbe         bool
		Mutants         string
		Tests           []behaviour
	}{Tool: id.tool, Inputs: id.inputs, Options: id.options, Shard: r.opts.Shard.String(), NoProbe: r.opts.NoProbe}
	hash := sha256.New()
	for _, m := range k.mutants {
		_, _ = fmt.Fprintln(hash, m.ID, m.Selector) // a hash takes everything
	}
	key.Mutants = hex.EncodeToString(hash.Sum(nil))
	for i, t := range k.base.original.Tests {
		test := k.base.tests[i]
		sum, err := project.Content(test)
		if err != nil {
			return "", err
		}
		key.Tests = append(key.Tests, behaviour{test.Name + " " + hex.EncodeToString(sum[:]), t.SetAside, t.OutputLength, t.OutputHash, t.Work, t.Cause.String(), t.Status})
	}
	text, err := json.MarshalIndent(key, "", " ")
	return string(text), err
}

// notRun is the result of mutants that there was no time for: unknown on the
// tests that they need a run on.
func (k *killing) notRun(list []execute.Mutant) *execute.Result {
	out := &execute.Result{Mutants: list}
	for m, mutant := range list {
		var sets [4]execute.Bits
		for i := range sets {
			sets[i] = execute.NewBits(len(k.base.original.Tests))
		}
		killed, unknown, reached, infected := sets[0], sets[1], sets[2], sets[3]
		for t := range k.base.original.Tests {
			switch {
			case k.base.original.Tests[t].SetAside != "":
				unknown.Set(t)
			case k.reaches(t, mutant):
				reached.Set(t)
				if k.infects(t, mutant) {
					infected.Set(t)
					unknown.Set(t)
					out.Cells = append(out.Cells, execute.Cell{Mutant: int32(m), Test: int32(t), Verdict: execute.Unknown, Cause: execute.CauseStopped, Work: -1})
				}
			}
		}
		out.Killed, out.Unknown = append(out.Killed, killed), append(out.Unknown, unknown)
		out.Reached, out.Infected = append(out.Reached, reached), append(out.Infected, infected)
	}
	return out
}
