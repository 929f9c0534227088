package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/report"
)

// RunOptions choose what RunProjects records.
type RunOptions struct {
	// Faults records the faulty versions in place of the program itself.
	Faults bool
	// Replace allows run folders in the output folder to be replaced.
	Replace bool
	Record  RecordOptions
}

// RunProjects records the projects in the given folders, each in a run folder
// below out: out/program, or out/program/fault. out must not exist unless
// opts.Replace is set, and then hold nothing but run folders.
//
// Each program is recorded whole or not at all. One whose tests fail, or that
// does not compile, does not keep the others from being recorded: the runs
// recorded are returned together with the errors of the others, joined in the
// order of the projects. When nothing was recorded, out is as it was.
func RunProjects(ctx context.Context, tools *clang.Toolchain, folders []string, out string, opts RunOptions) ([]*report.Run, error) {
	cases, err := casesOf(folders, opts.Faults)
	if err != nil {
		return nil, err
	}
	place, err := newPlace(out, opts.Replace)
	if err != nil {
		return nil, err
	}
	defer place.discard()
	builder, remove, err := temporaryBuilder(ctx, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	var runs []*report.Run
	var failed []error
	for k, c := range cases {
		opts.Record.Label = fmt.Sprintf("%s (%d of %d)", c.Name(), k+1, len(cases))
		run, err := Record(ctx, builder, c, filepath.Join(place.folder, c.Program, c.Fault), opts.Record)
		if err != nil {
			failed = append(failed, err)
			if ctx.Err() != nil {
				failed = []error{ctx.Err()} // what failed before is for the next time
			}
			if !ofItsOwn(err) || ctx.Err() != nil {
				break
			}
			continue
		}
		runs = append(runs, run)
	}
	if len(runs) > 0 {
		failed = append(failed, place.commit())
	}
	return runs, errors.Join(failed...)
}

// ofItsOwn reports whether a program's failure says nothing about the next one.
func ofItsOwn(err error) bool {
	code := exit.Of(err)
	return code == exit.Input || code == exit.Baseline
}

// casesOf lists what all projects have to record.
func casesOf(folders []string, faults bool) ([]Case, error) {
	var cases []Case
	from := map[string]string{}
	for _, folder := range folders {
		p, err := OpenProject(folder)
		if err != nil {
			return nil, err
		}
		if other, taken := from[p.Program]; taken {
			return nil, exit.New(exit.Input, fmt.Errorf("%s and %s are both named %q, so that one would replace the other's record", other, folder, p.Program),
				"give each program a name of its own in "+ProjectFile)
		}
		from[p.Program] = folder
		fromProject, err := p.Cases(faults)
		if err != nil {
			return nil, err
		}
		cases = append(cases, fromProject...)
	}
	return cases, nil
}

// Cases are what a project has to record: itself, or its faulty versions.
func (p *Project) Cases(faults bool) ([]Case, error) {
	tests, expected, err := p.LoadTests()
	if err != nil {
		return nil, err
	}
	tests, expected, same, err := withoutTwins(tests, expected)
	if err != nil {
		return nil, err
	}
	plain := Case{Program: p.Program, Folder: p.Folder, Inputs: p.Inputs(nil), Tests: tests, Expected: expected,
		Twins: same, Behaviour: p.behaviour()}
	if !faults {
		return []Case{plain}, nil
	}
	if len(p.Faults) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s names no faulty version", filepath.Join(p.Folder, ProjectFile)),
			"add one with [[faults]], or run the program itself without --faults")
	}
	var out []Case
	for i := range p.Faults {
		f := &p.Faults[i]
		c := plain
		c.Problem, c.Fault, c.Inputs, c.Fixed = p.Program, f.Name, p.Inputs(f), p.Inputs(nil)
		out = append(out, c)
	}
	return out, nil
}
