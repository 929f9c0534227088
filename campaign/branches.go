package campaign

import (
	"context"
	"os"
	"slices"

	"github.com/winnow-mutants/winnow/campaign/verdict"
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

// branches runs a program on tests and notes the sides that they take. same says whether
// a run does what the meta-mutant did on the test of that place. Where it does not,
// because the program reads memory that it never wrote for instance, nothing is known of
// the test.
func (b *bench) branches(ctx context.Context, p *program.Program, tests []execute.Test, same func(test int, seen *execute.TestBaseline) bool) (*cover.Matrix, error) {
	binary, sides, err := b.builder.Branching(ctx, p, "branches")
	if err != nil {
		return nil, err
	}
	defer os.Remove(binary)
	taken, err := b.observe(ctx, binary, tests, nil)
	if err != nil {
		return nil, err
	}
	named := schemata.SideNames(sides, func(file string) string { return paths.Relative(b.c.Folder, file) })
	return verdict.Branches(namesOf(tests), taken.Tests, named, func(t int) bool { return same(t, &taken.Tests[t]) })
}

func namesOf(tests []execute.Test) []string {
	out := make([]string, len(tests))
	for t := range tests {
		out[t] = tests[t].Name
	}
	return out
}

// AddBranches records which branches the tests of a finished run of the case take.
func AddBranches(ctx context.Context, builder *build.Builder, run *dataset.Run, c project.Case, options execute.Options) error {
	recorded, err := testsOf(run)
	if err != nil {
		return err
	}
	tests, err := recorded.pick(run, c.Tests)
	if err != nil {
		return err
	}
	p, err := program.Load(ctx, builder.Tools, c.Inputs, program.LoadOptions{Workers: 1, Name: c.Program, Mutation: program.Mutation{Nothing: true}})
	if err != nil {
		return err
	}
	taken, err := newBench(builder, &c, options).branches(ctx, p, tests, func(t int, seen *execute.TestBaseline) bool {
		at := slices.IndexFunc(recorded.faults, func(f fault.Result) bool { return f.Test == recorded.names[t] })
		return at >= 0 && recorded.faults[at].Faulty == verdict.Outcome(*seen)
	})
	if err != nil {
		return err
	}
	return run.AddBranches(taken)
}
