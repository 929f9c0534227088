package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/winnow-mutants/winnow/campaign"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/codeflaws"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/internal/output"
	"github.com/winnow-mutants/winnow/internal/parallel"
	"github.com/winnow-mutants/winnow/internal/progress"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/program/build"
	"github.com/winnow-mutants/winnow/report"
)

// Options choose what is imported from Codeflaws.
type Options struct {
	// IDs are the faults to look at; nil means all.
	IDs []string
	// Limit stops after so many usable faults, 0 means never. Faults are
	// looked at in an order drawn from Seed, so that a limit is a sample.
	Limit int
	Seed  uint64
	// MaxData leaves out programs with more bytes of variables; 0 means never.
	MaxData int64
	// MaxMutants leaves out programs with more mutants; 0 means never.
	MaxMutants int
	// Workers import faults at the same time; 0 means one a CPU.
	Workers int
	Choose  codeflaws.ChooseOptions
	Execute execute.Options
	// Mutation says which mutants are run.
	Mutation program.Mutation
	// NoProbe and Augment are those of RecordOptions. Which faults are usable, and
	// which of their own tests are kept, does not depend on Augment.
	NoProbe bool
	Augment int
	Tool    string
	Display *progress.Display

	recorded func(id string) // tests only: told of each fault recorded
}

// Summary counts what an import found. With a limit it covers the faults
// up to the last one taken, in the order of the sample.
type Summary struct {
	Imported int            `json:"imported"`
	Before   int            `json:"imported_before"` // by an earlier, interrupted import
	Surplus  int            `json:"surplus"`         // recorded beyond the limit, and not part of the history
	LeftOut  map[string]int `json:"left_out"`        // by reason
	Failed   []string       `json:"failed,omitempty"`
	// LeftOutPairs names the pairs that were left out, each with the reason.
	LeftOutPairs []string `json:"left_out_pairs,omitempty"`
	// Generated, Equivalent, Duplicate and Invalid count the mutants that were
	// made, and those that were left out for equalling another or for being no
	// program.
	Generated  int `json:"generated"`
	Equivalent int `json:"equivalent"`
	Duplicate  int `json:"duplicate"`
	Invalid    int `json:"invalid,omitempty"`
	Mutants    int `json:"mutants"`
	Killed     int `json:"killed"`
	Runs       int `json:"runs"`
	// Revealing counts the tests that reveal a fault. Drafted and Augmented count
	// the tests that were tried and added, AugmentedRevealing those added that are
	// among Revealing.
	Revealing          int `json:"revealing"`
	Drafted            int `json:"drafted,omitempty"`
	Augmented          int `json:"augmented,omitempty"`
	AugmentedRevealing int `json:"augmented_revealing,omitempty"`
	// Effort is what the history has cost so far, imports that were interrupted
	// included.
	Effort effort `json:"effort"`
}

// add counts the mutants of a recorded fault.
func (sum *Summary) add(run *report.Run, counts map[string]int64) {
	sum.Mutants += run.Mutants
	sum.Killed += run.Killed
	sum.Runs += run.Runs
	sum.Generated += int(counts["generated"])
	sum.Equivalent += int(counts["equivalent"])
	sum.Duplicate += int(counts["duplicate"])
	sum.Invalid += int(counts["invalid"])
	sum.Drafted += int(counts[campaign.DraftedCount])
	sum.Augmented += int(counts[dataset.AugmentedCount])
	sum.Revealing += int(counts["revealing"])
	sum.AugmentedRevealing += int(counts[campaign.AugmentedRevealing])
}

const (
	// notesFolder keeps, by fault, why it was left out, so that a later import
	// does not look at it again.
	notesFolder = "left-out"
	// surplusFile is what the manifest of a run beyond the limit is renamed to:
	// its folder then counts as not finished, and an import with a larger limit
	// takes it back.
	surplusFile = "surplus.json"
)

