package campaign

import (
	"context"
	"fmt"
	"os"

	"github.com/winnow-mutants/winnow/coverage"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/report"
)

// measure has other tools measure criteria on tests. base is what the original does on
// each; nil where that is not known yet, and whatever ends by itself counts.
func (r *recording) measure(ctx context.Context, tests []execute.Test, base *execute.Baseline) (*coverage.Measured, error) {
	folder, err := os.MkdirTemp(r.builder.Folder, "coverage-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for coverage: %w", err)
	}
	defer os.RemoveAll(folder)
	p := &coverage.Program{Root: r.c.Folder, Tests: tests, Workers: r.bench.execute.Workers, Unusable: func(test int, o execute.Outcome) string {
		switch {
		case base == nil && o.Cause != execute.CauseExit:
			return "it does not end by itself"
		case base != nil && (o.Cause != base.Tests[test].Cause || o.Status != base.Tests[test].Status):
			return "it does not end as on the original"
		}
		return ""
	}}
	for _, in := range r.c.Inputs {
		p.Units = append(p.Units, coverage.Unit{Source: in.Path, Dir: in.Directory, Flags: in.Flags, Uncounted: in.Harness})
	}
	target, err := p.Target(r.builder.Tools, folder)
	if err != nil {
		return nil, err
	}
	out, err := r.opts.Criteria.Measure(ctx, target, r.opts.Progress)
	if err != nil {
		return nil, err
	}
	for k, tool := range r.opts.Criteria.Tools {
		r.stages = append(r.stages, dataset.Stage{Name: tool.Name, Seconds: out.Took[k].Seconds()})
	}
	return out, nil
}

// toolsFailed is the error of a run that is whole but for criteria of other tools.
func toolsFailed(run *report.Run) error {
	if len(run.CriteriaFailed) == 0 {
		return nil
	}
	return exit.Mark(exit.Tool, coverage.ErrTool, fmt.Errorf("%s: %s", run.Program, run.CriteriaFailed[0]))
}
