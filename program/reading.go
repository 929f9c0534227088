package program

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/internal/paths"
	"github.com/winnow-mutants/winnow/matrix/table"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/mutant/patch"
)

// Reading is what people read of a program's mutants: the sources, the mutants as
// changes of them, and those that were left out with the reason.
type Reading struct{ Sources, Edits, Removed *table.Table }

// Reading writes it down, with files as seen from a folder. It reads the mutants as
// they were made: after the modules were rewritten, too.
func (p *Program) Reading(folder string) (*Reading, error) {
	out := &Reading{}
	var err error
	for _, part := range []struct {
		to     **table.Table
		schema table.Schema
	}{{&out.Sources, dataset.SourcesSchema()}, {&out.Edits, dataset.EditsSchema()}} {
		if *part.to, err = table.New(part.schema); err != nil {
			return nil, fmt.Errorf("making a table for readers: %w", err)
		}
	}
	if out.Removed, err = RemovedTable(folder, p.Removed, p.Suppressed); err != nil {
		return nil, err
	}
	left := map[string][]*mutant.Mutant{} // those left out, by file: a unit knows only its own
	for i := range p.Removed {
		m := &p.Removed[i].Mutant
		left[m.File] = append(left[m.File], m)
	}
	for i := range p.Suppressed {
		m := &p.Suppressed[i].Mutant
		left[m.File] = append(left[m.File], m)
	}
	written := map[string]bool{}
	for _, u := range p.Units {
		if u.Source == nil {
			continue
		}
		r := reader{out, folder, patch.New(u.Source), written}
		for i := range u.Mutants {
			if err := r.add(u.Source, &u.Mutants[i]); err != nil {
				return nil, err
			}
		}
		for _, path := range u.Source.Paths() {
			for _, m := range left[path] {
				if err := r.add(u.Source, m); err != nil {
					return nil, err
				}
			}
			delete(left, path)
		}
	}
	return out, nil
}

// reader adds the mutants of one unit.
type reader struct {
	*Reading
	folder  string
	patcher *patch.Patcher
	written map[string]bool // the sources that are in the table
}

func (r *reader) add(source *csource.File, m *mutant.Mutant) error {
	if err := r.source(source, m.File); err != nil {
		return err
	}
	c, err := r.patcher.Change(m)
	if none := new(patch.NoCounterpart); errors.As(err, &none) {
		return nil
	}
	if err == nil {
		err = r.source(source, c.Path)
	}
	if err == nil {
		err = r.Edits.Append(m.ID, paths.Relative(r.folder, c.Path), int64(c.Start), int64(c.End), c.Text)
	}
	if err != nil {
		return fmt.Errorf("writing the change of %s: %w", m.ID, err)
	}
	return nil
}

// source adds a file once.
func (r *reader) source(source *csource.File, path string) error {
	text := source.Content(path)
	if r.written[path] || text == nil {
		return nil
	}
	r.written[path] = true
	return r.Sources.Append(paths.Relative(r.folder, path), asUTF8(text))
}

// asUTF8 writes ? for each byte that is no UTF-8, which a column of text cannot hold. Every
// other byte keeps its place, so that offsets stay true.
func asUTF8(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	out := make([]byte, 0, len(text))
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 {
			out = append(out, '?')
		} else {
			out = append(out, text[at:at+size]...)
		}
		at += size
	}
	return string(out)
}

// RemovedTable lists mutants that were left out, and mutants that the source suppresses,
// with files as seen from a folder.
func RemovedTable(folder string, removed []Removed, suppressed []Suppressed) (*table.Table, error) {
	t, err := table.New(dataset.RemovedSchema())
	if err != nil {
		return nil, fmt.Errorf("making the table of removed mutants: %w", err)
	}
	add := func(m *mutant.Mutant, kind, of, evidence string) {
		if err == nil {
			err = t.Append(m.ID, kind, of, evidence, m.Operator, m.Matcher, m.Replacer, m.Rule, m.Function,
				paths.Relative(folder, m.File), int64(m.Line), int64(m.Column), m.Original, m.Replacement)
		}
	}
	for i := range removed {
		r := &removed[i]
		add(&r.Mutant, r.Kind.String(), r.Of, r.Evidence)
	}
	for i := range suppressed {
		add(&suppressed[i].Mutant, "suppressed", "", suppressed[i].Reason)
	}
	if err != nil {
		return nil, fmt.Errorf("making the table of removed mutants: %w", err)
	}
	return t, nil
}
