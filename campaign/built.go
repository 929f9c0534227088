package campaign

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/campaign/built"
	"github.com/winnow-mutants/winnow/capture"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
	"github.com/winnow-mutants/winnow/report"
)

// built records a project that its own build builds.
func (rs *runs) built(ctx context.Context, c project.Case, dir string) (run *report.Run, goOn bool) {
	run, err := rs.recordBuilt(ctx, c, dir)
	if err != nil {
		rs.failed = append(rs.failed, err)
		if ctx.Err() != nil {
			rs.failed = []error{ctx.Err()}
		}
		return nil, OfOneCase(err) && ctx.Err() == nil
	}
	rs.recorded, rs.failed = append(rs.recorded, run), append(rs.failed, toolsFailed(run))
	if run.NotRun > 0 {
		rs.failed = append(rs.failed, timeout(fmt.Errorf("%s: %d of %d mutants were not run, for the time is up", c.Name(), run.NotRun, run.Mutants)))
	}
	return run, true
}

func (rs *runs) recordBuilt(ctx context.Context, c project.Case, dir string) (*report.Run, error) {
	say := rs.opts.Say
	if say == nil {
		say = func(string) {}
	}
	build, err := captured(ctx, c, say)
	if err != nil {
		return nil, err
	}
	build.Tests = slices.DeleteFunc(build.Tests, func(t capture.Test) bool { return slices.Contains(c.Build.SkipTests, t.Name) })
	mutation := mutationOf(build, rs.opts.Record.Mutation, build.Path("source"))
	mutation.Most = rs.opts.Most
	if rs.opts.Most > 0 {
		say(fmt.Sprintf("about %d mutants are made at most, spread over the lines; another number, or all, may be asked for", rs.opts.Most))
	}
	shown := map[string]bool{}
	return built.Record(ctx, rs.builder, build, dir, built.Options{
		Progress: filepath.Join(dir, ProgressFolder), Resume: rs.opts.Resume, Choose: rs.choice(), Apart: rs.chooses(), NoFeatures: rs.opts.Record.NoFeatures, Prove: rs.opts.Record.Prove, Criteria: rs.opts.Record.Criteria,
		Mutation: mutation, Workers: rs.opts.Record.Execute.Workers, Matrix: rs.opts.Matrix, Until: rs.opts.Record.Until, Grow: rs.opts.Grow, First: rs.opts.First,
		Compare: command.Comparison{Stdout: c.Build.Compared("stdout"), Stderr: c.Build.Compared("stderr")}, Files: c.Build.Files(),
		Tool: rs.opts.Record.Tool, Seed: rs.opts.Record.Seed, Say: say,
		Survivor: func(m *mutant.Mutant, file string) {
			// One a line: the others come at the end.
			if place := fmt.Sprintf("%s:%d", file, m.Line); !shown[place] {
				shown[place] = true
				say(fmt.Sprintf("survived: %s: %s → %s (%s)", place, m.Original, m.Replacement, m.ID))
			}
		},
	})
}

// captured builds a copy of a project, or finds one.
func captured(ctx context.Context, c project.Case, say func(string)) (*capture.Capture, error) {
	options, err := c.Build.Capture()
	if err != nil {
		return nil, err
	}
	start := time.Now()
	last := start
	options.Progress = func(e capture.Event) {
		if now := time.Now(); now.Sub(last) > max(2*time.Second, now.Sub(start)/5) { // less often what lasts long
			last = now
			say(fmt.Sprintf("%s: %s, %d files compiled so far", c.Program, e.Step, e.Compiled))
		}
	}
	say("building a copy of " + c.Program + " with its own build")
	build, err := capture.BuildOnce(ctx, c.Folder, options)
	if err != nil {
		return nil, err
	}
	build.Subject.Name = c.Program
	return build, nil
}

// mutationOf leaves out the tests that sources of a build hold of themselves, and all but headers where
// these are what is tested, of a project in a folder.
func mutationOf(build *capture.Capture, mutation program.Mutation, folder string) program.Mutation {
	if len(build.Subject.OwnTests) > 0 {
		own := map[string]bool{}
		for _, below := range build.Subject.OwnTests {
			own[filepath.Join(folder, below)] = true
		}
		mutation.Scope.Except = func(file, function string) bool { return own[file] && capture.IsTest(function) }
	}
	if len(mutation.Scope.Files) == 0 {
		for _, below := range build.Subject.Headers {
			mutation.Scope.Files = append(mutation.Scope.Files, filepath.Join(folder, below))
		}
	}
	return mutation
}

// BuiltSources are the sources of a project that its own build builds, as it compiles them, and how
// they are mutated. A copy is built where none is that is as the project; say is told of it.
func BuiltSources(ctx context.Context, tools *clang.Toolchain, c project.Case, mutation program.Mutation, workers int, say func(string)) ([]program.Input, program.Mutation, error) {
	build, err := captured(ctx, c, say)
	if err != nil {
		return nil, mutation, err
	}
	folder, err := filepath.Abs(c.Folder)
	if err != nil {
		return nil, mutation, fmt.Errorf("resolving the project's folder: %w", err)
	}
	inputs, err := built.Inputs(ctx, tools, build, folder, workers)
	return inputs, mutationOf(build, mutation, folder), err
}

// withoutTests is a choice of which no test is run; nil where there is none.
func withoutTests(choose Choice) func(context.Context, *program.Program) ([]string, error) {
	if choose == nil {
		return nil
	}
	return func(ctx context.Context, p *program.Program) ([]string, error) { return choose(ctx, p, nil) }
}

// chooses reports that some mutants were asked for.
func (rs *runs) chooses() bool {
	o := &rs.opts.Record
	return o.Choose != nil || o.Only != nil || o.Shard.String() != ""
}

// choice is which of the mutants are run and in which order; nil is all of them.
func (rs *runs) choice() func(ctx context.Context, p *program.Program) ([]string, error) {
	o := &rs.opts.Record
	switch {
	case o.Choose != nil:
		return withoutTests(o.Choose)
	case rs.opts.Grow && rs.opts.Budget > 0:
		return withoutTests(rs.opts.Order)
	case o.Only == nil && o.Shard.String() == "":
		return nil
	}
	return func(_ context.Context, p *program.Program) ([]string, error) {
		var out []string
		for i, m := range p.Mutants() {
			if o.Shard.has(i) && o.Only.has(&m) {
				out = append(out, m.ID)
			}
		}
		return out, nil
	}
}
