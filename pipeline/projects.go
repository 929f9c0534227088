package pipeline

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/report"
)

// RunOptions choose what RunProjects records.
type RunOptions struct {
	// Faults records the faulty versions in place of the program itself.
	Faults bool
	// Replace removes what an earlier run left in the output folder.
	Replace bool
	Record  RecordOptions
}

// RunProjects records the projects in the given folders, each in a run folder
// below out: out/program, or out/program/fault.
func RunProjects(ctx context.Context, tools *clang.Toolchain, folders []string, out string, opts RunOptions) ([]*report.Run, error) {
	var cases []Case
	for _, folder := range folders {
		p, err := OpenProject(folder)
		if err != nil {
			return nil, err
		}
		fromProject, err := p.Cases(opts.Faults)
		if err != nil {
			return nil, err
		}
		cases = append(cases, fromProject...)
	}
	if opts.Replace {
		if err := os.RemoveAll(out); err != nil {
			return nil, fmt.Errorf("replacing %s: %w", out, err)
		}
	}
	dir, remove, err := workFolder()
	if err != nil {
		return nil, err
	}
	defer remove()
	builder, err := NewBuilder(ctx, tools, dir)
	if err != nil {
		return nil, err
	}
	task := opts.Record.Display.Start("running mutants", len(cases))
	defer task.Done()
	var runs []*report.Run
	for _, c := range cases {
		run, err := Record(ctx, builder, c, filepath.Join(out, c.Program, c.Fault), opts.Record)
		if err != nil {
			return nil, err
		}
		runs = append(runs, run)
		task.Add(1)
	}
	return runs, nil
}

// Cases are what a project has to record: itself, or its faulty versions.
func (p *Project) Cases(faults bool) ([]Case, error) {
	tests, expected, err := p.LoadTests()
	if err != nil {
		return nil, err
	}
	if !faults {
		return []Case{{Program: p.Program, Inputs: p.Inputs(nil), Tests: tests, Expected: expected}}, nil
	}
	var out []Case
	for i := range p.Faults {
		f := &p.Faults[i]
		out = append(out, Case{Program: p.Program, Problem: p.Program, Fault: f.Name,
			Inputs: p.Inputs(f), Fixed: p.Inputs(nil), Tests: tests, Expected: expected})
	}
	return out, nil
}
