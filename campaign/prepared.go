package campaign

import (
	"context"
	"fmt"
	"sync"

	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
)

// Prepared is a case that is mutated and built, for tests that come one by one: what Record
// does for a whole suite, without a run folder. It is for one goroutine.
type Prepared struct {
	r     *recording
	m     *mutated
	made  *executables
	tests []execute.Test // the case's own
	maker *maker         // of further ones; nil until some were wanted
}

// Prepare mutates a case and builds its mutants.
func Prepare(ctx context.Context, builder *build.Builder, c project.Case, opts RecordOptions) (*Prepared, error) {
	tests := c.Tests
	c.Tests, c.Expected, c.Repeated = nil, nil, nil // others will come
	r := &recording{bench: newBench(builder, &c, opts.Execute), opts: opts}
	m, err := r.mutate(ctx)
	if err != nil {
		return nil, err
	}
	look := sync.OnceValues(func() (*looked, error) {
		made, err := r.build(ctx, m, nil)
		return &looked{made: made, base: &baseline{}}, err
	})
	if err := r.pick(ctx, m, look); err != nil {
		return nil, err
	}
	at, err := look()
	if err != nil {
		return nil, err
	}
	return &Prepared{r: r, m: m, made: at.made, tests: tests}, nil
}

// Close removes what was built.
func (p *Prepared) Close() {
	p.made.remove()
	p.maker.close()
}

// Kills runs a test on the mutants that are wanted, by their ids. The matrix is of these
// mutants and of this test; without any that is there it is nil. A test on which the program
// itself does not behave the same twice is refused.
func (p *Prepared) Kills(ctx context.Context, test execute.Test, wanted func(id string) bool) (*kill.Matrix, error) {
	some := p.those(wanted)
	if len(some) == 0 {
		return nil, nil
	}
	base, err := p.r.baseline(ctx, p.made.meta, &suite{tests: []execute.Test{test}})
	if err != nil {
		return nil, err
	}
	if len(base.tests) == 0 {
		return nil, exit.New(exit.Baseline, fmt.Errorf("test %s is of no use: %v", test.Name, base.aside), "")
	}
	return p.kills(ctx, some, base)
}

func (p *Prepared) those(wanted func(id string) bool) (some []mutant.Mutant) {
	for i := range p.m.chosen {
		if wanted(p.m.chosen[i].ID) {
			some = append(some, p.m.chosen[i])
		}
	}
	return some
}

// kills runs mutants on the tests of a baseline.
func (p *Prepared) kills(ctx context.Context, some []mutant.Mutant, base *baseline) (*kill.Matrix, error) {
	found, err := p.r.infections(ctx, p.made, base)
	if err != nil {
		return nil, err
	}
	at := looked{p.made, base, found}
	runs, err := p.r.kill(ctx, p.made.meta, &killing{some, base, at.of(some)})
	if err != nil {
		return nil, err
	}
	of := &verdict.Runs{Tests: namesOf(base.tests), Original: base.original.Tests, Result: runs.Result, Exit: p.r.bench.execute.Exit}
	for i := range some {
		of.Mutants = append(of.Mutants, some[i].ID)
	}
	return verdict.Kills(of)
}
