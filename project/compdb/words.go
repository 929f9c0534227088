package compdb

import (
	"errors"
	"strings"
)

// blanks separate words.
const blanks = " \t\n"

// Words splits a command into words as a POSIX shell does (XCU 2.2):
// blanks separate, quotes and backslashes protect. Nothing is expanded.
func Words(s string) ([]string, error) {
	var out []string
	for s = strings.TrimLeft(s, blanks); s != ""; s = strings.TrimLeft(s, blanks) {
		word, rest, isWord, err := firstWord(s)
		if err != nil {
			return nil, err
		}
		if isWord {
			out = append(out, word)
		}
		s = rest
	}
	return out, nil
}

// firstWord reads s up to the first blank that nothing protects. isWord is
// false when all there was is a continued line.
func firstWord(s string) (word, rest string, isWord bool, err error) {
	var b strings.Builder
	for s != "" {
		switch c := s[0]; {
		case strings.IndexByte(blanks, c) >= 0:
			return b.String(), s, isWord, nil
		case c == '\'':
			end := strings.IndexByte(s[1:], '\'')
			if end < 0 {
				return "", "", false, errors.New("the command has a quote without end")
			}
			b.WriteString(s[1 : 1+end])
			s, isWord = s[end+2:], true
		case c == '"':
			if s, err = quoted(&b, s[1:]); err != nil {
				return "", "", false, err
			}
			isWord = true
		case c == '\\' && strings.HasPrefix(s[1:], "\n"):
			s = s[2:] // the line goes on
		case c == '\\' && len(s) > 1:
			b.WriteByte(s[1])
			s, isWord = s[2:], true
		default:
			b.WriteByte(c)
			s, isWord = s[1:], true
		}
	}
	return b.String(), "", isWord, nil
}

// quoted reads what is between double quotes, in which a backslash protects
// only what would have a meaning, and returns what follows.
func quoted(b *strings.Builder, s string) (rest string, err error) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return s[i+1:], nil
		case c == '\\' && i+1 < len(s) && strings.IndexByte("$`\"\\", s[i+1]) >= 0:
			i++
			b.WriteByte(s[i])
		case c == '\\' && i+1 < len(s) && s[i+1] == '\n':
			i++
		default:
			b.WriteByte(c)
		}
	}
	return "", errors.New("the command has a quote without end")
}
