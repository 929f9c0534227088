package foreign

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/matrix"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/matrix/table"
)

// Subject is the report as the tables of a run folder; the manifest is the caller's.
func (r *Report) Subject() (*dataset.Subject, error) {
	r.named()
	s := &dataset.Subject{}
	for _, part := range []struct {
		to     **table.Table
		schema table.Schema
	}{{&s.Mutants, dataset.MutantsSchema()}, {&s.Removed, dataset.RemovedSchema()}, {&s.Sources, dataset.SourcesSchema()}, {&s.Edits, dataset.EditsSchema()}} {
		var err error
		if *part.to, err = table.New(part.schema); err != nil {
			return nil, fmt.Errorf("making a table: %w", err)
		}
	}
	if err := r.mutants(s); err != nil {
		return nil, fmt.Errorf("making the table of mutants: %w", err)
	}
	if err := r.reading(s); err != nil {
		return nil, fmt.Errorf("making a table for readers: %w", err)
	}
	var err error
	s.Kills, err = r.kills()
	return s, err
}

// left is what kind of a mutant that was not run it is in removed.parquet; "" of one that was.
func (m *Mutant) left() string {
	switch m.Fate {
	case Invalid:
		return "invalid"
	case Suppressed:
		return "suppressed"
	}
	return ""
}

func (r *Report) mutants(s *dataset.Subject) error {
	sites, statements := map[string]int64{}, map[string]int64{}
	number := func(seen map[string]int64, key string) int64 {
		if _, ok := seen[key]; !ok {
			seen[key] = int64(len(seen))
		}
		return seen[key]
	}
	var proofs []dataset.Proof
	for i := range r.Mutants {
		m := &r.Mutants[i]
		original, replacement := "", ""
		if m.Replacement != nil {
			replacement = *m.Replacement
		}
		if start, end, ok := r.edit(m); ok {
			original = r.Sources[m.File][start:end]
		}
		change := []any{m.Operator, m.Operator, replacement, m.Operator, "", m.File, int64(m.Start.Line), int64(m.Start.Column), original, replacement}
		if kind := m.left(); kind != "" {
			if err := s.Removed.Append(append([]any{m.ID, kind, "", m.Reason}, change...)...); err != nil {
				return err
			}
			continue
		}
		site := number(sites, fmt.Sprint(m.File, m.Start, m.End, m.Offsets))
		row := append([]any{m.ID, int64(s.Mutants.Rows() + 1), site, number(statements, fmt.Sprint(m.File, m.Start.Line))}, change...)
		if err := s.Mutants.Append(append(row, false, false, "")...); err != nil {
			return err
		}
		if m.Fate == Equivalent {
			proofs = append(proofs, dataset.Proof{ID: m.ID, Verdict: dataset.Equivalent, Evidence: r.Tool, Reason: m.Reason})
		}
	}
	var err error
	s.Proofs, err = dataset.ProofTable(proofs)
	return err
}

// reading is the sources and the mutants as changes of them.
func (r *Report) reading(s *dataset.Subject) error {
	written := map[string]bool{}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		text, known := r.Sources[m.File]
		if !known {
			continue
		}
		if !written[m.File] {
			written[m.File] = true
			if err := s.Sources.Append(m.File, text); err != nil {
				return err
			}
		}
		if start, end, ok := r.edit(m); ok {
			if err := s.Edits.Append(m.ID, m.File, int64(start), int64(end), *m.Replacement); err != nil {
				return err
			}
		}
	}
	return nil
}

// kills is the matrix, with the suite as a test of its own where it is needed.
func (r *Report) kills() (*kill.Matrix, error) {
	tests, suite := append([]string(nil), r.Tests...), -1
	if r.suite() {
		suite, tests = len(tests), append(tests, Suite)
	}
	var ids []string
	var run []*Mutant
	for i := range r.Mutants {
		if m := &r.Mutants[i]; m.left() == "" {
			ids, run = append(ids, m.ID), append(run, m)
		}
	}
	out, err := kill.New(ids, tests)
	if err != nil {
		return nil, err
	}
	at := map[string]int{}
	for t, name := range r.Tests {
		at[name] = t
	}
	for i, m := range run {
		for t, cell := range m.cells(at) {
			if err := out.Set(i, t, cell); err != nil {
				return nil, err
			}
		}
		for _, name := range m.ReachedBy {
			if t, known := at[name]; known {
				out.SetReached(i, t)
			}
		}
		if suite >= 0 {
			if err := out.Set(i, suite, m.ofSuite()); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// ofSuite is what all tests together say of a mutant.
func (m *Mutant) ofSuite() kill.Cell {
	switch m.Fate {
	case Killed:
		return kill.Cell{Verdict: matrix.Killed, Cause: m.Cause, Micros: m.Micros}
	case Survived:
		return kill.Cell{Verdict: matrix.Survived, Micros: m.Micros}
	case Unreached:
		return kill.Cell{Verdict: matrix.Survived, Cause: matrix.NotReached}
	}
	return kill.Cell{}
}

// cells are what each test says of a mutant, as far as it is known: nothing is of those behind the
// test that killed it, and of all where it is not known which test did.
func (m *Mutant) cells(at map[string]int) []kill.Cell {
	out := make([]kill.Cell, len(at))
	together := m.Fate == Survived && m.SurvivedBy == nil // all tests that reach it say the same
	for t := range out {
		switch {
		case m.Fate == Unreached, m.KnowsReach:
			out[t] = kill.Cell{Verdict: matrix.Survived, Cause: matrix.NotReached}
		case together:
			out[t] = kill.Cell{Verdict: matrix.Survived}
		}
	}
	set := func(names []string, cell kill.Cell) {
		for _, name := range names {
			if t, known := at[name]; known {
				out[t] = cell
			}
		}
	}
	if together {
		set(m.ReachedBy, kill.Cell{Verdict: matrix.Survived})
	} else {
		set(m.ReachedBy, kill.Cell{})
	}
	set(m.SurvivedBy, kill.Cell{Verdict: matrix.Survived})
	set(m.KilledBy, kill.Cell{Verdict: matrix.Killed, Cause: m.Cause})
	return out
}

func has(names []string, name string) bool { return slices.Contains(names, name) }

// Below makes the names of files relative to a folder, where they lie in it: a tool writes down
// where they were on its machine, so that what counts is the longest end of a name that the
// folder has a file of. read gives a file below the folder. Sources that are not known are read.
func (r *Report) Below(read func(name string) (text string, ok bool)) {
	if r.Sources == nil {
		r.Sources = map[string]string{}
	}
	names := map[string]string{}
	for i := range r.Mutants {
		m := &r.Mutants[i]
		name, known := names[m.File]
		if !known {
			var text string
			if name, text = below(m.File, read); text != "" {
				if recorded, ok := r.Sources[m.File]; ok {
					text = recorded
				}
				delete(r.Sources, m.File)
				r.Sources[name] = text
			}
			names[m.File] = name
		}
		m.File = name
	}
}

func below(file string, read func(string) (string, bool)) (name, text string) {
	parts := strings.Split(strings.Trim(path.Clean(strings.ReplaceAll(file, `\`, "/")), "/"), "/")
	for k := range parts {
		if parts[k] == ".." {
			continue
		}
		name := strings.Join(parts[k:], "/")
		if text, ok := read(name); ok {
			return name, text
		}
	}
	return file, ""
}
