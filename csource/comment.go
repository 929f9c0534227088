package csource

import (
	"maps"
	"slices"
	"strings"
)

// Comment is one comment of the user's files. What looks like a comment in a
// string or character literal is none.
type Comment struct {
	// Text is what the comment says: without its delimiters, trimmed.
	Text string
	// Start and End bound the comment on disk; End is exclusive.
	Start, End Position
	// File and Line are where debug information puts the code that the
	// comment belongs to: the line it stands on where code comes before it on
	// that line, else the line of the code that follows. Line is 0 where no
	// code follows.
	File string
	Line int
	// Heads is the function whose definition the comment introduces: it stands
	// directly before the definition, in its header, or on the line of the
	// brace that opens the body. Nil for all other comments.
	Heads *Function
}

// Comments returns the comments of all the user's files of the parse, headers
// included, ordered by file and place.
func (f *File) Comments() []Comment {
	var out []Comment
	for _, path := range f.Paths() {
		t := f.unit.texts[path]
		for k := 0; k <= len(t.words); k++ {
			from, to := 0, len(t.bytes)
			if k > 0 {
				from = t.words[k-1].end
			}
			if k < len(t.words) {
				to = t.words[k].start
			}
			for _, c := range t.commentsIn(from, to) {
				c.attach(f.unit, t, k)
				out = append(out, c)
			}
		}
	}
	return out
}

// Paths lists the user's files that the parse read, headers included, as the
// preprocessor opened them, sorted.
func (f *File) Paths() []string { return slices.Sorted(maps.Keys(f.unit.texts)) }

// Content returns the bytes of one of the Paths as they were read; nil for
// other paths. The caller must not change them.
func (f *File) Content(path string) []byte {
	if t := f.unit.texts[path]; t != nil {
		return t.bytes
	}
	return nil
}

// commentsIn cuts the comments out of a stretch between two words.
func (t *text) commentsIn(from, to int) []Comment {
	var out []Comment
	s := &scanner{src: t.bytes[:to], pos: from}
	s.skipSplices()
	for s.pos < to {
		if s.peek() != '/' {
			s.next()
			continue
		}
		start, line := s.pos, s.after() == '/'
		s.comment()
		end := min(s.pos, to)
		text := strings.TrimPrefix(strings.TrimPrefix(string(t.bytes[start:end]), "//"), "/*")
		if !line {
			text = strings.TrimSuffix(text, "*/")
		}
		out = append(out, Comment{Text: strings.TrimSpace(text), Start: t.position(start), End: t.position(end)})
	}
	return out
}

// attach finds the code that a comment before word k belongs to.
func (c *Comment) attach(u *unit, t *text, k int) {
	// The comment may end a line of code, or of a directive.
	owner, ends := k, k > 0 && t.lineOf(t.words[k-1].start) == c.Start.Line
	inDirective := ends && t.words[k-1].directive
	if ends && !inDirective {
		owner = k - 1
	}
	for owner < len(t.words) && t.words[owner].directive {
		owner++
	}
	if owner < len(t.words) {
		p := t.presumed(t.words[owner].start)
		c.File, c.Line = p.file, p.line
	}
	for _, f := range u.functions {
		if inDirective || f.Start.File != t.path {
			continue
		}
		onBrace := k > 0 && c.Start.Line == f.Body.Start.Line && c.Start.Offset > f.Body.Start.Offset
		inHeader := k < len(t.words) && f.Start.Offset <= t.words[k].start && t.words[k].start <= f.Body.Start.Offset
		if onBrace || inHeader {
			c.Heads = f
		}
	}
}