// Codeflaws records the hard faults of Codeflaws into a history: the
// faulty version is mutated and the fixed one is the oracle. Faults that are
// recorded already are kept, so that an interrupted import goes on where it
// stopped, and ends with the same history as one that was not interrupted. The
// number of workers does not change the history either.
func Codeflaws(ctx context.Context, tools *clang.Toolchain, benchmark, history string, opts Options) (*Summary, error) {
	subjects, err := codeflaws.Subjects(benchmark)
	if err != nil {
		return nil, exit.New(exit.Input, err, "")
	}
	if opts.IDs == nil {
		for _, s := range subjects {
			opts.IDs = append(opts.IDs, s.ID)
		}
	}
	chosen, missing := codeflaws.Pick(subjects, codeflaws.Sample(opts.IDs, opts.Seed))
	if len(chosen) == 0 {
		return nil, exit.New(exit.Input, fmt.Errorf("%s: none of the %d faults asked for is there", benchmark, len(missing)), "")
	}
	held, err := output.Hold(history)
	if err != nil {
		return nil, err
	}
	defer held.Release()
	if err := atomicfile.MakeFolder(filepath.Join(history, notesFolder)); err != nil {
		return nil, fmt.Errorf("making the history: %w", err)
	}
	builder, remove, err := build.Temporary(ctx, tools)
	if err != nil {
		return nil, err
	}
	defer remove()
	if opts.Limit <= 0 || opts.Limit > len(chosen) {
		opts.Limit = len(chosen)
	}
	im := &importer{builder: builder, history: history, opts: opts, found: make([]found, len(chosen)), meter: newMeter(history)}
	im.task = opts.Display.Start("importing faults", opts.Limit)
	defer im.task.Done()
	_, err = parallel.Map(ctx, opts.Workers, chosen, func(ctx context.Context, i int, s codeflaws.Subject) (struct{}, error) {
		return struct{}{}, im.one(ctx, i, &s)
	})
	spent, spentErr := im.meter.note(nil)
	if err = errors.Join(err, spentErr); err != nil {
		return nil, err
	}
	sum, err := im.summarise(chosen, len(missing))
	if err != nil {
		return nil, err
	}
	sum.Effort = spent
	return sum, nil
}

// found is what became of one fault of the sample.
type found struct {
	// run is not nil for a usable fault; before says that an earlier import
	// recorded it.
	run    *report.Run
	counts map[string]int64 // of its manifest
	before bool
	// augment is how many tests were to be added to a recorded one.
	augment string
	// reason says why a fault is left out, failure why it could not be tried.
	reason, failure string
}

type importer struct {
	builder *build.Builder
	history string
	opts    Options
	task    *progress.Task
	meter   *meter

	mu    sync.Mutex
	found []found // by place in the sample
}

// full reports whether the limit is reached before a place of the sample.
// What workers found in later places does not count: on another machine they
// might not have come so far.
func (im *importer) full(place int) bool {
	im.mu.Lock()
	defer im.mu.Unlock()
	usable := 0
	for _, f := range im.found[:place] {
		if f.run != nil {
			usable++
		}
	}
	return usable >= im.opts.Limit
}

// summarise counts what was found up to the limit and sets aside the runs
// beyond it: with several workers a few faults are under way when it is
// reached, and an import before this one may have come further.
func (im *importer) summarise(chosen []codeflaws.Subject, missing int) (*Summary, error) {
	sum := &Summary{LeftOut: map[string]int{}}
	if missing > 0 {
		sum.LeftOut["not in the benchmark"] = missing
	}
	for i, s := range chosen {
		f := im.found[i]
		if sum.Imported+sum.Before == im.opts.Limit {
			moved, err := setSurplus(filepath.Join(im.history, s.ID))
			if err != nil {
				return nil, err
			}
			if moved {
				sum.Surplus++
			}
			continue
		}
		switch {
		case f.failure != "":
			sum.Failed = append(sum.Failed, s.ID+": "+f.failure)
		case f.reason != "":
			sum.LeftOut[f.reason]++
		case f.run != nil:
			if f.before {
				sum.Before++
			} else {
				sum.Imported++
			}
			sum.add(f.run, f.counts)
		}
	}
	return sum, nil
}

// setSurplus takes a run out of the history without losing it, and reports
// whether there was one.
func setSurplus(run string) (bool, error) {
	err := os.Rename(filepath.Join(run, dataset.ManifestFile), filepath.Join(run, surplusFile))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("setting a run beyond the limit aside: %w", err)
	}
	return true, nil
}

