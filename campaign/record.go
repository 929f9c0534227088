package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report"
)

// RecordOptions choose how a case is recorded.
type RecordOptions struct {
	// Execute are the limits and what counts as behaviour.
	Execute execute.Options
	// Tool is the version of winnow, Seed the run's; both go to the manifest.
	Tool string
	Seed uint64
	// Display shows how many pairs of mutants and tests are decided, under
	// Label ("": the case's name); nil is silent.
	Display *progress.Display
	Label   string
	// Pool, when set, for cases with a fixed version, chooses the tests to keep,
	// by their places, after the fixed and the faulty version have run on all of
	// them, and before anything is mutated. Tests with an unknown verdict cannot
	// be kept. A reason leaves the subject out, with an error that wraps
	// ErrNotUsable.
	Pool func(fault.Table) (keep []int, reason string)
	// Augment adds so many tests at most to those that Pool chose, made from all the
	// tests that there are (augment.go); only for cases with a fixed version.
	Augment int
	// Mutation says which mutants are run.
	Mutation program.Mutation
	// NoProbe runs every mutant on every test that reaches it. Otherwise one run
	// of the original a test finds those that the test does not infect: they
	// survive without a run.
	NoProbe bool
	// Counts also writes down how often the tests execute and infect the mutants
	// (dataset.ProbeSchema); not with NoProbe.
	Counts bool
	// NoFeatures leaves the table of features out.
	NoFeatures bool
	// Ages is LoadOptions.Ages: the record then depends on the repository that
	// the sources are in.
	Ages bool
	// Shard says which of the mutants are run; all of them are in the record.
	Shard Shard
	// Only names the mutants to run, as Shard does; nil is all.
	Only *Selection
	// Progress is a folder in which finished parts of the run are kept, and taken
	// from; "" keeps none. Until is when the run ends, with the mutants that were
	// not run unknown; zero means never.
	Progress string
	Until    time.Time
	part     int // tests only: mutants in a part
	// MaxData leaves out a program with more bytes of variables of its own, as
	// MaxMutants does; only with a Pool, 0 means no bound.
	MaxData int64
	// MaxMutants leaves out a program with more mutants, with an error that
	// wraps ErrNotUsable; 0 means no bound.
	MaxMutants int
}

// ErrNotUsable is wrapped when a case is no subject for learning, e.g. because
// no test reveals its fault.
var ErrNotUsable = errors.New("no subject to learn from")

// Unusable is why a case is no subject for learning.
type Unusable struct{ Reason string }

func (u *Unusable) Error() string { return ErrNotUsable.Error() + ": " + u.Reason }

func (u *Unusable) Unwrap() error { return ErrNotUsable }

// recorder carries what the stages of one case share.
type recorder struct {
	tools    *clang.Toolchain
	builder  *build.Builder
	c        project.Case
	opts     RecordOptions
	stages   []dataset.Stage
	summary  report.Run
	mutants  []mutant.Mutant // those to run
	all      []execute.Test  // c.Tests before the pool was chosen
	probing  *build.Probing  // nil with NoProbe
	probed   *table.Table    // with Counts
	leavings Leavings        // likewise
	branches *cover.Matrix
	made     *madeTests // with Augment
}

// Record mutates a case, runs its mutants against its tests and writes the run
// folder dir. The folder is sealed last, so that an interrupted run is not
// mistaken for a finished one.
func Record(ctx context.Context, builder *build.Builder, c project.Case, dir string, opts RecordOptions) (*report.Run, error) {
	opts.Execute = c.Behaviour.Options(opts.Execute)
	r := &recorder{tools: builder.Tools, builder: builder, c: c, opts: opts, all: c.Tests}
	r.summary = report.Run{Program: c.Program, Fault: c.Fault, Causes: map[string]int{}, SetAside: slices.Clone(c.Twins)}
	defer func() { r.made.remove() }()
	s, err := r.record(ctx)
	if err != nil {
		return nil, err
	}
	if err := r.made.keep(dir, r.c.Tests); err != nil {
		return nil, err
	}
	if err := dataset.WriteSubject(dir, s); err != nil {
		return nil, err
	}
	if r.summary.NotRun == 0 && opts.Progress != "" {
		if err := os.RemoveAll(opts.Progress); err != nil {
			return nil, fmt.Errorf("removing the parts of a finished run: %w", err)
		}
	}
	return &r.summary, nil
}

