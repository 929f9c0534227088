package csource

import (
	"bytes"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Position is a place in a source file as it lies on disk.
type Position struct {
	File   string // as the preprocessor opened it
	Offset int    // bytes, from 0
	Line   int    // from 1; #line directives do not change it
	Column int    // bytes, from 1: a tab and each byte of a UTF-8 sequence count one
}

// IsValid reports whether the position is a place at all.
func (p Position) IsValid() bool { return p.Line > 0 }

// String is "file:line:column".
func (p Position) String() string {
	return p.File + ":" + strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column)
}

// point is a place as debug information names it: #line directives apply.
type point struct {
	file   string
	line   int
	column int
}

// before reports whether p comes before q in the same file.
func (p point) before(q point) bool {
	return p.line < q.line || p.line == q.line && p.column < q.column
}

// text is one user file: its bytes, its words, and where its lines begin.
type text struct {
	path  string
	bytes []byte
	words []word
	lines []int // offset of each line's first byte
	marks []mark
	// parsed counts, by offset, the tokens of the syntax tree that begin
	// there. A word that begins nowhere in it was eaten by the preprocessor.
	parsed map[int]int
}

// mark is the effect of one #line directive.
type mark struct {
	offset int    // first byte of the line after the directive
	line   int    // what that line is called
	file   string // in which file
	real   int    // the line's number on disk
}

func newText(path string, b []byte) *text {
	t := &text{path: path, bytes: b, words: scan(b), parsed: map[int]int{}}
	t.lines = lineStarts(b)
	t.marks = t.lineMarks()
	return t
}

// lineStarts finds line beginnings as clang does: after \n, \r\n, and a \r
// that stands alone.
func lineStarts(b []byte) []int {
	starts := []int{0}
	for i, c := range b {
		if c == '\n' || c == '\r' && (i+1 == len(b) || b[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

func (t *text) lineOf(offset int) int {
	return sort.SearchInts(t.lines, offset+1)
}

func (t *text) position(offset int) Position {
	line := t.lineOf(offset)
	return Position{File: t.path, Offset: offset, Line: line, Column: offset - t.lines[line-1] + 1}
}

// presumed is the position that debug information gives for an offset.
func (t *text) presumed(offset int) point {
	line := t.lineOf(offset)
	p := point{file: t.path, line: line, column: offset - t.lines[line-1] + 1}
	after := sort.Search(len(t.marks), func(i int) bool { return t.marks[i].offset > offset })
	if after > 0 {
		m := t.marks[after-1]
		p.file, p.line = m.file, m.line+line-m.real
	}
	return p
}

// lineMarks reads the #line directives and the GNU "# 12 "file"" ones.
func (t *text) lineMarks() []mark {
	var marks []mark
	file := t.path
	for i := 0; i < len(t.words); {
		j := i + 1
		if !t.words[i].directive {
			i = j
			continue
		}
		for j < len(t.words) && t.words[j].directive && t.lineOf(t.words[j].start) == t.lineOf(t.words[i].start) {
			j++
		}
		if m, ok := t.lineMark(t.words[i:j], file); ok {
			marks = append(marks, m)
			file = m.file
		}
		i = j
	}
	return marks
}

// lineMark reads one line of a directive; a mark that names no file stays in file. What a
// macro's definition goes on with on its second line is no directive of its own, though it
// may have a number in its second place, as one has.
func (t *text) lineMark(words []word, file string) (mark, bool) {
	if sign := string(t.spelling(words[0])); sign != "#" && sign != "%:" && sign != "??=" {
		return mark{}, false
	}
	arguments := words[1:]
	if len(arguments) > 0 && string(t.spelling(arguments[0])) == "line" {
		arguments = arguments[1:]
	}
	if len(arguments) == 0 {
		return mark{}, false
	}
	line, err := strconv.Atoi(string(t.spelling(arguments[0])))
	real := t.lineOf(words[0].start) + 1
	if err != nil || real > len(t.lines) {
		return mark{}, false
	}
	m := mark{offset: t.lines[real-1], line: line, real: real, file: file}
	if len(arguments) > 1 && arguments[1].kind == str {
		m.file = strings.Trim(string(t.spelling(arguments[1])), `"`)
	}
	return m, true
}

// forParser returns the bytes that the parser reads: of equal length, so that
// offsets agree, but without line directives, which would rename places that
// this package tracks itself, and with lone carriage returns made newlines.
func (t *text) forParser() []byte {
	b := slices.Clone(t.bytes)
	for _, m := range t.marks {
		for i := t.lines[m.real-2]; i < m.offset && b[i] != '\n'; i++ {
			if b[i] != '\r' {
				b[i] = ' '
			}
		}
	}
	for i, c := range b {
		if c == '\r' && (i+1 == len(b) || b[i+1] != '\n') {
			b[i] = '\n'
		}
	}
	return b
}

// spelling is a word's text without line splices.
func (t *text) spelling(w word) []byte {
	b := t.bytes[w.start:w.end]
	if bytes.IndexByte(b, '\\') < 0 {
		return b
	}
	b = bytes.ReplaceAll(b, []byte("\\\r\n"), nil)
	return bytes.ReplaceAll(b, []byte("\\\n"), nil)
}

// wordAt is the index of the first word that begins at or after an offset.
func (t *text) wordAt(offset int) int {
	return sort.Search(len(t.words), func(i int) bool { return t.words[i].start >= offset })
}

// extent returns where the token at an offset ends in the file. A macro call
// reaches to its closing parenthesis, a string literal over the pieces that
// the compiler joins to it.
func (t *text) extent(offset int, fromMacro, isString bool) int {
	i := t.wordAt(offset)
	if i == len(t.words) {
		return len(t.bytes)
	}
	end := t.words[i].end
	if fromMacro {
		i, end = t.callEnd(i)
	}
	for isString && i+1 < len(t.words) {
		next := t.words[i+1]
		eaten := next.kind == name && t.parsed[next.start] == 0
		if next.directive || next.kind != str && !eaten {
			break
		}
		i, end = i+1, next.end
		if eaten {
			i, end = t.callEnd(i)
		}
	}
	return end
}

// callEnd returns the last word of the macro call whose name is word i, and
// where it ends. Parentheses after the name belong to the call when the
// parser never saw them.
func (t *text) callEnd(i int) (last, end int) {
	depth := 0
	for j := i + 1; j < len(t.words); j++ {
		w := t.words[j]
		if w.directive {
			continue
		}
		if depth == 0 && (t.bytes[w.start] != '(' || t.parsed[w.start] > 0) {
			break
		}
		if w.kind == punctuator {
			switch t.bytes[w.start] {
			case '(':
				depth++
			case ')':
				depth--
			}
		}
		if depth == 0 {
			return j, w.end
		}
	}
	return i, t.words[i].end
}

// slice returns the text between two offsets with every run of white space
// and comments folded to one space; false when a directive lies inside, so
// that the text is not what was compiled.
func (t *text) slice(start, end int) (string, bool) {
	var b strings.Builder
	previous := -1
	for i := t.wordAt(start); i < len(t.words) && t.words[i].start < end; i++ {
		w := t.words[i]
		if w.directive {
			return "", false
		}
		if previous >= 0 && t.gap(previous, w.start) {
			b.WriteByte(' ')
		}
		b.Write(t.spelling(w))
		previous = w.end
	}
	return b.String(), true
}

// gap reports whether anything but line splices lies between two offsets.
func (t *text) gap(from, to int) bool {
	for from < to {
		n := spliceLen(t.bytes[from:to])
		if n == 0 {
			return true
		}
		from += n
	}
	return false
}
