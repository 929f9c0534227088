package campaign

import (
	"context"
	"slices"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/experiment"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
)

// Probed is what runs of the original on a project's tests told.
type Probed struct {
	Dynamic *features.Dynamic
	// Seconds is how long it would take to run each mutant, by id: as long as the
	// original took on the tests that infect it. Mutants that a map lacks cost
	// nothing, for no test could tell them from the original.
	Seconds map[string]float64
}

// Probe runs the original program on its project's tests and tells what
// they would have made of the mutants of p, which is the project's program: what
// the dynamic features of a ranking are made of. No mutant is run.
func Probe(ctx context.Context, tools *clang.Toolchain, p *program.Program, project *project.Project, options execute.Options) (*Probed, error) {
	cases, err := project.Cases(false)
	if err != nil {
		return nil, err
	}
	c := cases[0]
	builder, remove, err := build.Temporary(ctx, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	r := &recorder{tools: builder.Tools, builder: builder, c: c, mutants: p.Mutants(), opts: RecordOptions{Execute: c.Behaviour.Options(options), Counts: true}}
	if r.leavings, err = LeavingsOf(p, c.Tests); err != nil {
		return nil, err
	}
	if r.probing, err = builder.Probing(ctx, p, "probe", true); err != nil {
		return nil, err
	}
	binary, err := builder.MetaMutant(ctx, p, "original")
	if err != nil {
		return nil, err
	}
	base, err := r.original(ctx, binary, true)
	if err != nil {
		return nil, err
	}
	if _, err := r.probe(ctx, base); err != nil {
		return nil, err
	}
	return r.told(base)
}

// told sums up the probing runs on all tests.
func (r *recorder) told(base *execute.Baseline) (*Probed, error) {
	out := &Probed{Seconds: map[string]float64{}}
	seconds := map[string]float64{}
	for k := range r.c.Tests {
		seconds[r.c.Tests[k].Name] = base.Tests[k].Wall.Seconds()
	}
	ids, err := r.probed.Strings("id")
	if err != nil {
		return nil, err
	}
	tests, err := r.probed.Strings("test")
	if err != nil {
		return nil, err
	}
	infections, err := r.probed.Ints("infections")
	if err != nil {
		return nil, err
	}
	for i, id := range ids {
		if infections[i] > 0 {
			out.Seconds[id] += seconds[tests[i]]
		}
	}
	all := make([]features.Place, len(r.mutants))
	for i := range r.mutants {
		m := &r.mutants[i]
		all[i] = features.Place{ID: m.ID, Site: m.Site.Ordinal, Statement: m.Site.Statement, File: m.File, Function: m.Function, Line: m.Line}
	}
	tests = slices.Clone(tests) // the column is the table's
	slices.Sort(tests)
	out.Dynamic, err = experiment.DynamicOf(r.probed, all, slices.Compact(tests))
	return out, err
}
