package built

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/coverage"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/criterion"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/report"
)

// Options choose how a built project is recorded.
type Options struct {
	// Mutation says which mutants there are; its Most bounds them, in all rounds.
	Mutation program.Mutation
	// Workers is how many tests run at once; 0 means one a core.
	Workers int
	// Compare says what counts beside how a test ends, Files which files that it writes.
	Compare command.Comparison
	Files   []string
	// Matrix runs every test that can kill a mutant, not only until one does.
	Matrix bool
	// Until is when the run ends; zero means never. With Grow, the mutants are as many as
	// there is time for until then; First is about how many it begins with, 0 as many as the time and
	// the tests allow.
	Until time.Time
	Grow  bool
	First int
	// Choose, when set, names the mutants to run, in the order in which to run them, once the
	// program is loaded and before it is rewritten. Where it names none, the error is
	// ErrNoneChosen. NoFeatures leaves the table of features out.
	Choose func(ctx context.Context, p *program.Program) ([]string, error)
	// Apart records each mutant by itself, also where several are one change of a source that is
	// compiled with several sets of flags (changes.go): somebody knows them by their names, and has
	// chosen some.
	Apart      bool
	NoFeatures bool
	// Prove and Criteria are campaign.RecordOptions'.
	Prove    *verdict.Proving
	Criteria *coverage.Wanted
	// Progress is a folder for what is decided so far, which goes when all is; "" keeps
	// nothing. With Resume, what an earlier run left there is not run again.
	Progress string
	Resume   bool
	// Tool and Seed go to the manifest.
	Tool string
	Seed uint64
	// Say is told in words what is done and found, as it happens; nil is silent.
	// Survivor is told of every mutant that the tests reach and do not kill.
	Say func(line string)
	// File is the mutant's as the project names it.
	Survivor func(m *mutant.Mutant, file string)
}

// recording is what the stages of one project share.
type recording struct {
	opts    Options
	build   *capture.Capture
	builder *build.Builder
	// trees are the syntax trees of its sources.
	trees   *program.Sources
	summary report.Run
	stages  []dataset.Stage
	// features are those of all mutants: of the modules as they are before they are rewritten.
	features *table.Table
	// criteria are what other tools measured on the tests, sides which sides of branches these
	// take; nil where no criteria are asked for.
	criteria []*criterion.Matrix
	sides    *cover.Matrix
	// changed are the sources that may have mutants that are asked for; nil is all (changed.go).
	changed map[string]bool
	// variants are what is mutated, and chosen the mutants that are run.
	variants []*variant
	chosen   []mutant.Mutant
	// looked is what the tests run (looking.go).
	looked looked
	// blind are the tests that are known to notice nothing, by name.
	blind map[string]bool
	// bound is how many mutants are made at most, 0 any number.
	bound int
	// kept are the decisions so far, of all rounds; size is what this one works on, program
	// and found what came of it, and prepared and ran how long that took (rounds.go).
	kept          *kept
	size          size
	leastFiles    int // that a round has: in fewer there was nothing to run
	program       *program.Program
	found         *found
	prepared, ran time.Duration
}

// Record runs the mutants of a built project against its tests and writes the run
// folder dir. The build's folder stays as it is.
func Record(ctx context.Context, builder *build.Builder, build *capture.Capture, dir string, opts Options) (*report.Run, error) {
	opts.Say = oneAtATime(opts.Say)
	if opts.Survivor == nil {
		opts.Survivor = func(*mutant.Mutant, string) {}
	}
	// The sources are those of a copy of the project, which nobody changes.
	compiler := *builder
	compiler.Tools = builder.Tools.Remembering()
	r := &recording{opts: opts, bound: opts.Mutation.Most, build: build, builder: &compiler, trees: &program.Sources{}, blind: map[string]bool{}, summary: report.Run{Program: build.Subject.Name, Causes: map[string]int{}}}
	if opts.Criteria.Before() {
		if err := r.measure(ctx, &suite{tests: r.commands()}); err != nil {
			return nil, err
		}
	}
	suite, err := r.tests(ctx)
	if err != nil {
		return nil, err
	}
	if opts.Criteria.After() {
		if err := r.measure(ctx, suite); err != nil {
			return nil, err
		}
	}
	if opts.Criteria != nil {
		if r.sides, err = r.branches(ctx, suite); err != nil {
			return nil, err
		}
	}
	if err := r.findChanged(ctx); err != nil {
		return nil, err
	}
	if r.kept, err = r.keep(suite); err != nil {
		return nil, err
	}
	defer r.kept.close()
	if r, err = r.decideAll(ctx, suite); err != nil {
		return nil, err
	}
	s, err := r.subject(ctx, r.program, suite, r.found)
	if err != nil {
		return nil, err
	}
	err = errors.Join(dataset.WriteSubject(dir, s), report.WriteMissed(dir, s))
	if all := r.summary.NotRun == 0 && len(r.summary.CriteriaFailed) == 0 && (!opts.Grow || r.madeAll() || r.atBound()); all && err == nil && opts.Progress != "" {
		err = os.RemoveAll(opts.Progress)
	}
	return &r.summary, err
}

