package campaign

import (
	"context"
	"os"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
)

// checker is a version of a program that sanitizers check as it runs.
type checker struct{ binary string }

// newChecker builds a version with sanitizers; the caller removes the binary.
func newChecker(ctx context.Context, b *build.Builder, version []program.Input, name string) (*checker, error) {
	b, err := b.Sanitizing(ctx)
	if err != nil {
		return nil, err
	}
	p, err := program.Load(ctx, b.Tools, version, program.LoadOptions{Name: name, Mutation: program.Mutation{Nothing: true}})
	if err != nil {
		return nil, err
	}
	binary, err := b.MetaMutant(ctx, p, name)
	return &checker{binary}, err
}

func (c *checker) remove() {
	if c != nil {
		os.Remove(c.binary)
	}
}

// clean returns the tests on which the version ends by itself, without a finding,
// and does so again when it is repeated. The limits are those of other runs, but
// for memory.
func (c *checker) clean(ctx context.Context, tests []execute.Test, opts execute.Options) ([]execute.Test, error) {
	if len(tests) == 0 {
		return nil, nil
	}
	engine, err := execute.Start(ctx, c.binary, tests, opts.Sanitized())
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	base, err := engine.Originals(ctx)
	if err != nil {
		return nil, err
	}
	var out []execute.Test
	for k := range base.Tests {
		if base.Tests[k].SetAside == "" && base.Tests[k].Cause == execute.CauseExit {
			out = append(out, tests[k])
		}
	}
	return out, nil
}
