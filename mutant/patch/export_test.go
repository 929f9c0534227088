package patch

import "github.com/winnow-mutants/winnow/csource"

// DiffOf is the diff of a change of a text, as Diff writes it.
func DiffOf(name string, text []byte, c csource.Change) string {
	lines := newFileLines(text)
	return unified(name, lines.all, lines.edited(c, text))
}
