package patch

import (
	"bytes"
	"fmt"
	"strings"
)

// contextLines is how many unchanged lines a hunk has on either side: what
// diff and git write.
const contextLines = 3

// Unified returns the difference of two texts as one hunk, with git's a/ and
// b/ before the name; "" for equal texts. A mutant is a change in one place,
// so that the hunk is everything between the first and last different line.
func Unified(name string, old, new []byte) string {
	if bytes.Equal(old, new) {
		return ""
	}
	a, b := linesOf(old), linesOf(new)
	head := 0
	for head < min(len(a), len(b)) && bytes.Equal(a[head], b[head]) {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && bytes.Equal(a[len(a)-1-tail], b[len(b)-1-tail]) {
		tail++
	}
	before := min(head, contextLines)
	after := min(tail, contextLines)
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", headerName("a/"+name), headerName("b/"+name))
	fmt.Fprintf(&out, "@@ -%s +%s @@\n",
		span(head-before, len(a)-tail-head+before+after), span(head-before, len(b)-tail-head+before+after))
	writeLines(&out, ' ', a[head-before:head])
	writeLines(&out, '-', a[head:len(a)-tail])
	writeLines(&out, '+', b[head:len(b)-tail])
	writeLines(&out, ' ', a[len(a)-tail:len(a)-tail+after])
	return out.String()
}

// linesOf cuts a text after each newline.
func linesOf(text []byte) [][]byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// span is the range of a hunk: the first line counted from 1, and how many. An
// empty range names the line before it.
func span(from, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, count)
}

func writeLines(out *strings.Builder, mark byte, lines [][]byte) {
	for _, line := range lines {
		out.WriteByte(mark)
		out.Write(line)
		if !bytes.HasSuffix(line, []byte("\n")) {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
}

// headerName is a name as git writes it: quoted as in C where it holds control
// characters, quotes or bytes that are no ASCII; with a tab behind one with
// blanks, which tells its end.
func headerName(name string) string {
	quote := strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r >= 0x7f || r == '"' || r == '\\' })
	if !quote {
		if strings.Contains(name, " ") {
			name += "\t"
		}
		return name
	}
	escapes := map[byte]string{'\a': `\a`, '\b': `\b`, '\t': `\t`, '\n': `\n`, '\v': `\v`, '\f': `\f`, '\r': `\r`, '"': `\"`, '\\': `\\`}
	var out strings.Builder
	out.WriteByte('"')
	for i := range len(name) {
		switch escape, ok := escapes[name[i]]; {
		case ok:
			out.WriteString(escape)
		case name[i] < ' ' || name[i] >= 0x7f:
			fmt.Fprintf(&out, "\\%03o", name[i])
		default:
			out.WriteByte(name[i])
		}
	}
	out.WriteByte('"')
	return out.String()
}