func (r *recorder) stage(name string, start time.Time) {
	r.stages = append(r.stages, dataset.Stage{Name: name, Seconds: time.Since(start).Seconds()})
}

func (r *recorder) record(ctx context.Context) (*dataset.Subject, error) {
	reference, err := r.reference(ctx)
	if err != nil {
		return nil, err
	}
	start := time.Now()
	p, err := program.Load(ctx, r.tools, r.c.Inputs, program.LoadOptions{Name: r.c.Program, Mutation: r.opts.Mutation, Ages: r.opts.Ages})
	if err != nil {
		return nil, err
	}
	r.summary.Skipped = p.Skipped()
	mutants := p.Mutants()
	if len(mutants) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: nothing to mutate", r.c.Program), "")
	}
	if r.opts.MaxMutants > 0 && len(mutants) > r.opts.MaxMutants {
		return nil, &Unusable{fmt.Sprintf("more than %d mutants", r.opts.MaxMutants)}
	}
	for i := range mutants {
		if r.opts.Shard.has(i) && r.opts.Only.has(&mutants[i]) {
			r.mutants = append(r.mutants, mutants[i])
		}
	}
	if len(r.mutants) == 0 && r.opts.Only != nil {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: none of the mutants to run is among its %d", r.c.Name(), len(mutants)), "rank the program as it is now, with the same --operators")
	}
	if len(r.mutants) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: shard %v has none of the %d mutants", r.c.Name(), r.opts.Shard, len(mutants)), "make fewer shards")
	}
	r.stage("mutate", start)
	var features *table.Table
	if !r.opts.NoFeatures {
		start = time.Now()
		if features, err = program.Features(p); err != nil {
			return nil, err
		}
		r.stage("features", start)
	}
	start = time.Now()
	if !r.opts.NoProbe {
		if r.opts.Counts {
			if r.leavings, err = LeavingsOf(p, r.c.Tests); err != nil {
				return nil, err
			}
		}
		if r.probing, err = r.builder.Probing(ctx, p, "probe", r.opts.Counts); err != nil {
			return nil, err
		}
		defer os.Remove(r.probing.Binary)
	}
	binary, err := r.builder.MetaMutant(ctx, p, "mutants")
	if err != nil {
		return nil, err
	}
	defer os.Remove(binary)
	r.stage("build", start)
	start = time.Now()
	kills, faults, err := r.run(ctx, p, binary, reference)
	if err != nil {
		return nil, err
	}
	r.stage("execute", start)
	if r.c.Judged != nil {
		faults = r.c.Judged
	}
	rows, err := program.MutantTable(mutants, r.c.Folder, nil)
	if err != nil {
		return nil, err
	}
	manifest, err := r.manifest(len(r.mutants))
	if err != nil {
		return nil, err
	}
	manifest.Counts["generated"] = int64(p.Generated)
	for _, f := range r.c.Judged { // so that --pool original leaves out the same tests
		if f.Augmented {
			manifest.Counts[dataset.AugmentedCount]++
		}
	}
	for _, kind := range []equiv.Kind{equiv.Equivalent, equiv.Duplicate, equiv.Invalid} {
		manifest.Counts[kind.String()] = int64(p.Count(kind))
	}
	return &dataset.Subject{Manifest: manifest, Mutants: rows, Features: features, Kills: kills, Probe: r.probed, Faults: faults, Branches: r.branches}, nil
}

