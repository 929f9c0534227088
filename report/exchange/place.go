// Package exchange writes findings for other programs: dashboards, code review, continuous
// integration. Each format is a value in a file of its own, listed in all.go, and says itself
// what it leaves out.
package exchange

import (
	"sort"
	"unicode/utf8"

	"github.com/winnow-mutants/winnow/report/findings"
)

// Position is a place in a file: line and column, both from 1. Columns count characters.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// lines finds positions of a text.
type lines struct {
	text   string
	begins []int
}

func linesOf(text string) *lines {
	l := &lines{text: text, begins: []int{0}}
	for i := range len(text) {
		if text[i] == '\n' {
			l.begins = append(l.begins, i+1)
		}
	}
	return l
}

// at is the position of a byte.
func (l *lines) at(offset int) Position {
	line := sort.SearchInts(l.begins, offset+1)
	return Position{line, 1 + utf8.RuneCountInString(l.text[l.begins[line-1]:offset])}
}

// extent is what a mutant replaces, the end exclusive. Where no change of the text stands for
// it, it is the place that the compiler names.
func (l *lines) extent(f *findings.Finding) (start, end Position) {
	if f.Edit != nil && f.Edit.End <= len(l.text) {
		return l.at(f.Edit.Start), l.at(f.Edit.End)
	}
	start = Position{max(f.Line, 1), max(f.Column, 1)}
	return start, Position{start.Line, start.Column + 1}
}
