package campaign

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/execute"
	"github.com/winnow-mutants/winnow/inputs/grammar"
	"github.com/winnow-mutants/winnow/internal/atomicfile"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/fault"
	"github.com/winnow-mutants/winnow/program"
)

// Thin pools of tests make fragile labels. Recording a fault can add tests: inputs
// within the grammar of those there are (package inputs/grammar), on which the faulty and
// the fixed program both run clean under sanitizers, and repeat themselves. They are
// marked in the fault table, and their inputs lie in the run folder.

const (
	// MadeFolder holds, in a run folder, the inputs that were made, NAME.in.
	MadeFolder = "augmented"
	// madePrefix is what the names of tests that were made begin with.
	madePrefix = "augmented-"
	// AugmentOption is the option, in a manifest, that asked for them.
	AugmentOption = "augment"
	// DraftedCount is the count, in a manifest, of the inputs that were tried.
	DraftedCount = "drafted"
	// AugmentedRevealing is the count of tests that were made and reveal the fault.
	AugmentedRevealing = "augmented_revealing"
	// mostRounds bounds how many drafts are tried: as many rounds of as many as
	// are wanted.
	mostRounds = 3
)

// madeTests are the tests that were made for a case; nil is none.
type madeTests struct {
	folder  string // of the inputs, while the case is recorded
	names   map[string]bool
	drafted int
}

func (m *madeTests) has(test string) bool { return m != nil && m.names[test] }

func (m *madeTests) remove() {
	if m != nil {
		os.RemoveAll(m.folder)
	}
}

// count puts numbers into a manifest: what was tried, and what is in the record.
func (m *madeTests) count(counts map[string]int64, tests []execute.Test, faults fault.Table) {
	if m == nil {
		return
	}
	counts[DraftedCount], counts[AugmentedRevealing] = int64(m.drafted), 0
	for _, f := range faults {
		if f.Augmented && f.Verdict == matrix.Killed {
			counts[AugmentedRevealing]++
		}
	}
	for _, t := range tests {
		if m.has(t.Name) {
			counts[dataset.AugmentedCount]++
		}
	}
}

// keep copies the inputs of the tests that were made into a run folder.
func (m *madeTests) keep(dir string, tests []execute.Test) error {
	to := filepath.Join(dir, MadeFolder)
	if err := os.RemoveAll(to); err != nil {
		return fmt.Errorf("keeping the tests that were made: %w", err)
	}
	for _, t := range tests {
		if !m.has(t.Name) {
			continue
		}
		text, err := os.ReadFile(t.Input)
		if err == nil {
			err = atomicfile.MakeFolder(to)
		}
		if err == nil {
			err = atomicfile.Write(filepath.Join(to, t.Name+".in"), text)
		}
		if err != nil {
			return fmt.Errorf("keeping the tests that were made: %w", err)
		}
	}
	return nil
}

// augment makes tests, and adds those that are clean, with what the fixed version does on
// them. The caller removes what was made.
func (r *recording) augment(ctx context.Context, s *suite) (*suite, error) {
	folder, err := os.MkdirTemp(r.builder.Folder, "augmented-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for tests: %w", err)
	}
	out := *s
	out.made = &madeTests{folder: folder, names: map[string]bool{}}
	if err := r.addMade(ctx, &out); err != nil {
		out.made.remove()
		return nil, err
	}
	return &out, nil
}

func (r *recording) addMade(ctx context.Context, s *suite) error {
	tests, err := r.cleanTests(ctx, s.made)
	var failure *clang.Error
	if errors.As(err, &failure) && ctx.Err() == nil && exit.Of(err) != exit.System {
		// Not every program that compiles does so with sanitizers.
		s.aside = append(slices.Clone(s.aside), "none made: "+firstLine(err.Error()))
		return nil
	}
	if err != nil || len(tests) == 0 {
		return err
	}
	fixed, err := r.try(ctx, version{"fixed", r.c.Fixed, r.opts.MaxData}, tests, nil)
	if err != nil {
		return err
	}
	for k := range tests {
		if fixed[k].SetAside == "" {
			s.tests, s.fixed = append(s.tests[:len(s.tests):len(s.tests)], tests[k]), append(s.fixed[:len(s.fixed):len(s.fixed)], fixed[k])
			s.made.names[tests[k].Name] = true
		}
	}
	return nil
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// cleanTests drafts tests round by round until there are enough clean ones.
func (r *recording) cleanTests(ctx context.Context, made *madeTests) ([]execute.Test, error) {
	drafts, stop, err := draftsOf(r.c.Tests, r.opts.Seed, r.c.Program)
	if err != nil {
		return nil, err
	}
	defer stop()
	var checkers []*checker
	defer func() {
		for _, c := range checkers {
			c.remove()
		}
	}()
	var out []execute.Test
	for range mostRounds {
		round, err := made.write(drafts, r.opts.Augment)
		if err != nil || len(round) == 0 {
			return out, err
		}
		for k, version := range [][]program.Input{r.c.Inputs, r.c.Fixed} {
			if len(checkers) == k {
				c, err := newChecker(ctx, r.builder, version, fmt.Sprintf("checked-%d", k))
				if err != nil {
					return nil, err
				}
				checkers = append(checkers, c)
			}
			if round, err = checkers[k].clean(ctx, round, r.execute); err != nil {
				return nil, err
			}
		}
		if out = append(out, round...); len(out) >= r.opts.Augment {
			return out[:r.opts.Augment], nil
		}
	}
	return out, nil
}

// draftsOf makes inputs from those of a program's tests, one after the other.
func draftsOf(tests []execute.Test, seed uint64, program string) (next func() (execute.Test, []byte, bool), stop func(), err error) {
	var from []execute.Test
	var inputs [][]byte
	taken := map[string]bool{}
	for _, t := range tests {
		taken[t.Name] = true
		data, err := t.ReadInput()
		if err != nil {
			return nil, nil, err
		}
		if data == nil {
			continue
		}
		from, inputs = append(from, t), append(inputs, data)
	}
	pull, stop := iter.Pull(grammar.Infer(inputs).Inputs(seed, program))
	number := 0
	return func() (execute.Test, []byte, bool) {
		in, ok := pull()
		if !ok {
			return execute.Test{}, nil, false
		}
		t := from[in.From]
		for t.Name = ""; t.Name == "" || taken[t.Name]; {
			number++
			t.Name = fmt.Sprintf("%s%03d", madePrefix, number)
		}
		return t, in.Data, true
	}, stop, nil
}

// write takes the next drafts and writes their inputs.
func (m *madeTests) write(next func() (execute.Test, []byte, bool), n int) ([]execute.Test, error) {
	var out []execute.Test
	for range n {
		t, data, ok := next()
		if !ok {
			break
		}
		t.Input, t.Text = filepath.Join(m.folder, t.Name), nil
		if err := os.WriteFile(t.Input, data, 0o644); err != nil {
			return nil, fmt.Errorf("writing a test: %w", err)
		}
		out = append(out, t)
	}
	m.drafted += len(out)
	return out, nil
}
