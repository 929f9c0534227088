// Package patch writes mutants as changes of the C source: unified diffs that
// `patch -p1` and `git apply` take, and mutated files that compile.
//
// A mutant carries the place of its instruction and two texts, what is written
// there and what stands there instead. The package finds the extent of the
// first in the syntax tree (find.go), puts the second in its place with the
// parentheses that the place demands, and writes the change as a diff
// (unified.go). Code that a macro made is written out expanded at its call;
// code of a header gives a diff of the header.
//
// Some mutants have no counterpart in C; NoCounterpart says why.
package patch

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/winnow-mutants/winnow/csource"
	"github.com/winnow-mutants/winnow/mutant"
)

// Patcher writes the mutants of one compiled file. It is safe for concurrent
// use.
type Patcher struct {
	source *csource.File
	// lines are the lines of each file that was asked about, by path.
	lines sync.Map
	// Folder is what names in diffs are relative to; "" is the current folder.
	Folder string
}

// New returns a patcher for the mutants of a parsed file and of the headers
// that it includes.
func New(source *csource.File) *Patcher { return &Patcher{source: source} }

// Reason says why a mutant has no counterpart in C.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	// InIR: the mutant's operator says that it changes no C.
	InIR Reason = "the change exists in IR only"
	// NoSource: the file of the mutant is not among those parsed.
	NoSource Reason = "the source was not read"
	// Cut: the mutant's text is not complete.
	Cut Reason = "the text is abbreviated"
	// NotFound: the original text does not stand at the mutant's place.
	NotFound Reason = "the code was not found in the source"
	// Ambiguous: it stands there more than once, in what a macro made.
	Ambiguous Reason = "a macro makes the code more than once"
	// Directive: preprocessor directives lie within, or a macro made more
	// than can be written out.
	Directive Reason = "the preprocessor stands in the way"
	// Included: the file is included several times, and what the change replaces is other code
	// each time.
	Included Reason = "the file is included several times, and its macros make other code each time"
	// Declaration: what would be left is no valid declaration, or more than one.
	Declaration Reason = "the declaration needs its initial value"
	// Needed: the statement is a value in C.
	Needed Reason = "C needs the value"
	// Pointers: C has the operator for numbers only.
	Pointers Reason = "C does not have the operator for pointers"
)

// NoCounterpart is the error for a mutant that cannot be written as C.
type NoCounterpart struct {
	Reason Reason
	// Place is "file:line:column" of the mutant.
	Place string
}

func (e *NoCounterpart) Error() string {
	return fmt.Sprintf("%s: no counterpart in C: %s", e.Place, e.Reason)
}

// Change is the mutant as an edit of one file. The error is a *NoCounterpart.
func (p *Patcher) Change(m *mutant.Mutant) (csource.Change, error) {
	c, reason := p.change(m)
	if reason != "" {
		return csource.Change{}, &NoCounterpart{Reason: reason, Place: fmt.Sprintf("%s:%d:%d", m.File, m.Line, m.Column)}
	}
	return c, nil
}

func (p *Patcher) change(m *mutant.Mutant) (csource.Change, Reason) {
	if m.IROnly {
		return csource.Change{}, InIR
	}
	if strings.Contains(m.Replacement, ellipsis) && m.Replacer != shuffleCases || m.Original == ellipsis+";" {
		return csource.Change{}, Cut
	}
	file := p.source.In(m.File).Within(m.Function)
	if file == nil || m.Line == 0 {
		return csource.Change{}, NoSource
	}
	s := search{file: file, m: m}
	c, reason := s.change()
	if reason == "" && !p.source.IsUniform(c) {
		return csource.Change{}, Included
	}
	return c, reason
}

// ellipsis stands for what the renderer of texts leaves out.
const ellipsis = "…"

// Mutated returns the file that the mutant changes, as a path of the source's
// Paths, and its mutated text.
func (p *Patcher) Mutated(m *mutant.Mutant) (path string, text []byte, err error) {
	c, err := p.Change(m)
	if err != nil {
		return "", nil, err
	}
	return c.Path, p.apply(c), nil
}

func (p *Patcher) apply(c csource.Change) []byte {
	old := p.source.Content(c.Path)
	return slices.Concat(old[:c.Start], []byte(c.Text), old[c.End:])
}

// Diff returns the mutant as a unified diff with three lines of context.
func (p *Patcher) Diff(m *mutant.Mutant) (string, error) {
	c, err := p.Change(m)
	if err != nil {
		return "", err
	}
	lines := p.linesOf(c.Path)
	return unified(p.name(c.Path), lines.all, lines.edited(c, p.source.Content(c.Path))), nil
}

// fileLines are the lines of a file, and the offsets at which they begin.
type fileLines struct {
	all    [][]byte
	begins []int
}

// linesOf cuts each file once.
func (p *Patcher) linesOf(path string) *fileLines {
	if known, ok := p.lines.Load(path); ok {
		return known.(*fileLines)
	}
	own := newFileLines(p.source.Content(path))
	p.lines.Store(path, own)
	return own
}

func newFileLines(text []byte) *fileLines {
	f := &fileLines{all: linesOf(text)}
	at := 0
	for _, line := range f.all {
		f.begins = append(f.begins, at)
		at += len(line)
	}
	return f
}

// edited is the text with other lines in place of those that a change touches.
func (f *fileLines) edited(c csource.Change, text []byte) edited {
	from, start := f.around(c.Start, len(text))
	to, end := f.around(c.End, len(text))
	if to < len(f.all) {
		end += len(f.all[to])
		to++
	}
	return edited{old: f.all, from: from, to: to, instead: linesOf(slices.Concat(text[start:c.Start], []byte(c.Text), text[c.End:end]))}
}

// around is the line in which an offset lies, and where it begins; the end of the
// text lies in its last line, or behind it where that is complete.
func (f *fileLines) around(offset, length int) (line, begins int) {
	if last := len(f.all) - 1; offset == length && (last < 0 || bytes.HasSuffix(f.all[last], []byte("\n"))) {
		return last + 1, length
	}
	line = sort.SearchInts(f.begins, offset+1) - 1
	return line, f.begins[line]
}

// name is a path as seen from the folder; one outside of it is given from the
// root of the file system.
func (p *Patcher) name(path string) string {
	base, errBase := filepath.Abs(p.Folder)
	full, errFull := filepath.Abs(path)
	if errBase == nil && errFull == nil {
		if rel, err := filepath.Rel(base, full); err == nil && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel)
		}
		path = full
	}
	return strings.TrimPrefix(filepath.ToSlash(filepath.Clean(path)), "/")
}
