package pipeline

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/codeflaws"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/report"
)

// ImportOptions choose what is imported from Codeflaws.
type ImportOptions struct {
	// IDs are the faults to look at; nil means all.
	IDs []string
	// Limit stops after so many usable faults, 0 means never. Faults are
	// looked at in an order drawn from Seed, so that a limit is a sample.
	Limit int
	Seed  uint64
	// MaxMutants leaves out programs with more mutants; 0 means never.
	MaxMutants int
	// Workers import faults at the same time; 0 means one a CPU.
	Workers int
	Choose  codeflaws.ChooseOptions
	Execute execute.Options
	Tool    string
	Display *progress.Display
}

// ImportSummary counts what an import found.
type ImportSummary struct {
	Imported int            `json:"imported"`
	Before   int            `json:"imported_before"` // by an earlier, interrupted import
	Surplus  int            `json:"surplus"`         // recorded beyond the limit, and removed
	LeftOut  map[string]int `json:"left_out"`        // by reason
	Failed   []string       `json:"failed,omitempty"`
	Mutants  int            `json:"mutants"`
	Killed   int            `json:"killed"`
	Runs     int            `json:"runs"`
}

// notesFolder keeps, by fault, why it was left out, so that a later import does
// not look at it again.
const notesFolder = "left-out"

// ImportCodeflaws records the hard faults of Codeflaws into a history: the
// faulty version is mutated and the fixed one is the oracle. Faults that are
// recorded already are kept, so that an interrupted import goes on where it
// stopped.
func ImportCodeflaws(ctx context.Context, tools *clang.Toolchain, benchmark, history string, opts ImportOptions) (*ImportSummary, error) {
	subjects, err := codeflaws.Subjects(benchmark)
	if err != nil {
		return nil, err
	}
	if opts.IDs == nil {
		for _, s := range subjects {
			opts.IDs = append(opts.IDs, s.ID)
		}
	}
	chosen, missing := codeflaws.Pick(subjects, codeflaws.Sample(opts.IDs, opts.Seed))
	if len(chosen) == 0 {
		return nil, fmt.Errorf("%s: none of the %d faults asked for is there", benchmark, len(missing))
	}
	if err := os.MkdirAll(filepath.Join(history, notesFolder), 0o755); err != nil {
		return nil, fmt.Errorf("making the history: %w", err)
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
	im := &importer{usable: make([]string, len(chosen)), builder: builder, dir: dir, history: history, opts: opts, summary: ImportSummary{LeftOut: map[string]int{}}}
	target := len(chosen)
	if opts.Limit > 0 {
		target = min(target, opts.Limit)
	}
	im.task = opts.Display.Start("importing faults", target)
	defer im.task.Done()
	_, err = parallel.Map(ctx, opts.Workers, chosen, func(ctx context.Context, i int, s codeflaws.Subject) (struct{}, error) {
		return struct{}{}, im.one(ctx, i, &s)
	})
	if err == nil {
		err = im.prune()
	}
	if len(missing) > 0 {
		im.summary.LeftOut["not in the benchmark"] = len(missing)
	}
	return &im.summary, err
}

type importer struct {
	builder *Builder
	dir     string
	history string
	opts    ImportOptions
	task    *progress.Task

	mu      sync.Mutex
	summary ImportSummary
	// usable holds, by place in the sample, the run folders recorded.
	usable []string
}

// prune removes what was recorded beyond the limit: with several workers a few
// faults are under way when it is reached, and which ones must not matter.
func (im *importer) prune() error {
	kept := 0
	for _, run := range im.usable {
		if run == "" {
			continue
		}
		if kept++; im.opts.Limit == 0 || kept <= im.opts.Limit {
			continue
		}
		if err := os.RemoveAll(run); err != nil {
			return fmt.Errorf("removing what is beyond the limit: %w", err)
		}
		im.summary.Surplus++
	}
	return nil
}

// full reports whether the limit is reached.
func (im *importer) full() bool {
	im.mu.Lock()
	defer im.mu.Unlock()
	return im.opts.Limit > 0 && im.summary.Imported+im.summary.Before >= im.opts.Limit
}

func (im *importer) one(ctx context.Context, i int, s *codeflaws.Subject) error {
	if im.full() {
		return nil
	}
	run := filepath.Join(im.history, s.ID)
	note := filepath.Join(im.history, notesFolder, s.ID)
	if m, err := dataset.ReadManifest(run); err == nil {
		im.count(func(sum *ImportSummary) {
			sum.Before++
			sum.Mutants += int(m.Counts["mutants"])
			sum.Killed += int(m.Counts["killed"])
			sum.Runs += int(m.Counts["runs"])
		})
		im.usable[i] = run
		im.task.Add(1)
		return nil
	}
	if reason, err := os.ReadFile(note); err == nil {
		im.count(func(sum *ImportSummary) { sum.LeftOut[string(reason)]++ })
		return nil
	}
	done, err := im.record(ctx, i, s, run)
	var reason string
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, ErrNotUsable):
		var why *unusable
		if errors.As(err, &why) {
			reason = why.reason
		}
		im.count(func(sum *ImportSummary) { sum.LeftOut[reason]++ })
	case err != nil:
		// One program that does not compile or run is not the import's end.
		reason = "failed"
		im.count(func(sum *ImportSummary) { sum.Failed = append(sum.Failed, fmt.Sprintf("%s: %v", s.ID, err)) })
	default:
		im.count(func(sum *ImportSummary) {
			sum.Imported++
			sum.Mutants += done.Mutants
			sum.Killed += done.Killed
			sum.Runs += done.Runs
		})
		im.usable[i] = run
		im.task.Add(1)
		return nil
	}
	if err := os.WriteFile(note, []byte(reason), 0o644); err != nil {
		return fmt.Errorf("noting why %s is left out: %w", s.ID, err)
	}
	return nil
}

