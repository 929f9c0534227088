package campaign

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/mutant/schemata"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
)

// branchesTaken runs a program on the tests in use and notes the sides that they take.
// same says whether a run does what the meta-mutant did on the test of that place.
// Where it does not, because the program reads memory that it never wrote for instance,
// nothing is known of the test.
func (r *recorder) branchesTaken(ctx context.Context, p *program.Program, same func(test int, seen *execute.TestBaseline) bool) (*cover.Matrix, error) {
	start := time.Now()
	binary, sides, err := r.builder.Branching(ctx, p, "branches")
	if err != nil {
		return nil, err
	}
	defer os.Remove(binary)
	taken, err := r.original(ctx, binary, false)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(r.c.Tests))
	for t := range names {
		names[t] = r.c.Tests[t].Name
	}
	out, err := cover.New(cover.Branches, names, len(sides))
	if err != nil {
		return nil, err
	}
	if err := out.Name(r.namesOf(sides)); err != nil {
		return nil, err
	}
	for t := range taken.Tests {
		seen := &taken.Tests[t]
		if seen.SetAside != "" || !seen.ReachedKnown || !same(t, seen) {
			out.SetUnmeasured(t)
			continue
		}
		for side := range sides {
			if !seen.Reached.Has(side) {
				continue
			}
			if err := out.Set(t, side); err != nil {
				return nil, err
			}
		}
	}
	r.stage("branches", start)
	return out, nil
}

// namesOf says where sides are and when they are taken, e.g. "a.c:12:7 in f: true".
func (r *recorder) namesOf(sides []schemata.Side) []string {
	out := make([]string, len(sides))
	for k, s := range sides {
		out[k] = fmt.Sprintf("%s:%d:%d in %s: %s", paths.Relative(r.c.Folder, s.Position.File), s.Position.Line, s.Position.Column, s.Function, s.Taken)
	}
	return out
}

// AddBranches records which branches the tests of a finished run of the case take.
func AddBranches(ctx context.Context, builder *build.Builder, run *dataset.Run, c project.Case, opts RecordOptions) error {
	tests, err := testsOf(run)
	if err != nil {
		return err
	}
	if c.Tests, err = tests.pick(run, c.Tests); err != nil {
		return err
	}
	p, err := program.Load(ctx, builder.Tools, c.Inputs, program.LoadOptions{Workers: 1, Name: c.Program, Mutation: program.Mutation{Nothing: true}})
	if err != nil {
		return err
	}
	r := &recorder{tools: builder.Tools, builder: builder, c: c, opts: opts}
	taken, err := r.branchesTaken(ctx, p, func(t int, seen *execute.TestBaseline) bool {
		at := slices.IndexFunc(tests.faults, func(f fault.Result) bool { return f.Test == tests.names[t] })
		return at >= 0 && tests.faults[at].Faulty == observed(*seen)
	})
	if err != nil {
		return err
	}
	return run.AddBranches(taken)
}
