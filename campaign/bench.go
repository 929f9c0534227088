package campaign

import (
	"context"
	"debug/elf"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/project"
)

// bench is where a case is worked on: what builds its versions, and how they are run.
// Every stage works on it and none changes it; which tests are in use is what the stages
// hand on.
type bench struct {
	builder *build.Builder
	c       *project.Case
	execute execute.Options
}

func newBench(builder *build.Builder, c *project.Case, options execute.Options) *bench {
	return &bench{builder, c, c.Behaviour.Options(options)}
}

// observe runs an executable without a mutant on tests. Where something is expected of
// them, by their places, they must pass.
func (b *bench) observe(ctx context.Context, binary string, tests []execute.Test, expected []project.Expectation) (*execute.Baseline, error) {
	engine, err := execute.Start(ctx, binary, tests, b.execute)
	if err != nil {
		return nil, err
	}
	defer engine.Close()
	if err := b.mustPass(ctx, engine, tests, expected); err != nil {
		return nil, err
	}
	return engine.Originals(ctx)
}

// mustPass compares what the original does with what it must do.
func (b *bench) mustPass(ctx context.Context, engine *execute.Engine, tests []execute.Test, expected []project.Expectation) error {
	var asked []int
	for k, want := range expected {
		if want.Output != nil || want.Status != nil || want.Fails {
			asked = append(asked, k)
		}
	}
	did := make([]string, len(expected)) // of those that fail
	err := engine.ObserveTests(ctx, asked, func(k int, outcome execute.Outcome, got []byte) {
		if !expected[k].Meets(outcome, got) {
			did[k] = fmt.Sprintf("%s (%v)", tests[k].Name, outcome)
		}
	})
	if err != nil {
		return err
	}
	failed := slices.DeleteFunc(did, func(said string) bool { return said == "" })
	if len(failed) > 0 {
		return exit.New(exit.Baseline, fmt.Errorf("%s: %d of %d tests fail on the original program: %s",
			b.c.Program, len(failed), len(tests), strings.Join(firstOf(failed, 5), ", ")),
			"mend the program or the tests first: a kill is a difference from a program that passes")
	}
	return nil
}

func firstOf(list []string, n int) []string {
	if len(list) <= n {
		return list
	}
	return append(append([]string(nil), list[:n]...), fmt.Sprintf("and %d more", len(list)-n))
}

// version is a version of the case that is run as it is.
type version struct {
	name   string // of its executable
	inputs []program.Input
	// maxData bounds its variables, in bytes; 0 means no bound.
	maxData int64
}

// try runs a version that is built like a meta-mutant without mutants, so that the same
// limits hold, on tests.
func (b *bench) try(ctx context.Context, v version, tests []execute.Test, expected []project.Expectation) ([]execute.TestBaseline, error) {
	p, err := program.Load(ctx, b.builder.Tools, v.inputs, program.LoadOptions{Name: b.c.Program, Mutation: program.Mutation{Nothing: true}})
	if err != nil {
		return nil, err
	}
	binary, err := b.builder.MetaMutant(ctx, p, v.name)
	if err != nil {
		return nil, err
	}
	defer os.Remove(binary)
	if err := b.dataFits(binary, v.maxData); err != nil {
		return nil, err
	}
	base, err := b.observe(ctx, binary, tests, expected)
	if err != nil {
		return nil, err
	}
	return base.Tests, nil
}

// dataFits leaves out programs with more variables than a bound. Some clear all of them at
// the start of each run: 400 MB are 100,000 pages, and a tenth of a second that no count
// of work sees, times ten thousands of runs.
func (b *bench) dataFits(binary string, most int64) error {
	if most <= 0 {
		return nil
	}
	f, err := elf.Open(binary)
	if err != nil {
		return fmt.Errorf("reading the size of %s: %w", b.c.Name(), err)
	}
	defer f.Close()
	size := uint64(0)
	for _, s := range f.Sections {
		if s.Flags&(elf.SHF_ALLOC|elf.SHF_WRITE) == elf.SHF_ALLOC|elf.SHF_WRITE {
			size += s.Size
		}
	}
	if size > uint64(most) {
		return &Unusable{fmt.Sprintf("more than %d MB of variables", most>>20)}
	}
	return nil
}
