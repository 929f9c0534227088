package built

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/execute/command"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix/cover"
	"github.com/winnow-mutants/winnow/mutant/schemata"
	"github.com/winnow-mutants/winnow/program"
)

// branches runs the tests once on a build that notes which sides of branches they take, of all of
// the subject's sources. It costs a build of the project, and is made where criteria are asked for.
// A test that does not do there what it does on the project's own build is not measured.
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
	inputs := make([]program.Input, len(one.variants))
	for i, v := range one.variants {
		inputs[i] = v.input
	}
	p, err := program.Load(ctx, r.builder.Tools, inputs, program.LoadOptions{Name: r.build.Subject.Name, Mutation: program.Mutation{Nothing: true},
		LeaveOut: func(program.Input, error) {}}) // mutating them says why
	if err != nil {
		return nil, err
	}
	folder, err := r.layers()
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	objects, sides, err := r.builder.BranchObjects(ctx, p, "branches", suite.how())
	if err != nil {
		return nil, err
	}
	builds := command.Builds{Base: r.build.Work, Mutants: filepath.Join(folder, "branches"), Sites: len(sides)}
	if err := one.layer(ctx, p, builds.Mutants, objects); err != nil {
		return nil, err
	}
	engine, err := command.Start(ctx, builds, suite.tests, command.Options{Workers: r.opts.Workers, Until: r.opts.Until})
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	base, err := engine.Original(ctx, suite.failing)
	if err != nil {
		return nil, fmt.Errorf("running the tests to see which branches they take: %w", err)
	}
	out, err := r.sidesTaken(suite, base, sides)
	if err != nil {
		return nil, err
	}
	r.stage("branches", start)
	return out, nil
}

// sidesTaken is the matrix of the tests that can be used and the sides, named as
// campaign.Record names them.
func (r *recording) sidesTaken(suite *suite, base *execute.Baseline, sides []schemata.Side) (*cover.Matrix, error) {
	var names []string
	var seen []*execute.TestBaseline
	for t := range suite.tests {
		if suite.failing[t] == nil {
			names, seen = append(names, suite.tests[t].Name), append(seen, &base.Tests[t])
		}
	}
	out, err := cover.New(cover.Branches, names, len(sides))
	if err != nil {
		return nil, err
	}
	named := make([]string, len(sides))
	for k := range sides {
		named[k] = sides[k].Name(paths.Relative(r.build.Path("source"), sides[k].Position.File))
	}
	if err := out.Name(named); err != nil {
		return nil, err
	}
	for t, b := range seen {
		if b.SetAside != "" || !b.ReachedKnown {
			out.SetUnmeasured(t)
			continue
		}
		for side := range sides {
			if b.Reached.Has(side) {
				if err := out.Set(t, side); err != nil {
					return nil, err
				}
			}
		}
	}
	return out, nil
}
