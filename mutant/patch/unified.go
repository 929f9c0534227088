package patch

import (
	"bytes"
	"fmt"
	"strings"
)

// contextLines is how many unchanged lines a hunk has on either side: what
// diff and git write.
const contextLines = 3

// Unified returns the difference of two texts, with git's a/ and b/ before the
// name; "" for equal texts. A mutant is a change in one place, which gives one
// hunk, or exchanges two labels, which gives two where they are far apart: where
// the part between the first and the last different line keeps its number of
// lines, the lines are compared one by one.
func Unified(name string, old, new []byte) string {
	a := linesOf(old)
	return unified(name, a, edited{old: a, from: 0, to: len(a), instead: linesOf(new)})
}

// edited is a text in which other lines stand in place of old[from:to].
type edited struct {
	old      [][]byte
	from, to int
	instead  [][]byte
}

func (r *edited) len() int { return len(r.old) - (r.to - r.from) + len(r.instead) }

func (r *edited) line(i int) []byte {
	switch {
	case i < r.from:
		return r.old[i]
	case i < r.from+len(r.instead):
		return r.instead[i-r.from]
	}
	return r.old[i-len(r.instead)+r.to-r.from]
}

// unified is Unified of the lines a and of b, which replaces some of them. It
// looks only at those and, where they are like their neighbours, at these.
func unified(name string, a [][]byte, b edited) string {
	changes := differences(a, &b)
	if len(changes) == 0 {
		return ""
	}
	var out strings.Builder
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", headerName("a/"+name), headerName("b/"+name))
	for len(changes) > 0 {
		n := 1
		for n < len(changes) && changes[n].from-changes[n-1].to <= 2*contextLines {
			n++
		}
		writeHunk(&out, a, &b, changes[:n])
		changes = changes[n:]
	}
	return out.String()
}

// difference says that the old lines from..to gave way to n new ones, which begin
// at the same number: only a difference that is the only one changes how many
// lines there are.
type difference struct{ from, to, n int }

func differences(a [][]byte, b *edited) []difference {
	least := min(len(a), b.len())
	head := min(b.from, least)
	for head < least && bytes.Equal(a[head], b.line(head)) {
		head++
	}
	tail := min(len(a)-b.to, least-head)
	for tail < least-head && bytes.Equal(a[len(a)-1-tail], b.line(b.len()-1-tail)) {
		tail++
	}
	end := len(a) - tail
	if len(a) != b.len() {
		return []difference{{head, end, b.len() - tail - head}}
	}
	var out []difference
	for i := head; i < end; i++ {
		if bytes.Equal(a[i], b.line(i)) {
			continue
		}
		if last := len(out) - 1; last >= 0 && out[last].to == i {
			out[last].to, out[last].n = i+1, out[last].n+1
		} else {
			out = append(out, difference{from: i, to: i + 1, n: 1})
		}
	}
	return out
}

// writeHunk writes differences that are near each other, with the lines between
// and around them.
func writeHunk(out *strings.Builder, a [][]byte, b *edited, changes []difference) {
	first, last := changes[0], changes[len(changes)-1]
	from, to := max(first.from-contextLines, 0), min(last.to+contextLines, len(a))
	grown := 0
	for _, c := range changes {
		grown += c.n - (c.to - c.from)
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", span(from, to-from), span(from, to-from+grown))
	for _, c := range changes {
		writeLines(out, ' ', a[from:c.from])
		writeLines(out, '-', a[c.from:c.to])
		for i := range c.n {
			writeLines(out, '+', [][]byte{b.line(c.from + i)})
		}
		from = c.to
	}
	writeLines(out, ' ', a[from:to])
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
