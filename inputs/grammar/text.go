package grammar

import (
	"bytes"
	"strconv"
	"strings"
)

// line is one line of an input: words and the blanks around them. gaps has one
// entry less than words.
type line struct {
	lead  string
	words []string
	gaps  []string
	end   string // trailing blanks and the line's end
}

func (l line) clone() line {
	l.words = append([]string(nil), l.words...)
	l.gaps = append([]string(nil), l.gaps...)
	return l
}

const blanks = " \t\r\v\f"

// splitLines cuts an input into lines. What follows the last line with a word is
// the tail.
func splitLines(data []byte) (lines []line, tail string) {
	body := bytes.TrimRight(data, blanks+"\n")
	rest := data[len(body):]
	if at := bytes.IndexByte(rest, '\n'); at >= 0 {
		body, rest = data[:len(body)+at+1], rest[at+1:]
	} else {
		body, rest = data, nil
	}
	for len(body) > 0 {
		at := bytes.IndexByte(body, '\n') + 1
		if at == 0 {
			at = len(body)
		}
		lines = append(lines, splitLine(string(body[:at])))
		body = body[at:]
	}
	return lines, string(rest)
}

func splitLine(text string) line {
	var l line
	trimmed := strings.TrimLeft(text, blanks+"\n")
	l.lead = text[:len(text)-len(trimmed)]
	for trimmed != "" {
		n := strings.IndexAny(trimmed, blanks+"\n")
		if n < 0 {
			n = len(trimmed)
		}
		l.words = append(l.words, trimmed[:n])
		trimmed = trimmed[n:]
		rest := strings.TrimLeft(trimmed, blanks+"\n")
		gap := trimmed[:len(trimmed)-len(rest)]
		if trimmed = rest; trimmed == "" {
			l.end = gap
		} else {
			l.gaps = append(l.gaps, gap)
		}
	}
	return l
}

func (l line) appendTo(out []byte) []byte {
	out = append(out, l.lead...)
	for k, w := range l.words {
		if k > 0 {
			out = append(out, l.gaps[k-1]...)
		}
		out = append(out, w...)
	}
	return append(out, l.end...)
}

// insert puts a word before the one at a place, or behind the last.
func (l *line) insert(at int, word string) {
	if len(l.words) > 0 {
		gap := " "
		if n := len(l.gaps); n > 0 {
			gap = l.gaps[n-1]
		}
		l.gaps = append(l.gaps, gap)
	}
	l.words = append(l.words, "")
	copy(l.words[at+1:], l.words[at:])
	l.words[at] = word
}

func (l *line) remove(at int) {
	l.words = append(l.words[:at], l.words[at+1:]...)
	if n := len(l.gaps); n > 0 {
		gap := min(at, n-1)
		l.gaps = append(l.gaps[:gap], l.gaps[gap+1:]...)
	}
}

// Kind is what the words of a place are.
type Kind uint8

const (
	// Integer is an integer of at most 18 digits without leading zeros.
	Integer Kind = iota
	// Decimal is digits with a point, and perhaps a sign.
	Decimal
	// Word is anything else.
	Word
)

func (k Kind) String() string { return [...]string{"integer", "decimal", "word"}[k] }

// KindOf is the kind of a word by itself.
func KindOf(word string) Kind {
	if _, ok := integer(word); ok {
		return Integer
	}
	digits := strings.TrimPrefix(word, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	if point && whole != "" && fraction != "" && onlyDigits(whole) && onlyDigits(fraction) && len(digits) < 30 {
		return Decimal
	}
	return Word
}

// integer is the value of a word that is written as numbers are printed.
func integer(word string) (int64, bool) {
	digits := strings.TrimPrefix(word, "-")
	if digits == "" || len(digits) > 18 || !onlyDigits(digits) || digits[0] == '0' && word != "0" {
		return 0, false
	}
	v, err := strconv.ParseInt(word, 10, 64)
	return v, err == nil
}

func onlyDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
