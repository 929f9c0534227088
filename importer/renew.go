package importer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/features"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/internal/scratch"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/program"
)

// RenewOptions choose how the features of a history are computed again.
type RenewOptions struct {
	// Workers renew subjects at the same time; 0 means one a CPU.
	Workers int
	// Mutation and Ages are those that the history was recorded with.
	Mutation program.Mutation
	Ages     bool
	// MaxUnmade is the share of a subject's mutants, 0 to 1, that may be unmade:
	// recorded, and not made today. A subject with more is left as it is.
	MaxUnmade float64
	// Tool is the version of winnow, for the manifests.
	Tool    string
	Display *progress.Display
}

// RenewSummary counts what became of a history's subjects.
type RenewSummary struct {
	Renewed int `json:"renewed"`
	// Current counts the subjects that had today's columns.
	Current int `json:"current"`
	// Mutants counts those of the renewed subjects, Unmade those of them that
	// today's operators do not make, UnmadeIn the subjects that have any.
	Mutants  int `json:"mutants"`
	Unmade   int `json:"unmade"`
	UnmadeIn int `json:"unmade_in"`
	// Left are the subjects that are as they were, with the reason.
	Left   []string `json:"left,omitempty"`
	Effort effort   `json:"effort"`
}

// Err is an error when subjects were left as they were: a history with two sets
// of columns cannot be read.
func (sum *RenewSummary) Err() error {
	if len(sum.Left) == 0 {
		return nil
	}
	return exit.Mark(exit.Input, ErrLeft, fmt.Errorf("%d of %d subjects were left as they were: %s", len(sum.Left), len(sum.Left)+sum.Renewed+sum.Current,
		strings.Join(sum.Left[:min(5, len(sum.Left))], "; ")))
}

// RenewCodeflaws computes the features of a history of Codeflaws again, with the
// columns of today, without running anything: labels and matrices stay, byte for
// byte, and probes but for the column "leaving", which is computed where they lack it.
// Subjects that have today's columns are passed over, so that a renewal that was
// interrupted goes on where it stopped.
//
// A subject's rows are those of its recorded mutants, in their order. Dependences
// are counted among those that are made today. An unmade mutant keeps the values
// that it has, in the columns whose definition is the same, and has NaN in the
// others.
func RenewCodeflaws(ctx context.Context, tools *clang.Toolchain, benchmark, history string, opts RenewOptions) (*RenewSummary, error) {
	source, err := codeflawsSource(benchmark)
	if err != nil {
		return nil, err
	}
	return renew(ctx, tools, history, opts, source)
}

// RenewPairs does for a history of pairs what RenewCodeflaws does.
func RenewPairs(ctx context.Context, tools *clang.Toolchain, folder, history string, opts RenewOptions) (*RenewSummary, error) {
	source, err := pairsSource(folder)
	if err != nil {
		return nil, err
	}
	return renew(ctx, tools, history, opts, source)
}

// renewer carries what the subjects of a history share.
type renewer struct {
	tools  *clang.Toolchain
	opts   RenewOptions
	source sourceOf
}

// renewal is what became of one subject.
type renewal struct {
	current bool
	mutants int
	unmade  int
	left    string // why the subject is as it was
}

func renew(ctx context.Context, tools *clang.Toolchain, history string, opts RenewOptions, source sourceOf) (*RenewSummary, error) {
	start := now()
	runs, err := runsToRenew(history)
	if err != nil {
		return nil, err
	}
	held, err := output.Hold(history)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	task := opts.Display.Start("renewing features", len(runs))
	defer task.Done()
	r := &renewer{tools: tools, opts: opts, source: source}
	all, err := parallel.Map(ctx, opts.Workers, runs, func(ctx context.Context, _ int, run dataset.Run) (renewal, error) {
		out, err := r.look(ctx, run)
		task.Add(1)
		return out, err
	})
	if err != nil {
		return nil, err
	}
	sum := &RenewSummary{}
	for i, one := range all {
		sum.add(runs[i].Manifest.Name(), one)
	}
	end := now()
	sum.Effort = effort{CPU: end.cpu - start.cpu, Clock: end.clock.Sub(start.clock).Seconds()}
	return sum, nil
}

// runsToRenew lists a history's finished run folders but those of fixed versions. They
// may differ in their columns: dataset.OpenHistory would refuse them.
func runsToRenew(history string) ([]dataset.Run, error) {
	entries, err := os.ReadDir(history)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	var runs []dataset.Run
	for _, entry := range entries {
		run := dataset.Run{Dir: filepath.Join(history, entry.Name()), Path: entry.Name()}
		if !entry.IsDir() {
			continue
		}
		run.Manifest, err = dataset.ReadManifest(run.Dir)
		if errors.Is(err, dataset.ErrUnfinished) {
			continue
		}
		if err != nil {
			return nil, exit.New(exit.Input, err, "")
		}
		if run.Manifest.OfFixed() {
			continue
		}
		runs = append(runs, run)
	}
	if len(runs) == 0 {
		return nil, exit.Mark(exit.Input, ErrNoRuns, fmt.Errorf("%s: there is no finished run folder in it", history))
	}
	return runs, nil
}

