package campaign

import (
	"context"
	"debug/elf"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/program"
)

// reference settles the tests, with a pool and where tests are to be added, and
// returns what the fixed version does on them; nil where there is none.
func (r *recorder) reference(ctx context.Context) ([]execute.TestBaseline, error) {
	if r.c.Fixed == nil {
		return nil, nil
	}
	start := time.Now()
	reference, err := r.runFixed(ctx)
	if err != nil {
		return nil, err
	}
	r.stage("fixed", start)
	if r.opts.Pool != nil {
		start = time.Now()
		if reference, err = r.choose(ctx, reference); err != nil {
			return nil, err
		}
		r.stage("choose", start)
	}
	if r.opts.Augment > 0 {
		start = time.Now()
		more, expected, err := r.augment(ctx)
		if err != nil {
			return nil, err
		}
		r.c.Tests, reference = append(r.c.Tests, more...), append(reference, expected...)
		r.stage("augment", start)
	}
	return reference, nil
}

// runFixed observes the fixed version.
func (r *recorder) runFixed(ctx context.Context) ([]execute.TestBaseline, error) {
	return r.observe(ctx, r.c.Fixed, "fixed", true)
}

// observe runs a version that is built like a meta-mutant without mutants, so
// that the same limits hold, on all tests.
func (r *recorder) observe(ctx context.Context, version []program.Input, name string, check bool) ([]execute.TestBaseline, error) {
	p, err := program.Load(ctx, r.tools, version, program.LoadOptions{Name: r.c.Program, Mutation: program.Mutation{Nothing: true}})
	if err != nil {
		return nil, err
	}
	binary, err := r.builder.MetaMutant(ctx, p, name)
	if err != nil {
		return nil, err
	}
	defer os.Remove(binary)
	if err := r.dataFits(binary); err != nil {
		return nil, err
	}
	base, err := r.original(ctx, binary, check)
	if err != nil {
		return nil, err
	}
	return base.Tests, nil
}

// dataFits leaves out programs with more variables than MaxData. Some clear all of
// them at the start of each run: 400 MB are 100,000 pages, and a tenth of a second
// that no count of work sees, times ten thousands of runs.
func (r *recorder) dataFits(binary string) error {
	if r.opts.MaxData <= 0 {
		return nil
	}
	f, err := elf.Open(binary)
	if err != nil {
		return fmt.Errorf("reading the size of %s: %w", r.c.Name(), err)
	}
	defer f.Close()
	size := uint64(0)
	for _, s := range f.Sections {
		if s.Flags&(elf.SHF_ALLOC|elf.SHF_WRITE) == elf.SHF_ALLOC|elf.SHF_WRITE {
			size += s.Size
		}
	}
	if size > uint64(r.opts.MaxData) {
		return &Unusable{fmt.Sprintf("more than %d MB of variables", r.opts.MaxData>>20)}
	}
	return nil
}

// choose asks the pool which tests to keep, before the costly stages: most
// faults of a benchmark may be none to learn from. It returns what the fixed
// version does on the tests that are kept.
func (r *recorder) choose(ctx context.Context, reference []execute.TestBaseline) ([]execute.TestBaseline, error) {
	faulty, err := r.observe(ctx, r.c.Inputs, "faulty", false)
	if err != nil {
		return nil, err
	}
	r.noteSetAside(faulty, reference)
	keep, reason := r.opts.Pool(r.faultTable(faulty, reference))
	if reason != "" {
		return nil, &Unusable{reason}
	}
	r.c.Tests = pick(r.c.Tests, keep)
	return pick(reference, keep), nil
}

// usable returns the tests to use: those on which the original, and the fixed
// version, behave the same in every run. Where the pool has chosen already, the
// meta-mutant is asked once more whether they reveal the fault: a program that
// reads memory it never wrote may do other things in another build.
func (r *recorder) usable(base, reference []execute.TestBaseline) ([]int, error) {
	r.noteSetAside(base, reference)
	var usable []int
	for t := range r.c.Tests {
		if setAside(base, reference, t) == "" {
			usable = append(usable, t)
		}
	}
	if r.opts.Pool != nil && reference != nil {
		table := r.faultTable(base, reference)
		keep, _ := RevealedPool(table)
		// The tests that came with the program say whether there is a fault to learn
		// from, so that others that are added do not change which faults those are.
		own := slices.DeleteFunc(table, func(f fault.Result) bool { return f.Augmented })
		if _, reason := RevealedPool(own); reason != "" {
			return nil, &Unusable{reason}
		}
		usable = keep
	}
	if len(usable) == 0 {
		return nil, exit.New(exit.Baseline, fmt.Errorf("%s: no test can be used: %s", r.c.Program,
			strings.Join(firstOf(r.summary.SetAside, 3), "; ")), "")
	}
	r.summary.Tests = len(usable)
	return usable, nil
}

// noteSetAside puts into the summary which tests cannot be used, and why.
func (r *recorder) noteSetAside(base, reference []execute.TestBaseline) {
	for t, test := range r.c.Tests {
		if why := setAside(base, reference, t); why != "" {
			r.summary.SetAside = append(r.summary.SetAside, test.Name+": "+why)
		}
	}
}

func setAside(base, reference []execute.TestBaseline, test int) string {
	if why := base[test].SetAside; why != "" {
		return why
	}
	if reference != nil && reference[test].SetAside != "" {
		return "the fixed version: " + reference[test].SetAside
	}
	return ""
}

// RevealedPool keeps all tests of which it is known whether they reveal the
// fault, and leaves out faults that none reveals.
func RevealedPool(results fault.Table) (keep []int, reason string) {
	for t := range results {
		if results[t].Verdict != matrix.Unknown {
			keep = append(keep, t)
		}
	}
	if results.Revealing().Count() == 0 {
		return nil, "no test reveals the fault"
	}
	return keep, ""
}
