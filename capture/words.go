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
	var out []shellWord
	var word strings.Builder
	first, into, begun, quote := true, false, false, byte(0)
	flush := func() {
		if !begun {
			return
		}
		w := shellWord{text: word.String(), first: first, into: into}
		out = append(out, w)
		assignment := first && strings.Contains(w.text, "=") && !strings.HasPrefix(w.text, "=")
		switch {
		case into:
			into = false
		case !assignment && !(first && keywords[w.text]):
			first = false
		}
		word.Reset()
		begun = false
	}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case quote != 0 && c != quote:
			word.WriteByte(c)
		case quote != 0:
			quote = 0
		case c == '"' || c == '\'':
			quote, begun = c, true
		case c == '#' && !begun:
			for i+1 < len(text) && text[i+1] != '\n' {
				i++
			}
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] != '\n' {
				word.WriteByte(text[i])
				begun = true
			}
		case strings.IndexByte(";&|()`\n", c) >= 0:
			flush()
			first, into = true, false
		case c == '>' || c == '<':
			if begun && strings.Trim(word.String(), "0123456789") == "" {
				word.Reset() // the number of a descriptor
				begun = false
			}
			flush()
			into = c == '>' // what < reads is an argument like others
		case c == ' ' || c == '\t' || c == '\r':
			flush()
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	flush()
	return out
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
