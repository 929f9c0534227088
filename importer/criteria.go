package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/codeflaws"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
)

// CriteriaOptions choose what is recorded for the study of criteria.
type CriteriaOptions struct {
	// Workers look at subjects at the same time; 0 means one a CPU.
	Workers int
	// Limit is how many fixed versions are recorded, of subjects drawn by Seed; 0
	// means all. Branches are recorded of all subjects.
	Limit int
	Seed  uint64
	// Mutation and Execute are those that the history was recorded with.
	Mutation program.Mutation
	Execute  execute.Options
	// Tool is the version of winnow, for the manifests.
	Tool    string
	Display *progress.Display
}

// CriteriaSummary counts what was recorded.
type CriteriaSummary struct {
	// Branches counts the subjects that got branch coverage, Fixed those whose fixed
	// version was recorded; with Before those that had it.
	Branches       int `json:"branches"`
	BranchesBefore int `json:"branches_before"`
	Fixed          int `json:"fixed"`
	FixedBefore    int `json:"fixed_before"`
	// Mutants, Killed and Runs are those of the fixed versions recorded now.
	Mutants int `json:"mutants"`
	Killed  int `json:"killed"`
	Runs    int `json:"runs"`
	// Left are the subjects that lack one of both, with the reason.
	Left   []string `json:"left,omitempty"`
	Effort effort   `json:"effort"`
}

// CriteriaCodeflaws records what the study of criteria reads beside what an import
// records: which branches the tests take, of faults that were recorded before imports
// noted it, and the mutants of the fixed versions on the same tests. The faults' own
// labels and matrices stay as they are, byte for byte. What is there is passed over, so
// that it goes on where it was interrupted.
func CriteriaCodeflaws(ctx context.Context, tools *clang.Toolchain, benchmark, history string, opts CriteriaOptions) (*CriteriaSummary, error) {
	source, err := codeflawsSource(benchmark)
	if err != nil {
		return nil, err
	}
	return recordCriteria(ctx, tools, history, opts, source)
}

// CriteriaPairs does for a history of pairs what CriteriaCodeflaws does.
func CriteriaPairs(ctx context.Context, tools *clang.Toolchain, folder, history string, opts CriteriaOptions) (*CriteriaSummary, error) {
	source, err := pairsSource(folder)
	if err != nil {
		return nil, err
	}
	return recordCriteria(ctx, tools, history, opts, source)
}

// criteriaRecorder carries what subjects share.
type criteriaRecorder struct {
	builder *build.Builder
	opts    CriteriaOptions
	source  sourceOf
}

// ofCriteria is what became of one subject.
type ofCriteria struct {
	branches, branchesBefore, fixed, fixedBefore bool

	mutants, killed, runs int
	left                  string
}

func recordCriteria(ctx context.Context, tools *clang.Toolchain, history string, opts CriteriaOptions, source sourceOf) (*CriteriaSummary, error) {
	start := now()
	runs, err := runsToRenew(history)
	if err != nil {
		return nil, err
	}
	runs = drawn(runs, opts.Seed)
	held, err := output.Hold(history)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	builder, remove, err := build.Temporary(ctx, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	limit := cmp.Or(opts.Limit, len(runs))
	task := opts.Display.Start("recording for the criteria", len(runs))
	defer task.Done()
	r := &criteriaRecorder{builder: builder, opts: opts, source: source}
	all, err := parallel.Map(ctx, opts.Workers, runs, func(ctx context.Context, k int, run dataset.Run) (ofCriteria, error) {
		defer task.Add(1)
		return r.look(ctx, &run, k < limit)
	})
	if err != nil {
		return nil, err
	}
	sum := &CriteriaSummary{}
	for k, one := range all {
		sum.add(runs[k].Manifest.Name(), one)
	}
	end := now()
	sum.Effort = effort{CPU: end.cpu - start.cpu, Clock: end.clock.Sub(start.clock).Seconds()}
	return sum, nil
}

// drawn puts runs into an order that depends on their names and the seed.
func drawn(runs []dataset.Run, seed uint64) []dataset.Run {
	at := map[string]dataset.Run{}
	var names []string
	for _, run := range runs {
		at[run.Manifest.Name()] = run
		names = append(names, run.Manifest.Name())
	}
	var out []dataset.Run
	for _, name := range codeflaws.Sample(names, seed) {
		out = append(out, at[name])
	}
	return out
}

func (sum *CriteriaSummary) add(name string, one ofCriteria) {
	for _, c := range []struct {
		to *int
		is bool
	}{{&sum.Branches, one.branches}, {&sum.BranchesBefore, one.branchesBefore}, {&sum.Fixed, one.fixed}, {&sum.FixedBefore, one.fixedBefore}} {
		if c.is {
			*c.to++
		}
	}
	sum.Mutants += one.mutants
	sum.Killed += one.killed
	sum.Runs += one.runs
	if one.left != "" {
		sum.Left = append(sum.Left, name+": "+one.left)
	}
}

// look records one subject; one that cannot be recorded does not keep the others from
// it.
func (r *criteriaRecorder) look(ctx context.Context, run *dataset.Run, fixed bool) (ofCriteria, error) {
	out := ofCriteria{branchesBefore: run.Has(dataset.BranchesFile)}
	var err error
	if out.fixedBefore, err = isFinished(campaign.FixedFolder(run.Dir)); err != nil {
		return out, err
	}
	fixed = fixed && !out.fixedBefore
	if !fixed && out.branchesBefore {
		return out, nil
	}
	err = r.one(ctx, run, fixed, &out)
	switch code := exit.Of(err); {
	case err == nil:
		return out, nil
	case ctx.Err() != nil:
		return out, ctx.Err()
	case code == exit.Input || code == exit.Baseline || code == exit.Internal:
		out.left, _, _ = strings.Cut(err.Error(), "\n")
		return out, nil
	}
	return out, fmt.Errorf("%s: %w", run.Manifest.Name(), err)
}

func isFinished(dir string) (bool, error) {
	_, err := dataset.ReadManifest(dir)
	if errors.Is(err, dataset.ErrUnfinished) {
		return false, nil
	}
	return err == nil, err
}

func (r *criteriaRecorder) one(ctx context.Context, run *dataset.Run, fixed bool, out *ofCriteria) error {
	if err := run.FinishReplacing(); err != nil {
		return err
	}
	work, err := os.MkdirTemp(r.builder.Folder, "criteria-")
	if err != nil {
		return fmt.Errorf("making a folder for sources: %w", err)
	}
	defer os.RemoveAll(work)
	c, err := r.source(run.Manifest.Program, work)
	if err != nil {
		return err
	}
	if err := c.AsRecorded(run); err != nil {
		return err
	}
	opts := campaign.RecordOptions{Execute: r.opts.Execute, Mutation: r.opts.Mutation, Tool: r.opts.Tool, Seed: run.Manifest.Seed, NoFeatures: true}
	opts.Execute.Workers = 1
	if !out.branchesBefore {
		if err := campaign.AddBranches(ctx, r.builder.Below(work), run, *c, opts.Execute); err != nil {
			return err
		}
		out.branches = true
	}
	if !fixed {
		return nil
	}
	twin, err := campaign.FixedCase(c, run)
	if err != nil {
		return err
	}
	made, err := campaign.Record(ctx, r.builder.Below(work), *twin, campaign.FixedFolder(run.Dir), opts)
	if err != nil {
		return err
	}
	out.fixed, out.mutants, out.killed, out.runs = true, made.Mutants, made.Killed, made.Runs
	return nil
}