// add counts one subject.
func (sum *RenewSummary) add(name string, one renewal) {
	switch {
	case one.left != "":
		sum.Left = append(sum.Left, name+": "+one.left)
	case one.current:
		sum.Current++
	default:
		sum.Renewed++
		sum.Mutants += one.mutants
		sum.Unmade += one.unmade
		if one.unmade > 0 {
			sum.UnmadeIn++
		}
	}
}

// look renews one subject; one that cannot be renewed does not keep the others
// from it.
func (r *renewer) look(ctx context.Context, run dataset.Run) (renewal, error) {
	out, err := r.one(ctx, run)
	switch code := exit.Of(err); {
	case err == nil:
		return *out, nil
	case ctx.Err() != nil:
		return renewal{}, ctx.Err()
	case code == exit.Input || code == exit.Internal:
		return renewal{left: err.Error()}, nil
	}
	return renewal{}, fmt.Errorf("renewing %s: %w", run.Manifest.Name(), err)
}

func (r *renewer) one(ctx context.Context, run dataset.Run) (*renewal, error) {
	if err := run.FinishReplacing(); err != nil {
		return nil, err
	}
	s, err := run.Load(dataset.MutantsFile, dataset.ProbeFile)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	ids, err := s.Mutants.Strings("id")
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	// Features that are not those of the manifest can be made anew where none of
	// them need be kept.
	damaged := run.Verify(dataset.FeaturesFile)
	if damaged == nil && !lacksExits(s.Probe) {
		current, err := hasTodaysColumns(filepath.Join(run.Dir, dataset.FeaturesFile))
		if err != nil || current {
			return &renewal{current: current}, err
		}
	}
	p, exits, err := r.program(ctx, run, ids, s.Probe)
	if err != nil {
		return nil, err
	}
	out := &renewal{mutants: len(ids), unmade: len(ids) - len(p.Mutants())}
	var former *table.Table
	switch {
	case out.unmade == 0:
	case out.unmade == len(ids) || float64(out.unmade) > r.opts.MaxUnmade*float64(len(ids)):
		return &renewal{left: fmt.Sprintf("%d of its %d mutants are not made today", out.unmade, len(ids))}, nil
	case damaged != nil:
		return nil, exit.New(exit.Input, damaged, "")
	default:
		if former, err = table.Read(filepath.Join(run.Dir, dataset.FeaturesFile)); err != nil {
			return nil, exit.New(exit.Input, err, "")
		}
	}
	rows, err := program.Features(p)
	if err != nil {
		return nil, err
	}
	if rows, err = renewedRows(ids, rows, former); err != nil {
		return nil, err
	}
	var probe *table.Table
	if lacksExits(s.Probe) {
		if probe, err = renewedProbe(s.Probe, p, exits); err != nil {
			return nil, err
		}
	}
	return out, run.ReplaceFeatures(rows, probe, r.opts.Tool)
}

// hasTodaysColumns reports whether a table of features has the columns of today,
// with their meaning.
func hasTodaysColumns(path string) (bool, error) {
	in, err := table.Open(path)
	if err != nil {
		return false, exit.New(exit.Input, err, "")
	}
	defer in.Close()
	return sameDefinitions(in.Schema(), features.Schema()), nil
}

// program compiles a subject and makes its mutants, of which those with the given
// ids stay. Where the probe lacks what mutants show at the exits of their functions, that comes with it.
func (r *renewer) program(ctx context.Context, run dataset.Run, ids []string, probe *table.Table) (*program.Program, campaign.AtExits, error) {
	work, err := scratch.New("renew")
	if err != nil {
		return nil, nil, err
	}
	defer work.Remove()
	c, err := r.source(run.Manifest.Program, work.Path)
	if err != nil {
		return nil, nil, err
	}
	if err := c.AsRecorded(&run); err != nil {
		return nil, nil, err
	}
	p, err := program.Load(ctx, r.tools, c.Inputs, program.LoadOptions{Workers: 1, Name: c.Program, Mutation: program.Mutation{Nothing: true}})
	if err != nil {
		return nil, nil, err
	}
	if err := p.MutateAgain(ctx, r.opts.Mutation, ids); err != nil {
		return nil, nil, err
	}
	if r.opts.Ages {
		if err := p.ReadAges(ctx); err != nil {
			return nil, nil, err
		}
	}
	var found campaign.AtExits
	if lacksExits(probe) {
		tests, err := testsOfProbe(probe, c.Tests)
		if err != nil {
			return nil, nil, err
		}
		if found, err = campaign.FollowToExits(p, tests); err != nil {
			return nil, nil, err
		}
	}
	return p, found, nil
}
