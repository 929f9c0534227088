package campaign

import (
	"cmp"
	"context"
	"sync"
	"time"

	"github.com/winnow-mutants/winnow/campaign/built"
	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/coverage"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/fault"
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
	// be kept. A reason leaves the subject out, with an error that is Unusable.
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
	// Prove, when set, looks for survivors that no test can kill (dataset.ProofsFile).
	Prove *verdict.Proving
	// NoFeatures leaves the table of features out, NoBranches the sides of branches that the tests
	// take, for which the program is built once more.
	NoFeatures, NoBranches bool
	// Readable also writes what people read: the sources, the mutants as changes of them,
	// and those that were left out (program.Reading).
	Readable bool
	// Ages is LoadOptions.Ages: the record then depends on the repository that
	// the sources are in.
	Ages bool
	// Criteria says what other tools measure on the tests; nil is nothing.
	Criteria *coverage.Wanted
	// Shard says which of the mutants are run; all of them are in the record.
	Shard Shard
	// Only names the mutants to run, as Shard does; nil is all.
	Only *Selection
	// Choose, when set, names the mutants to run, in the order in which to run them. Where it
	// names none, the error is ErrNoneChosen.
	Choose Choice
	// Progress is a folder in which finished parts of the run are kept, and taken
	// from; "" keeps none. Until is when the run ends, with the mutants that were
	// not run unknown; zero means never.
	Progress string
	Until    time.Time
	// Sample is about how many mutants are made where making all takes half of the time until then; 0 makes all in any
	// case. Say tells the user so; nil tells nothing.
	Sample int
	Say    func(line string)
	part   int // tests only: mutants in a part
	// MaxData leaves out a program with more bytes of variables of its own, as
	// MaxMutants does; only with a Pool, 0 means no bound.
	MaxData int64
	// MaxMutants leaves out a program with more mutants, with an error that is
	// Unusable; 0 means no bound.
	MaxMutants int
}

// Choice names the mutants of a program to run, the first first. infecting says, by the id of a
// mutant, how many of the tests infect it, or reach it where infections are not looked for: the
// original is run on the tests for that, in builds before which all must be read of the program
// that is read of it. It is nil where the tests are commands, whose runs tell less.
type Choice func(ctx context.Context, p *program.Program, infecting func() (map[string]int, error)) ([]string, error)

// ErrNoneChosen says that RecordOptions.Choose named no mutant: nothing was run.
var ErrNoneChosen = built.ErrNoneChosen

// ErrSlowTests is wrapped by the error of a run of a project with a build of its own that
// could not even run its tests on the original.
var ErrSlowTests = built.ErrSlowTests

// ErrLargeSource is wrapped by the error of one that could not make mutants of its first source in the time.
var ErrLargeSource = built.ErrLargeSource

// Unusable is the error of a case that is no subject for learning, e.g. because no test
// reveals its fault.
type Unusable struct{ Reason string }

func (u *Unusable) Error() string { return "no subject to learn from: " + u.Reason }

// recording is the recording of one case: the bench that its stages work on, what was
// asked for, and how long the stages took. What a stage finds out is its result, which
// later stages are given whole.
type recording struct {
	*bench
	opts   RecordOptions
	stages []dataset.Stage
}

// done notes how long a stage took.
func (r *recording) done(stage string, start time.Time) {
	r.stages = append(r.stages, dataset.Stage{Name: stage, Seconds: time.Since(start).Seconds()})
}

// during shows what is being done, until done is called.
func (r *recording) during(what string) (done func()) {
	return r.opts.Display.During(cmp.Or(r.opts.Label, r.c.Name()) + ": " + what)
}

// Record mutates a case, runs its mutants against its tests and writes the run
// folder dir. The folder is sealed last, so that an interrupted run is not
// mistaken for a finished one.
func Record(ctx context.Context, builder *build.Builder, c project.Case, dir string, opts RecordOptions) (*report.Run, error) {
	r := &recording{bench: newBench(builder, &c, opts.Execute), opts: opts}
	chosen, err := r.choose(ctx)
	if err != nil {
		return nil, err
	}
	defer chosen.made.remove()
	criteria := &coverage.Measured{}
	if opts.Criteria.Before() {
		if criteria, err = r.measure(ctx, chosen.tests, nil); err != nil {
			return nil, err
		}
	}
	done := r.during("making mutants")
	m, err := r.mutate(ctx)
	if err != nil {
		done()
		return nil, err
	}
	rows, err := r.features(m)
	done()
	if err != nil {
		return nil, err
	}
	look := sync.OnceValues(func() (*looked, error) { return r.look(ctx, m, chosen) })
	if err := r.pick(ctx, m, look); err != nil {
		return nil, err
	}
	at, err := look()
	if err != nil {
		return nil, err
	}
	defer at.made.remove()
	if opts.Criteria.After() {
		if criteria, err = r.measure(ctx, at.base.tests, at.base.original); err != nil {
			return nil, err
		}
	}
	start := time.Now()
	done = r.during("looking which branches the tests take")
	sides, err := r.sides(ctx, m, at.base)
	done()
	if err != nil {
		return nil, err
	}
	seen := at.of(m.chosen)
	runs, err := r.kill(ctx, at.made.meta, &killing{m.chosen, at.base, seen})
	if err != nil {
		return nil, err
	}
	r.done("execute", start)
	return r.write(ctx, dir, &record{m, rows, at.base, sides, seen, runs, criteria})
}

// sides records which sides of branches the tests in use take; nil where that is left out.
func (r *recording) sides(ctx context.Context, m *mutated, base *baseline) (*cover.Matrix, error) {
	if r.opts.NoBranches {
		return nil, nil
	}
	start := time.Now()
	taken, err := r.branches(ctx, m.program, base.tests, func(t int, seen *execute.TestBaseline) bool {
		return seen.Same(base.original.Tests[t].Outcome, execute.ExitStatus)
	})
	if err != nil {
		return nil, err
	}
	r.done("branches", start)
	return taken, nil
}
