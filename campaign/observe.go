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
	"github.com/winnow-mutants/winnow/rank"
)

// Observe runs the original program on its project's tests and tells what they would have
// made of the mutants of p, which is the project's program: what the dynamic features of
// a ranking are made of. No mutant is run. The program is built, so that its features must
// have been computed before.
func Observe(ctx context.Context, tools *clang.Toolchain, p *program.Program, tested *project.Project, options execute.Options) (*rank.Observed, error) {
	cases, err := tested.Cases(false)
	if err != nil {
		return nil, err
	}
	c := &cases[0]
	builder, remove, err := build.Temporary(ctx, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	seen := &probed{mutants: p.Mutants(), tests: c.Tests}
	if seen.exits, err = FollowToExits(p, c.Tests); err != nil {
		return nil, err
	}
	probing, err := builder.Probing(ctx, p, "probe", true)
	if err != nil {
		return nil, err
	}
	binary, err := builder.MetaMutant(ctx, p, "original")
	if err != nil {
		return nil, err
	}
	b := newBench(builder, c, options)
	if seen.base, err = b.observe(ctx, binary, c.Tests, c.Expected); err != nil {
		return nil, err
	}
	if seen.found, err = b.probe(ctx, probing, c.Tests, seen.base); err != nil {
		return nil, err
	}
	return seen.sum()
}

// sum sums up the probing runs on all tests.
func (p *probed) sum() (*rank.Observed, error) {
	t, err := p.table()
	if err != nil {
		return nil, err
	}
	seconds := map[string]float64{}
	for k := range p.tests {
		seconds[p.tests[k].Name] = p.base.Tests[k].Wall.Seconds()
	}
	ids, err := t.Strings("id")
	if err != nil {
		return nil, err
	}
	tests, err := t.Strings("test")
	if err != nil {
		return nil, err
	}
	infections, err := t.Ints("infections")
	if err != nil {
		return nil, err
	}
	out := &rank.Observed{Seconds: map[string]float64{}}
	for i, id := range ids {
		if infections[i] > 0 {
			out.Seconds[id] += seconds[tests[i]]
		}
	}
	all := make([]features.Place, len(p.mutants))
	for i := range p.mutants {
		m := &p.mutants[i]
		all[i] = features.Place{ID: m.ID, Site: m.Site.Ordinal, Statement: m.Site.Statement, File: m.File, Function: m.Function, Line: m.Line}
	}
	tests = slices.Clone(tests) // the column is the table's
	slices.Sort(tests)
	out.Dynamic, err = experiment.DynamicOf(t, all, slices.Compact(tests))
	return out, err
}
