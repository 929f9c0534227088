package capture

import (
	"errors"
	"path/filepath"
	"strings"
)

var errQuote = errors.New("a quotation mark is never closed")

// splitWords parts a command line into words as a shell does, without expanding
// anything.
func splitWords(line string) ([]string, error) {
	var out []string
	var word strings.Builder
	begun, quote := false, byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == '\'' && c != '\'', quote == '"' && c != '"' && c != '\\':
			word.WriteByte(c)
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && i+1 < len(line):
			i++
			if quote == '"' && !strings.ContainsRune("\"\\$`", rune(line[i])) {
				word.WriteByte('\\')
			}
			if line[i] != '\n' {
				word.WriteByte(line[i])
				begun = true
			}
		case c == '"' || c == '\'':
			quote, begun = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if begun {
				out = append(out, word.String())
				word.Reset()
				begun = false
			}
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if quote != 0 {
		return nil, errQuote
	}
	if begun {
		out = append(out, word.String())
	}
	return out, nil
}

// shellWord is a word of a shell's text. First says that it stands where a command
// is named.
type shellWord struct {
	text  string
	first bool
	// into says that it follows > or >>.
	into bool
}

// keywords are words after which a command comes.
var keywords = map[string]bool{"if": true, "then": true, "else": true, "elif": true, "while": true, "until": true, "do": true, "!": true,
	"{": true, "time": true, "exec": true, "eval": true, "env": true, "nohup": true, "command": true}

// shellWords parts the text of a recipe or script roughly: quotes hold words
// together, and what is between ; & | ( ) and newlines is a command. It is for
// telling which programs a text names, not for running it.
func shellWords(text string) []shellWord {
	l := &lexer{first: true}
	for i := 0; i < len(text); i++ {
		i += l.take(text[i:]) - 1
	}
	l.flush()
	return l.words
}

// lexer is how far shellWords has come.
type lexer struct {
	words       []shellWord
	word        strings.Builder
	begun       bool // a word, which may be empty yet
	first, into bool // what the next word is
	quote       byte
}

// take takes the first character of a text, or some, and says how many.
func (l *lexer) take(text string) int {
	c := text[0]
	switch {
	case l.quote != 0 && c != l.quote:
		l.word.WriteByte(c)
	case l.quote != 0:
		l.quote = 0
	case c == '"' || c == '\'':
		l.quote, l.begun = c, true
	case c == '#' && !l.begun:
		comment, _, _ := strings.Cut(text, "\n")
		return len(comment)
	case c == '\\' && len(text) > 1:
		if text[1] != '\n' {
			l.word.WriteByte(text[1])
			l.begun = true
		}
		return 2
	case strings.IndexByte(";&|()`\n", c) >= 0:
		l.flush()
		l.first, l.into = true, false
	case c == '>' || c == '<':
		return l.redirect(text)
	case c == ' ' || c == '\t' || c == '\r':
		l.flush()
	default:
		l.word.WriteByte(c)
		l.begun = true
	}
	return 1
}

// redirect takes < or >, and the descriptor that may follow or go before. What < reads
// is an argument like others.
func (l *lexer) redirect(text string) int {
	if strings.Trim(l.word.String(), "0123456789") == "" {
		l.word.Reset()
		l.begun = false
	}
	l.flush()
	if descriptor, ok := strings.CutPrefix(text[1:], "&"); ok {
		return len(text) - len(strings.TrimLeft(descriptor, "-0123456789"))
	}
	l.into = text[0] == '>'
	return 1
}

// flush ends a word.
func (l *lexer) flush() {
	if !l.begun {
		return
	}
	w := shellWord{text: l.word.String(), first: l.first, into: l.into}
	l.words = append(l.words, w)
	switch {
	case l.into:
		l.into = false
	case !(l.first && (isAssignment(w.text) || keywords[w.text])):
		l.first = false
	}
	l.word.Reset()
	l.begun = false
}

// commandsOf returns the names of the commands in a shell's text.
func commandsOf(text string) []string {
	var out []string
	for _, w := range shellWords(text) {
		if w.first && !keywords[w.text] && !isAssignment(w.text) && !w.into {
			out = append(out, w.text)
		}
	}
	return out
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && !strings.ContainsAny(name, "/.-+ ")
}

// inFolder resolves a word against a folder.
func inFolder(dir, word string) string {
	if filepath.IsAbs(word) {
		return filepath.Clean(word)
	}
	return filepath.Join(dir, word)
}
