package experiment

import (
	"context"
	"fmt"
	"slices"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/experiment/crossval"
	"github.com/winnow-mutants/winnow/experiment/subject"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/train"
)

// leakWarnings names the features that tell too much: those that alone tell a
// label of all mutants nearly without error (train.Suspects), and those that
// agree, fault by fault, with a label or with what a revealing test kills
// (Audit), as a dynamic feature does that was measured with that test.
func leakWarnings(ctx context.Context, subjects []subject.Subject, opts Options) ([]string, error) {
	var out []string
	leaks, err := Audit(ctx, subjects, opts.Display)
	if err != nil {
		return nil, err
	}
	for _, l := range leaks {
		out = append(out, fmt.Sprintf("feature %s tells %s (agreement %.3f within a fault): if it was measured with tests that the labels rest on, leave it out", l.Column, l.Of, l.Agreement))
	}
	for _, name := range []string{FaultLabel, KillLabel} {
		if err := ctx.Err(); err != nil { // a short search may have ended before it was noticed
			return nil, err
		}
		label, err := dataset.LookupLabel(name)
		if err != nil {
			return nil, err
		}
		set, err := crossval.NewTrainingSet(subjects, label, crossval.Sampling{PerSubject: opts.Sample, Seed: opts.Seed})
		if err != nil {
			return nil, fmt.Errorf("labelling %s: %w", name, err)
		}
		if len(set.Targets) == 0 || slices.Min(set.Targets) == slices.Max(set.Targets) {
			continue // one class: nothing to tell
		}
		task := opts.Display.Start("looking for features that tell "+name, len(set.Columns))
		suspects, err := train.Suspects(counted(dataOf(ctx, set), task), train.LeakAUC, opts.Workers)
		task.Done()
		if err != nil {
			return nil, err
		}
		for _, s := range suspects {
			out = append(out, fmt.Sprintf("of %s, %v", name, s))
		}
	}
	return out, nil
}

// counted counts the columns as they are loaded.
func counted(d *train.Data, task *progress.Task) *train.Data {
	for i := range d.Columns {
		load := d.Columns[i].Load
		d.Columns[i].Load = func() (train.Column, error) {
			defer task.Add(1)
			return load()
		}
	}
	return d
}