func (r *recording) stage(name string, start time.Time) {
	r.stages = append(r.stages, dataset.Stage{Name: name, Seconds: time.Since(start).Seconds()})
}

// decide mutates, builds and runs, each no longer than its limit; the runs of mutants end by
// themselves when the time is up.
func (r *recording) decide(ctx context.Context, until limits, suite *suite) error {
	start := time.Now()
	var err error
	if r.program, err = r.mutate(until.preparing); err != nil {
		return err
	}
	builds, remove, err := r.place(until.preparing, r.program, suite.how())
	if err != nil {
		return err
	}
	defer remove()
	if r.found, err = r.run(ctx, until.running, builds, suite); err != nil {
		return err
	}
	r.prepared = time.Since(start) - r.ran
	return nil
}

// say says a line at once.
func (r *recording) say(format string, args ...any) { r.opts.Say(fmt.Sprintf(format, args...)) }

// mutate compiles the subject's units with the flags of the build and mutates them.
func (r *recording) mutate(ctx context.Context) (*program.Program, error) {
	start := time.Now()
	var err error
	if r.variants, err = r.variantsOf(ctx); err != nil {
		return nil, err
	}
	done := r.during(fmt.Sprintf("compiling and mutating %s of %s", r.files(), r.build.Subject.Name))
	defer done()
	p, err := r.load(ctx)
	if err != nil {
		return nil, err
	}
	whole := p.WithoutCopies()
	own := whole.Mutants()
	r.stage("mutate", start)
	if err := r.choose(ctx, p); err != nil {
		return nil, err
	}
	done()
	left := ""
	if p.OutOfScope > 0 {
		left = fmt.Sprintf(" of %d", p.Generated)
	}
	if copies := len(p.Mutants()) - len(own); copies > 0 {
		left += fmt.Sprintf(", and %d copies of them in test programs", copies)
	}
	r.say("%d mutants%s, after %d equivalent and %d duplicate ones were left out (%.1f s)", len(own), left,
		whole.Count(equiv.Equivalent), whole.Count(equiv.Duplicate), time.Since(start).Seconds())
	if chosen := r.chosenIn(whole); chosen < len(own) {
		r.say("%d of them are to be decided", chosen)
	}
	return p, nil
}

// load makes the mutants of the variants.
func (r *recording) load(ctx context.Context) (*program.Program, error) {
	var inputs []program.Input
	for _, v := range r.variants {
		inputs = append(inputs, v.input)
	}
	if len(inputs) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: of its source files none is left to mutate", r.build.Subject.Name),
			"name others in winnow.toml: targets says what is mutated, exclude what is not")
	}
	p, err := program.Load(ctx, r.builder.Tools, inputs, program.LoadOptions{Name: r.build.Subject.Name, Mutation: r.opts.Mutation, Sources: r.trees,
		LeaveOut: func(in program.Input, err error) {
			r.summary.Skipped = append(r.summary.Skipped, fmt.Sprintf("%s: clang does not compile it: %v", r.short(in.Path), firstLine(err)))
		}})
	if err != nil {
		return nil, err
	}
	if len(p.Mutants()) == 0 && r.size.files > 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: %w", p.Name, errNotReached), "")
	}
	if len(p.Mutants()) == 0 && r.opts.Choose == nil {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: nothing to mutate", p.Name), "")
	}
	return p, nil
}

