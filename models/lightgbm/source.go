package lightgbm

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
)

// source hands out the lines of a file and counts them.
type source struct {
	in   *bufio.Reader
	line int
	read int
}

// next returns the next line without its end. At the end of the file it fails,
// saying that want was expected.
func (s *source) next(want string) (string, error) {
	s.line++
	text, err := s.in.ReadString('\n')
	s.read += len(text)
	if err == nil || err == io.EOF && text != "" && s.read < maxBytes {
		return strings.TrimRight(text, "\r\n"), nil
	}
	if err != io.EOF {
		return "", fmt.Errorf("reading a LightGBM model, line %d: %w", s.line, err)
	}
	if s.read >= maxBytes {
		return "", s.bad("expected a model of at most %d bytes, found more", maxBytes)
	}
	return "", &FormatError{Line: s.line, Problem: "expected " + want + ", found the end of the file", Err: io.ErrUnexpectedEOF}
}

// nextFilled is next without blank lines.
func (s *source) nextFilled(want string) (string, error) {
	for {
		text, err := s.next(want)
		if err != nil || strings.TrimSpace(text) != "" {
			return text, err
		}
	}
}

func (s *source) bad(format string, args ...any) error {
	return &FormatError{Line: s.line, Problem: fmt.Sprintf(format, args...)}
}

// notLightGBM guesses what a file that does not begin with "tree" is.
func (s *source) notLightGBM(first string) error {
	e := &FormatError{Line: s.line, Problem: fmt.Sprintf("expected \"tree\", found %s", quote(first))}
	// XGBoost's old binary format, UBJSON ("{L") and JSON; anything else binary.
	for _, mark := range []string{"binf", "{L", `{"learner"`} {
		if strings.HasPrefix(first, mark) {
			e.Problem += "; this looks like an XGBoost model, train with LightGBM or winnow"
			e.Err = ErrUnsupported
			return e
		}
	}
	if strings.ContainsRune(first, 0) {
		e.Problem += "; this is a binary file, the model should be LightGBM text"
		e.Err = ErrUnsupported
	}
	return e
}

// block is a run of key=value lines.
type block struct {
	start, end int
	entries    map[string]entry
}

type entry struct {
	value string
	line  int
}

// block reads up to the next blank line. A key that comes twice is an error.
func (s *source) block(want string) (*block, error) {
	b := &block{start: s.line, entries: map[string]entry{}}
	for {
		text, err := s.next(want)
		if err != nil {
			return nil, err
		}
		if strings.TrimSpace(text) == "" {
			b.end = s.line
			return b, nil
		}
		key, value, _ := strings.Cut(text, "=")
		if before, ok := b.entries[key]; ok {
			return nil, s.bad("%s was given on line %d already", quote(key), before.line)
		}
		b.entries[key] = entry{value, s.line}
	}
}

func (b *block) has(key string) bool {
	_, ok := b.entries[key]
	return ok
}

// bad is an error at the line of key.
func (b *block) bad(key, format string, args ...any) error {
	return &FormatError{Line: b.entries[key].line, Problem: key + ": " + fmt.Sprintf(format, args...)}
}

func (b *block) unsupported(key, format string, args ...any) error {
	return &FormatError{Line: b.entries[key].line, Problem: fmt.Sprintf(format, args...), Err: ErrUnsupported}
}

func (b *block) text(key string) (string, error) {
	e, ok := b.entries[key]
	if !ok {
		return "", &FormatError{Line: b.end, Problem: fmt.Sprintf("expected a line \"%s=...\" in the block that starts at line %d, found none", key, b.start)}
	}
	return e.value, nil
}

func (b *block) integer(key string) (int, error) {
	return scalar(b, key, strconv.Atoi, "a whole number")
}

func (b *block) float(key string) (float64, error) { return scalar(b, key, parseFloat, "a number") }

func scalar[T any](b *block, key string, parse func(string) (T, error), want string) (T, error) {
	text, err := b.text(key)
	if err != nil {
		var zero T
		return zero, err
	}
	x, err := parse(text)
	if err != nil {
		return x, b.bad(key, "expected %s, found %s", want, quote(text))
	}
	return x, nil
}

// array returns the blank-separated words of key, parsed: n of them unless n is
// negative.
func array[T any](b *block, key string, n int, parse func(string) (T, error)) ([]T, error) {
	text, err := b.text(key)
	if err != nil {
		return nil, err
	}
	count := 0
	for range words(text) {
		count++
	}
	if n >= 0 && count != n {
		return nil, b.bad(key, "expected %d entries, found %d", n, count)
	}
	out := make([]T, 0, count)
	for word := range words(text) {
		x, err := parse(word)
		switch {
		case errors.Is(err, strconv.ErrRange):
			return nil, b.bad(key, "entry %d: %s is out of range", len(out)+1, quote(word))
		case err != nil:
			return nil, b.bad(key, "entry %d: expected a number, found %s", len(out)+1, quote(word))
		}
		out = append(out, x)
	}
	return out, nil
}

// asIs parses a word of an array of words.
func asIs(word string) (string, error) { return word, nil }

// words yields what blanks separate. Only blanks do: a name may hold other Unicode
// space.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			word := text
			if end := strings.IndexByte(text, ' '); end < 0 {
				text = ""
			} else {
				word, text = text[:end], text[end+1:]
			}
			if word != "" && !yield(word) {
				return
			}
		}
	}
}

// optional is array for a line that may be left out or empty: the result is
// then n zeros. n is known to be the length of another array of the file.
func optional[T any](b *block, key string, n int, parse func(string) (T, error)) ([]T, error) {
	if b.entries[key].value == "" {
		return make([]T, n), nil
	}
	return array(b, key, n, parse)
}

// quote shows a piece of a file, which may be long or not text at all.
func quote(text string) string {
	const most = 40
	if len(text) > most {
		return strconv.Quote(text[:most]) + "..."
	}
	return strconv.Quote(text)
}
