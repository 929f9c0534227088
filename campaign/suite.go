package campaign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/winnow-mutants/winnow/campaign/verdict"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/project"
)

// suite is tests, with what the fixed version does on each of them.
type suite struct {
	tests []execute.Test
	fixed []execute.TestBaseline // nil without a fixed version
	// made are those of the tests that were made; nil unless some were asked for.
	made *madeTests
	// aside are tests that are not in use, with the reason.
	aside []string
}

// pick is the suite with the tests at some places only.
func (s *suite) pick(places []int) *suite {
	out := &suite{tests: pick(s.tests, places), made: s.made, aside: s.aside}
	if s.fixed != nil {
		out.fixed = pick(s.fixed, places)
	}
	return out
}

// without is the suite that says of tests why they cannot be used with a version.
func (s *suite) without(version []execute.TestBaseline) *suite {
	out := *s
	out.aside = slices.Clone(s.aside)
	for t, test := range s.tests {
		if why := verdict.SetAside(version, s.fixed, t); why != "" {
			out.aside = append(out.aside, test.Name+": "+why)
		}
	}
	return &out
}

// faults says which of the tests reveal the fault of a version.
func (s *suite) faults(faulty []execute.TestBaseline) fault.Table {
	out := verdict.Faults(s.tests, faulty, s.fixed)
	for i := range out {
		out[i].Augmented = s.made.has(out[i].Test)
	}
	return out
}

func pick[T any](list []T, places []int) []T {
	out := make([]T, len(places))
	for i, k := range places {
		out[i] = list[k]
	}
	return out
}

// choose settles the tests: all of the case or, with a fixed version, those that the pool
// keeps, and more where they are to be made.
func (r *recording) choose(ctx context.Context) (*suite, error) {
	s := &suite{tests: r.c.Tests, aside: slices.Clone(r.c.Repeated)}
	if r.c.Fixed == nil {
		return s, nil
	}
	start := time.Now()
	var err error
	s.fixed, err = r.try(ctx, version{"fixed", r.c.Fixed, r.opts.MaxData}, s.tests, r.c.Expected)
	if err != nil {
		return nil, err
	}
	r.done("fixed", start)
	if r.opts.Pool != nil {
		start = time.Now()
		if s, err = r.keep(ctx, s); err != nil {
			return nil, err
		}
		r.done("choose", start)
	}
	if r.opts.Augment > 0 {
		start = time.Now()
		if s, err = r.augment(ctx, s); err != nil {
			return nil, err
		}
		r.done("augment", start)
	}
	return s, nil
}

// keep asks the pool which tests to keep, before the costly stages: most faults of a
// benchmark may be none to learn from.
func (r *recording) keep(ctx context.Context, s *suite) (*suite, error) {
	faulty, err := r.try(ctx, version{"faulty", r.c.Inputs, r.opts.MaxData}, s.tests, nil)
	if err != nil {
		return nil, err
	}
	keep, reason := r.opts.Pool(s.faults(faulty))
	if reason != "" {
		return nil, &Unusable{reason}
	}
	return s.without(faulty).pick(keep), nil
}

// baseline is the tests in use, with what the meta-mutant does on each while no mutant is
// selected.
type baseline struct {
	suite
	original *execute.Baseline
}

// baseline runs the meta-mutant, and leaves out the tests on which it, or the fixed
// version, does not behave the same in every run.
func (r *recording) baseline(ctx context.Context, binary string, s *suite) (*baseline, error) {
	var expected []project.Expectation
	if s.fixed == nil { // else the fixed version had to pass
		expected = r.c.Expected
	}
	original, err := r.observe(ctx, binary, s.tests, expected)
	if err != nil {
		return nil, err
	}
	s = s.without(original.Tests)
	usable, err := r.usable(original.Tests, s)
	if err != nil {
		return nil, err
	}
	return &baseline{*s.pick(usable), &execute.Baseline{Tests: pick(original.Tests, usable)}}, nil
}

// usable returns the places of the tests to use. Where the pool has chosen already, the
// meta-mutant is asked once more whether they reveal the fault: a program that reads
// memory it never wrote may do other things in another build.
func (r *recording) usable(original []execute.TestBaseline, s *suite) ([]int, error) {
	var usable []int
	for t := range s.tests {
		if verdict.SetAside(original, s.fixed, t) == "" {
			usable = append(usable, t)
		}
	}
	if r.opts.Pool != nil && s.fixed != nil {
		table := s.faults(original)
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
			strings.Join(firstOf(s.aside, 3), "; ")), "")
	}
	return usable, nil
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