// choose computes the features of all mutants, and asks which of them to run.
func (r *recording) choose(ctx context.Context, p *program.Program) error {
	start := time.Now()
	var err error
	if !r.opts.NoFeatures {
		if r.features, err = program.Features(p); err != nil {
			return err
		}
		r.stage("features", start)
	}
	if r.opts.Choose == nil {
		r.chosen = r.withCopies(p, inTurns(p.WithoutCopies().Mutants()))
		return nil
	}
	chosen, err := Chosen(ctx, p.WithoutCopies(), r.opts.Choose)
	if err != nil {
		return err
	}
	r.chosen = r.withCopies(p, chosen)
	return nil
}

// short names a source as the project does.
func (r *recording) short(path string) string {
	if rel, err := filepath.Rel(r.build.Path("source"), path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}

// layers makes a folder for layers.
func (r *recording) layers() (string, error) {
	folder, err := os.MkdirTemp(filepath.Dir(r.build.Work), ".winnow-layers-")
	if err != nil {
		return "", fmt.Errorf("making a folder for builds: %w", err)
	}
	return folder, nil
}

// place makes the layers of the build in which objects with mutants, and objects that
// probe, have the places of the build's own.
func (r *recording) place(ctx context.Context, p *program.Program, how build.Optimizing) (builds command.Builds, remove func(), err error) {
	start := time.Now()
	folder, err := r.layers()
	if err != nil {
		return builds, nil, err
	}
	remove = func() { os.RemoveAll(folder) }
	builds = command.Builds{Base: r.build.Work, Mutants: filepath.Join(folder, "mutants"), Probe: filepath.Join(folder, "probe"), Sites: p.Sites}
	done := r.during("building them into " + r.build.Subject.Name)
	defer done()
	meta, err := r.builder.MutantObjects(ctx, p, "mutants", how)
	if err == nil {
		err = r.layer(ctx, p, builds.Mutants, meta)
	}
	var probe *build.Objects
	if err == nil {
		probe, builds.Shape, err = r.builder.ProbeObjects(ctx, p, "probe", how)
	}
	if err == nil {
		err = r.layer(ctx, p, builds.Probe, probe)
	}
	if err != nil {
		remove()
		return builds, nil, err
	}
	r.stage("build", start)
	done()
	r.say("built them into %s (%.1f s)", r.build.Subject.Name, time.Since(start).Seconds())
	return builds, remove, nil
}

// objectsFolder, in a layer, holds the objects: a run does not see other folders of ours.
const objectsFolder = ".winnow-objects"

// linking bounds how long a project's own links may take.
const linking = 10 * time.Minute

// layer makes one layer.
func (r *recording) layer(ctx context.Context, p *program.Program, layer string, objects *build.Objects) error {
	if err := os.MkdirAll(filepath.Join(layer, objectsFolder), 0o755); err != nil {
		return fmt.Errorf("making a layer of the build: %w", err)
	}
	seen := func(path string) (string, error) {
		name := filepath.Base(path)
		return filepath.Join(r.build.Work, objectsFolder, name), os.Rename(path, filepath.Join(layer, objectsFolder, name))
	}
	places := map[string]string{}
	for k, u := range p.Units {
		path, err := seen(objects.Units[k])
		if err != nil {
			return fmt.Errorf("making a layer of the build: %w", err)
		}
		for _, id := range r.replacedBy(u) {
			places[id] = path
		}
	}
	runtime, err := seen(objects.Runtime)
	if err != nil {
		return fmt.Errorf("making a layer of the build: %w", err)
	}
	script, err := r.build.Remake(places, runtime)
	if err != nil {
		return exit.New(exit.Input, err, "")
	}
	err = command.Prepare(ctx, r.build.Work, layer, []string{"/bin/sh", "-c", script}, r.build.Work, os.Environ(), linking)
	if failed := new(command.BuildError); errors.As(err, &failed) {
		failed.Argv = []string{"linking " + r.build.Subject.Name}
		return exit.New(exit.Input, failed, "")
	}
	return err
}
