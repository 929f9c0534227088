package csource

import (
	"bytes"
	"strings"
)

// word is one preprocessing token as it is written in a file, before any macro
// is expanded. The C parser keeps only where tokens begin; words say where
// they end, what lies between them, and how far a macro call reaches.
type word struct {
	start, end int // byte offsets; end is exclusive
	kind       wordKind
	directive  bool // part of a line that begins with #
}

type wordKind uint8

const (
	punctuator wordKind = iota
	name
	number
	character
	str
)

// scanner cuts a file into words. Its reading position never rests on a line
// splice (a backslash before a newline), so the rest of it needs not know them.
type scanner struct {
	src []byte
	pos int
}

// scan returns the words of a C file. It accepts any bytes: an unfinished
// literal ends at its line, an unfinished comment at the file.
func scan(src []byte) []word {
	s := &scanner{src: src}
	s.skipSplices()
	var words []word
	fresh, directive := true, false
	for {
		newline := s.skipBlank()
		if newline {
			fresh, directive = true, false
		}
		if s.pos >= len(src) {
			return words
		}
		if fresh && s.peek() == '#' {
			directive = true
		}
		fresh = false
		w := word{start: s.pos, directive: directive}
		w.kind = s.word()
		w.end = s.pos
		// A splice after the word is not part of it.
		for w.end > w.start && isSpliceTail(src, w.end) {
			w.end = spliceStart(src, w.end)
		}
		words = append(words, w)
	}
}

func (s *scanner) peek() byte {
	if s.pos < len(s.src) {
		return s.src[s.pos]
	}
	return 0
}

func (s *scanner) next() {
	s.pos++
	s.skipSplices()
}

func (s *scanner) skipSplices() {
	for n := spliceLen(s.src[min(s.pos, len(s.src)):]); n > 0; n = spliceLen(s.src[s.pos:]) {
		s.pos += n
	}
}

// spliceLen is the length of the line splice that b begins with, or 0.
func spliceLen(b []byte) int {
	switch {
	case bytes.HasPrefix(b, []byte("\\\n")):
		return 2
	case bytes.HasPrefix(b, []byte("\\\r\n")):
		return 3
	}
	return 0
}

func isSpliceTail(src []byte, end int) bool { return spliceStart(src, end) < end }

func spliceStart(src []byte, end int) int {
	for _, n := range []int{2, 3} {
		if end >= n && spliceLen(src[end-n:end]) == n {
			return end - n
		}
	}
	return end
}

// skipBlank moves past white space and comments and reports whether a newline
// was among them.
func (s *scanner) skipBlank() (newline bool) {
	for s.pos < len(s.src) {
		switch c := s.peek(); {
		case c == '\n' || c == '\r':
			newline = true
			s.next()
		case c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == 0:
			s.next()
		case s.pos == 0 && bytes.HasPrefix(s.src, []byte("\xef\xbb\xbf")):
			s.pos = 3
			s.skipSplices()
		case c == '/' && (s.after() == '/' || s.after() == '*'):
			s.comment()
		default:
			return newline
		}
	}
	return newline
}

// comment moves past the comment that begins here; one to the end of the line
// leaves the newline.
func (s *scanner) comment() {
	if s.after() == '/' {
		for s.pos < len(s.src) && s.peek() != '\n' {
			s.next()
		}
		return
	}
	s.next()
	s.next()
	for s.pos < len(s.src) && !(s.peek() == '*' && s.after() == '/') {
		s.next()
	}
	s.next()
	s.next()
	s.pos = min(s.pos, len(s.src))
}

// after is the byte that follows the current one.
func (s *scanner) after() byte {
	ahead := *s
	ahead.next()
	return ahead.peek()
}

// word moves past one token.
func (s *scanner) word() wordKind {
	c := s.peek()
	switch {
	case isNameByte(c) && !isDigit(c):
		start := s.pos
		for isNameByte(s.peek()) {
			s.next()
		}
		prefix := string(s.src[start:s.pos])
		if q := s.peek(); (q == '"' || q == '\'') && (prefix == "L" || prefix == "u" || prefix == "U" || prefix == "u8") {
			return s.quoted()
		}
		return name
	case isDigit(c) || c == '.' && isDigit(s.after()):
		s.number()
		return number
	case c == '"' || c == '\'':
		return s.quoted()
	}
	s.punctuator()
	return punctuator
}

func (s *scanner) number() {
	last := byte(0)
	for {
		c := s.peek()
		exponentSign := (c == '+' || c == '-') && strings.IndexByte("eEpP", last) >= 0 && last != 0
		if !isNameByte(c) && c != '.' && !exponentSign {
			return
		}
		last = c
		s.next()
	}
}

func (s *scanner) quoted() wordKind {
	quote := s.peek()
	s.next()
	for s.pos < len(s.src) && s.peek() != '\n' {
		c := s.peek()
		s.next()
		if c == quote {
			break
		}
		if c == '\\' && s.peek() != '\n' {
			s.next()
		}
	}
	s.pos = min(s.pos, len(s.src))
	if quote == '"' {
		return str
	}
	return character
}

// longPunctuators are the punctuators of more than one byte, longest first.
var longPunctuators = []string{
	"<<=", ">>=", "...",
	"->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
	"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "##",
}

func (s *scanner) punctuator() {
	for _, p := range longPunctuators {
		ahead := *s
		matched := true
		for i := range len(p) {
			if ahead.peek() != p[i] {
				matched = false
				break
			}
			ahead.next()
		}
		if matched {
			s.pos = ahead.pos
			return
		}
	}
	s.next()
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isNameByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || isDigit(c) || c == '_' || c == '$' || c >= 0x80
}
