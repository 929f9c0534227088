package built

import (
	"context"
	"slices"
	"time"

	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/mutant/schemata"
	"github.com/winnow-mutants/winnow/program"
)

// branches runs the tests once on a build that notes which sides of branches they take, of all of
// the subject's sources. It costs a build of the project, and is made where criteria are asked for.
// Of a test that does not pass there nothing is known. It is nil where nothing is left to mutate,
// which is said later.
func (r *recording) branches(ctx context.Context, suite *suite) (*cover.Matrix, error) {
	start := time.Now()
	done := r.during("looking which branches the tests take")
	defer done()
	one := r.round(size{}, nil)
	one.opts.Say = func(string) {}
	var err error
	if one.variants, err = one.variantsOf(ctx); err != nil {
		return nil, err
	}
	// Branches are those of what is tested: its copies in test programs stand among branches of tests.
	one.variants = slices.DeleteFunc(one.variants, func(v *variant) bool { return v.input.Only != nil })
	if len(one.variants) == 0 {
		return nil, nil
	}
	inputs := make([]program.Input, len(one.variants))
	for i, v := range one.variants {
		inputs[i] = v.input
	}
	p, err := program.Load(ctx, r.builder.Tools, inputs, program.LoadOptions{Name: r.build.Subject.Name, Mutation: program.Mutation{Nothing: true},
		LeaveOut: func(program.Input, error) {}}) // mutating them says why
	if err != nil {
		return nil, err
	}
	objects, sides, err := r.builder.BranchObjects(ctx, p, "branches", suite.how())
	if err != nil {
		return nil, err
	}
	base, err := one.original(limits{ctx, ctx}, suite, p, objects, len(sides), r.opts.Until)
	if err != nil {
		return nil, err
	}
	var names []string
	var taken []execute.TestBaseline
	for t := range suite.tests {
		if suite.failing[t] == nil {
			names, taken = append(names, suite.tests[t].Name), append(taken, base.Tests[t])
		}
	}
	source := r.build.Path("source")
	named := schemata.SideNames(sides, func(file string) string { return paths.Relative(source, file) })
	out, err := verdict.Branches(names, taken, named, nil)
	if err != nil {
		return nil, err
	}
	r.stage("branches", start)
	return out, nil
}