// checkExpected compares what the original does with what it must do.
func (r *recorder) checkExpected(ctx context.Context, engine *execute.Engine) error {
	var failed []string
	for k, want := range r.c.Expected {
		if want.Output == nil && want.Status == nil && !want.Fails {
			continue
		}
		outcome, got, err := engine.Observe(ctx, 0, k)
		if err != nil {
			return err
		}
		if !want.Meets(outcome, got) {
			failed = append(failed, fmt.Sprintf("%s (%v)", r.c.Tests[k].Name, outcome))
		}
	}
	if len(failed) > 0 {
		return exit.New(exit.Baseline, fmt.Errorf("%s: %d of %d tests fail on the original program: %s",
			r.c.Program, len(failed), len(r.c.Tests), strings.Join(firstOf(failed, 5), ", ")),
			"mend the program or the tests first: a kill is a difference from a program that passes")
	}
	return nil
}

func firstOf(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	return append(append([]string(nil), list[:n]...), fmt.Sprintf("and %d more", len(list)-n))
}

// run executes the mutants on the usable tests.
func (r *recorder) run(ctx context.Context, p *program.Program, binary string, reference []execute.TestBaseline) (*kill.Matrix, fault.Table, error) {
	base, err := r.original(ctx, binary, reference == nil)
	if err != nil {
		return nil, nil, err
	}
	chosen, err := r.usable(base.Tests, reference)
	if err != nil {
		return nil, nil, err
	}
	r.c.Tests = pick(r.c.Tests, chosen)
	base = &execute.Baseline{Tests: pick(base.Tests, chosen)}
	if reference != nil {
		reference = pick(reference, chosen)
	}
	same := func(t int, seen *execute.TestBaseline) bool {
		return seen.Same(base.Tests[t].Outcome, execute.ExitStatus)
	}
	if r.branches, err = r.branchesTaken(ctx, p, same); err != nil {
		return nil, nil, err
	}
	result, err := r.kill(ctx, binary, base)
	if err != nil {
		return nil, nil, err
	}
	kills, err := r.killMatrix(base, result)
	if err != nil || reference == nil {
		return kills, nil, err
	}
	faults := r.faultTable(base.Tests, reference)
	r.summary.Revealing = faults.Revealing().Count()
	r.made.seeRevealing(faults)
	return kills, faults, nil
}

func pick[T any](list []T, places []int) []T {
	out := make([]T, len(places))
	for i, k := range places {
		out[i] = list[k]
	}
	return out
}

// original observes the version that is mutated on all tests.
func (r *recorder) original(ctx context.Context, binary string, check bool) (*execute.Baseline, error) {
	engine, err := execute.Start(ctx, binary, r.c.Tests, r.opts.Execute)
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	if check {
		if err := r.checkExpected(ctx, engine); err != nil {
			return nil, err
		}
	}
	return engine.Originals(ctx)
}

// kill runs the mutants on the chosen tests.
func (r *recorder) kill(ctx context.Context, binary string, base *execute.Baseline) (*execute.Result, error) {
	options := r.opts.Execute
	mutants := r.mutants
	task := r.opts.Display.Start(cmp.Or(r.opts.Label, r.c.Name()), len(mutants)*len(r.c.Tests))
	defer task.Done()
	shown, part := 0, span{0, len(mutants)}
	options.Progress = func(done, total int) {
		// What no test reaches is decided without a run and not counted.
		done += part.to*len(r.c.Tests) - total
		task.Add(done - shown)
		shown = done
	}
	var err error
	if options.Probe, err = r.probe(ctx, base); err != nil {
		return nil, err
	}
	engine, err := execute.Start(ctx, binary, r.c.Tests, options)
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	r.summary.Sandbox = engine.Sandbox().String()
	list := make([]execute.Mutant, len(mutants))
	for i, m := range mutants {
		list[i] = execute.Mutant{Selector: m.Selector, Site: m.Site.Ordinal}
	}
	if r.opts.Progress == "" && r.opts.Until.IsZero() {
		return engine.Kill(ctx, base, list)
	}
	return r.killInParts(ctx, engine, base, options.Probe, list, &part)
}
