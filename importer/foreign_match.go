package importer

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/winnow-mutants/winnow/dataset"
	"github.com/winnow-mutants/winnow/dataset/foreign"
	"github.com/winnow-mutants/winnow/equiv"
	"github.com/winnow-mutants/winnow/internal/exit"
	"github.com/winnow-mutants/winnow/ir/clang"
	"github.com/winnow-mutants/winnow/matrix/kill"
	"github.com/winnow-mutants/winnow/mutant"
	"github.com/winnow-mutants/winnow/program"
	"github.com/winnow-mutants/winnow/project"
)

// A mutant of another tool is one of winnow's when it makes the same change of the same source:
// token for token, whatever blanks are around them, and however much of what stays the same each
// tool says to replace.

var tokens = regexp.MustCompile(`[A-Za-z0-9_.]+|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|<<=|>>=|\+\+|--|->|&&|\|\||[-+*/%&|^<>=!]=|<<|>>|\S`)

// sameChange is a key that two changes of a text share when they come to the same.
func sameChange(text string, c foreign.Change) string {
	old, made := tokens.FindAllStringIndex(text[c.Start:c.End], -1), tokens.FindAllString(c.Text, -1)
	word := func(i int) string { return text[c.Start+old[i][0] : c.Start+old[i][1]] }
	first, last := 0, len(old)
	for first < last && first < len(made) && word(first) == made[first] {
		first++
	}
	for last > first && len(made) > first && word(last-1) == made[len(made)-1] {
		last, made = last-1, made[:len(made)-1]
	}
	at, gone := c.End, []string{}
	if first < len(old) {
		at = c.Start + old[first][0]
	}
	if first == last { // nothing goes: what counts is what stands before
		at = len(strings.TrimRight(text[:at], " \t\r\n"))
	}
	for i := first; i < last; i++ {
		gone = append(gone, word(i))
	}
	return fmt.Sprintf("%s\x00%d\x00%s\x00%s", c.File, at, strings.Join(gone, " "), strings.Join(made[first:], " "))
}

// own are winnow's mutants of a project, by what they change.
type own struct {
	program *program.Program
	reading *program.Reading
	byKey   map[string]string // id
	sources map[string]string
}

func ownMutants(ctx context.Context, tools *clang.Toolchain, opts *ForeignOptions) (*own, error) {
	inputs, err := project.Inputs([]string{opts.Folder}, nil)
	if err != nil {
		return nil, err
	}
	p, err := program.Load(ctx, tools, inputs, program.LoadOptions{Name: opts.Program, Mutation: opts.Mutation})
	if err != nil {
		return nil, err
	}
	folder, err := filepath.Abs(opts.Folder)
	if err != nil {
		return nil, fmt.Errorf("resolving the folder: %w", err)
	}
	o := &own{program: p, byKey: map[string]string{}, sources: map[string]string{}}
	if o.reading, err = p.Reading(folder); err != nil {
		return nil, err
	}
	for row := range o.reading.Sources.Rows() {
		o.sources[o.reading.Sources.Value(row, 0).(string)] = o.reading.Sources.Value(row, 1).(string)
	}
	stays := map[string]string{} // a mutant by itself, a duplicate by the one it equals
	for _, m := range p.Mutants() {
		stays[m.ID] = m.ID
	}
	for i := range p.Removed {
		if r := &p.Removed[i]; r.Kind == equiv.Duplicate {
			stays[r.Mutant.ID] = r.Of
		}
	}
	edits := o.reading.Edits
	for row := range edits.Rows() {
		c := foreign.Change{File: edits.Value(row, 1).(string), Start: int(edits.Value(row, 2).(int64)), End: int(edits.Value(row, 3).(int64)), Text: edits.Value(row, 4).(string)}
		id, ok := stays[edits.Value(row, 0).(string)]
		if text := o.sources[c.File]; ok && c.End <= len(text) {
			if key := sameChange(text, c); o.byKey[key] == "" {
				o.byKey[key] = id
			}
		}
	}
	return o, nil
}

// matched is the subject of winnow's mutants that the report has verdicts of, with what is known
// of them: the tables of a run of winnow, so that one can learn of it.
func matched(ctx context.Context, tools *clang.Toolchain, r *foreign.Report, s *dataset.Subject, opts *ForeignOptions) (*dataset.Subject, error) {
	o, err := ownMutants(ctx, tools, opts)
	if err != nil {
		return nil, err
	}
	changes, rows := r.Changes(), map[string]int{}
	for i, id := range s.Kills.Mutants() {
		rows[id] = i
	}
	from := map[string]int{} // the row of the report's kills that says what became of a mutant
	for i := range r.Mutants {
		c, known := changes[i]
		row, run := rows[r.Mutants[i].ID]
		if !known || !run || r.Sources[c.File] != o.sources[c.File] {
			continue
		}
		if id := o.byKey[sameChange(r.Sources[c.File], c)]; id != "" {
			if _, twice := from[id]; !twice {
				from[id] = row
			}
		}
	}
	if len(from) == 0 {
		return nil, exit.Mark(exit.Input, ErrNoneMade, fmt.Errorf("winnow makes none of the %d mutants whose change is known", len(changes)))
	}
	return o.subject(s.Kills, from, opts)
}

// subject are the mutants that have a row among the kills, in winnow's order.
func (o *own) subject(kills *kill.Matrix, from map[string]int, opts *ForeignOptions) (*dataset.Subject, error) {
	var chosen []mutant.Mutant
	var ids []string
	for _, m := range o.program.Mutants() {
		if _, ok := from[m.ID]; ok {
			chosen, ids = append(chosen, m), append(ids, m.ID)
		}
	}
	out := &dataset.Subject{Sources: o.reading.Sources, Edits: o.reading.Edits}
	folder, err := filepath.Abs(opts.Folder)
	if err != nil {
		return nil, fmt.Errorf("resolving the folder: %w", err)
	}
	diffs, err := o.program.Diffs(folder, func(id string) bool { _, ok := from[id]; return ok })
	if err != nil {
		return nil, err
	}
	if out.Mutants, err = program.MutantTable(chosen, folder, diffs); err != nil {
		return nil, err
	}
	if out.Kills, err = kill.New(ids, kills.Tests()); err != nil {
		return nil, err
	}
	for i, id := range ids {
		for t := range kills.Tests() {
			if err := out.Kills.Set(i, t, kills.Cell(from[id], t)); err != nil {
				return nil, err
			}
			if kills.Reached(from[id]).Get(t) {
				out.Kills.SetReached(i, t)
			}
		}
	}
	all, err := program.Features(o.program)
	if err != nil {
		return nil, err
	}
	out.Features, err = renewedRows(ids, all, nil)
	return out, err
}