// recorded reads what an earlier import recorded, nil when it did not.
func recorded(run string) (*found, error) {
	err := os.Rename(filepath.Join(run, surplusFile), filepath.Join(run, dataset.ManifestFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("taking a run back into the history: %w", err)
	}
	m, err := dataset.ReadManifest(run)
	if errors.Is(err, dataset.ErrUnfinished) {
		return nil, nil
	}
	if err != nil {
		return nil, exit.New(exit.Input, err, "remove the folder, and the import will record it again")
	}
	return &found{counts: m.Counts, before: true, augment: m.Options[campaign.AugmentOption],
		run: &report.Run{Mutants: int(m.Counts["mutants"]), Killed: int(m.Counts["killed"]), Runs: int(m.Counts["runs"])}}, nil
}

// sameTests refuses a history in which some faults have tests that were made for
// them and others have none.
func (im *importer) sameTests(id, augment string) error {
	if before, err := strconv.Atoi(cmp.Or(augment, "0")); err == nil && before == im.opts.Augment {
		return nil
	}
	return exit.New(exit.Input, fmt.Errorf("%s was recorded with %s tests added, not %d", filepath.Join(im.history, id), cmp.Or(augment, "0"), im.opts.Augment),
		"import into another folder")
}

// one looks at one fault of the sample.
func (im *importer) one(ctx context.Context, place int, s *codeflaws.Subject) error {
	if im.full(place) {
		return nil
	}
	f, err := im.look(ctx, place, s)
	if err != nil {
		return err
	}
	// Without a limit the work is to look at all, with one to find so many.
	if f.run != nil || im.opts.Limit == len(im.found) {
		im.task.Add(1)
	}
	im.mu.Lock()
	defer im.mu.Unlock()
	im.found[place] = f
	return nil
}

func (im *importer) look(ctx context.Context, place int, s *codeflaws.Subject) (found, error) {
	run := filepath.Join(im.history, s.ID)
	note := filepath.Join(im.history, notesFolder, s.ID)
	before, err := recorded(run)
	if err != nil {
		return found{}, err
	}
	if before != nil {
		return *before, im.sameTests(s.ID, before.augment)
	}
	if reason, err := os.ReadFile(note); err == nil {
		return found{reason: strings.TrimSpace(string(reason))}, nil
	}
	made, err := im.record(ctx, place, s, run)
	if _, spentErr := im.meter.note(made); spentErr != nil {
		return found{}, errors.Join(err, spentErr)
	}
	var why *campaign.Unusable
	var reason string
	switch code := exit.Of(err); {
	case err == nil:
		if im.opts.recorded != nil {
			im.opts.recorded(s.ID)
		}
		now, err := recorded(run)
		if err != nil {
			return found{}, err
		}
		return found{run: now.run, counts: now.counts}, nil
	case ctx.Err() != nil:
		return found{}, ctx.Err()
	case errors.As(err, &why):
		reason = why.Reason
	case code == exit.Input || code == exit.Baseline:
		reason = "does not compile or run"
	case code == exit.Internal:
		// One program that we cannot handle is not the import's end. There is
		// no note: a later import, with the bug mended, tries again.
		return found{failure: err.Error()}, nil
	default:
		return found{}, fmt.Errorf("importing %s: %w", s.ID, err)
	}
	if err := atomicfile.Write(note, []byte(reason+"\n")); err != nil {
		return found{}, fmt.Errorf("noting why %s is left out: %w", s.ID, err)
	}
	return found{reason: reason}, nil
}

// record runs one fault in a build folder of its own.
func (im *importer) record(ctx context.Context, i int, s *codeflaws.Subject, run string) (*report.Run, error) {
	work := filepath.Join(im.builder.Folder, fmt.Sprintf("fault-%d", i))
	if err := os.MkdirAll(work, 0o755); err != nil {
		return nil, fmt.Errorf("making a folder for %s: %w", s.ID, err)
	}
	defer os.RemoveAll(work)
	c, err := CaseOf(s, work)
	if err != nil {
		return nil, err
	}
	execution := im.opts.Execute
	execution.Workers = 1
	return campaign.Record(ctx, im.builder.Below(work), *c, run, campaign.RecordOptions{
		Execute: execution, NoProbe: im.opts.NoProbe, Augment: im.opts.Augment, Counts: !im.opts.NoProbe, Mutation: im.opts.Mutation, Tool: im.opts.Tool, Seed: im.opts.Seed, MaxMutants: im.opts.MaxMutants, MaxData: im.opts.MaxData,
		Pool: func(results fault.Table) ([]int, string) {
			keep, reason := codeflaws.Choose(s.ID, results, im.opts.Choose)
			return keep, string(reason)
		},
	})
}
