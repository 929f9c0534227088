package foreign

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/winnow-mutants/winnow/matrix"
)

// elements is the part of a mutation testing report that is read: schema versions 1 and 2 of
// mutation-testing-elements.
type elements struct {
	SchemaVersion string
	Files         map[string]struct {
		Source  string
		Mutants []elementsMutant
	}
	TestFiles map[string]struct {
		Tests []struct{ ID, Name string }
	}
	Framework struct{ Name, Version string }
}

type elementsMutant struct {
	ID, MutatorName string
	Replacement     *string
	Location        struct{ Start, End struct{ Line, Column int } }
	Status          string
	StatusReason    string
	CoveredBy       []string
	KilledBy        []string
	TestsCompleted  int
	Duration        float64 // milliseconds
	// Equivalence is why winnow left it out; the schema does not know it.
	Equivalence string
}

// Elements reads a report in the JSON of mutation-testing-elements.
func Elements(data []byte) (*Report, error) {
	var in elements
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, fmt.Errorf("no mutation testing report: %w", err)
	}
	if in.SchemaVersion == "" || in.Files == nil {
		return nil, fmt.Errorf("no mutation testing report: it has no schemaVersion or no files")
	}
	r := &Report{Tool: strings.TrimSpace(in.Framework.Name + " " + in.Framework.Version), Sources: map[string]string{}}
	if r.Tool == "" {
		r.Tool = "elements"
	}
	mull := in.Framework.Name == "Mull"
	names := in.tests(r)
	for _, name := range slices.Sorted(maps.Keys(in.Files)) {
		file := in.Files[name]
		if file.Source != "" {
			r.Sources[name] = file.Source
		}
		at := columns{text: file.Source, bytes: mull}
		for i := range file.Mutants {
			m, err := file.Mutants[i].read(mull, names)
			if err != nil {
				return nil, fmt.Errorf("%s, mutant %s: %w", name, file.Mutants[i].ID, err)
			}
			m.File = name
			m.Start, m.End = at.position(m.Start), at.position(m.End)
			r.Mutants = append(r.Mutants, *m)
		}
	}
	return r, nil
}

// tests names the tests of the report by their ids. Names that occur twice get the id behind
// them.
func (in *elements) tests(r *Report) map[string]string {
	out, seen := map[string]string{}, map[string]bool{}
	for _, file := range slices.Sorted(maps.Keys(in.TestFiles)) {
		for _, t := range in.TestFiles[file].Tests {
			name := t.Name
			if name == "" || name == Suite || seen[name] {
				name = strings.TrimSpace(name + " " + t.ID)
			}
			if _, twice := out[t.ID]; twice || seen[name] {
				continue
			}
			out[t.ID], seen[name] = name, true
			r.Tests = append(r.Tests, name)
		}
	}
	return out
}

func (in *elementsMutant) read(mull bool, names map[string]string) (*Mutant, error) {
	m := &Mutant{ID: in.ID, Operator: in.MutatorName, Replacement: in.Replacement, Reason: in.StatusReason, Micros: int64(max(in.Duration, 0) * 1000),
		Start: Position(in.Location.Start), End: Position(in.Location.End), Cause: matrix.Output}
	for _, id := range in.KilledBy {
		if name, known := names[id]; known && !has(m.KilledBy, name) {
			m.KilledBy = append(m.KilledBy, name)
		}
	}
	for _, id := range in.CoveredBy {
		if name, known := names[id]; known {
			m.ReachedBy = append(m.ReachedBy, name)
		}
	}
	if m.KnowsReach = len(m.ReachedBy) > 0; m.KnowsReach && in.TestsCompleted == len(m.ReachedBy) { // it did not end at the first that killed
		for _, name := range m.ReachedBy {
			if !has(m.KilledBy, name) {
				m.SurvivedBy = append(m.SurvivedBy, name)
			}
		}
	}
	switch in.Status {
	case "Killed":
		m.Fate = Killed
	case "Survived":
		m.Fate = Survived
	case "NoCoverage":
		m.Fate = Unreached
	case "Timeout":
		m.Fate, m.Cause = Killed, matrix.Time
	case "RuntimeError":
		// Of Mull a crash of the mutant; of others an error of what runs the tests.
		if mull {
			m.Fate, m.Cause = Killed, matrix.Signal
		}
	case "CompileError":
		m.Fate = Invalid
	case "Ignored":
		m.Fate = Suppressed
		if in.Equivalence == "equivalent" || strings.HasPrefix(strings.ToLower(in.StatusReason), "equivalent") {
			m.Fate = Equivalent
		}
	case "Pending":
	default:
		return nil, fmt.Errorf("the status %q is none of the schema's", in.Status)
	}
	return m, nil
}

// columns makes columns of bytes of those of a report, which count the units of UTF-16; Mull's
// are bytes as they are.
type columns struct {
	text   string
	bytes  bool
	begins []int
}

func (c *columns) position(p Position) Position {
	if c.bytes || p.Line < 1 {
		return p
	}
	if c.begins == nil {
		c.begins = []int{0}
		for i := range len(c.text) {
			if c.text[i] == '\n' {
				c.begins = append(c.begins, i+1)
			}
		}
	}
	if p.Line > len(c.begins) {
		return p
	}
	line, units, at := c.text[c.begins[p.Line-1]:], 0, 0
	for units < p.Column-1 && at < len(line) && line[at] != '\n' {
		r, size := utf8.DecodeRuneInString(line[at:])
		units, at = units+max(utf16.RuneLen(r), 1), at+size
	}
	return Position{p.Line, at + p.Column - units}
}