func (im *importer) count(update func(*ImportSummary)) {
	im.mu.Lock()
	defer im.mu.Unlock()
	update(&im.summary)
}

// record runs one fault in a build folder of its own.
func (im *importer) record(ctx context.Context, i int, s *codeflaws.Subject, run string) (*report.Run, error) {
	work := filepath.Join(im.dir, fmt.Sprintf("fault-%d", i))
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, fmt.Errorf("making a folder for %s: %w", s.ID, err)
	}
	defer os.RemoveAll(work)
	c, err := im.caseOf(s, work)
	if err != nil {
		return nil, err
	}
	execution := im.opts.Execute
	execution.Workers = 1
	// Programs of the contest return what they like from main.
	execution.Exit = execute.ExitIgnored
	return Record(ctx, im.builder.Below(work), *c, run, RecordOptions{
		Execute: execution, Tool: im.opts.Tool, Seed: im.opts.Seed, MaxMutants: im.opts.MaxMutants,
		Pool: func(results fault.Table) ([]int, string) {
			keep, reason := codeflaws.Choose(s.ID, results, im.opts.Choose)
			return keep, string(reason)
		},
	})
}

// caseOf writes the fault's sources and inputs to files.
func (im *importer) caseOf(s *codeflaws.Subject, work string) (*Case, error) {
	flags := append(codeflaws.CompileFlags(), codeflaws.LinkFlags()...)
	c := &Case{Program: s.ID, Problem: s.Problem, Fault: "faulty"}
	for _, version := range []struct {
		name, source string
		inputs       *[]Input
	}{{"faulty.c", s.Faulty, &c.Inputs}, {"fixed.c", s.Fixed, &c.Fixed}} {
		text, err := codeflaws.ReadSource(version.source)
		if err != nil {
			return nil, err
		}
		path := filepath.Join(work, version.name)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			return nil, fmt.Errorf("writing %s: %w", version.name, err)
		}
		*version.inputs = []Input{{Path: path, Flags: flags}}
	}
	inputs, _, err := s.Inputs()
	if err != nil {
		return nil, err
	}
	for _, in := range inputs {
		path := filepath.Join(work, "test-"+in.Name)
		if err := os.WriteFile(path, in.Data, 0o644); err != nil {
			return nil, fmt.Errorf("writing a test: %w", err)
		}
		c.Tests = append(c.Tests, execute.Test{Name: in.Name, Input: path})
	}
	if len(c.Tests) == 0 {
		return nil, &unusable{"no usable input"}
	}
	return c, nil
}
