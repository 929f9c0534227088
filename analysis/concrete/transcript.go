package concrete

import (
	"strconv"

	"github.com/winnow-mutants/winnow/inputs"
)

// Transcript is what a path of a program read of its standard input, and what it printed, both
// as text, and of the files that a path with a drawn input opened. A program that is given what a path of a drawn input read (Given) does the same,
// unless it reads in a way that draws do not follow, as when it looks at the end of a line that
// it was given half of: whoever needs to know runs both.
type Transcript struct {
	Read, Printed []byte
	Files         []inputs.File
}

// number notes a number that was read: behind a space, unless something like it is there.
func (t *Transcript) number(x int64) {
	if t != nil {
		t.apart()
		t.Read = strconv.AppendInt(t.Read, x, 10)
	}
}

func (t *Transcript) decimal(x float64) {
	if t != nil {
		t.apart()
		t.Read = strconv.AppendFloat(t.Read, x, 'f', -1, 64)
	}
}

func (t *Transcript) word(text []byte) {
	if t != nil {
		t.apart()
		t.Read = append(t.Read, text...)
	}
}

// apart keeps what comes next from being one with what came before.
func (t *Transcript) apart() {
	if t == nil {
		return
	}
	if n := len(t.Read); n > 0 && !isSpace(t.Read[n-1]) {
		t.Read = append(t.Read, ' ')
	}
}

// text notes characters as they were read.
func (t *Transcript) text(text ...byte) {
	if t != nil {
		t.Read = append(t.Read, text...)
	}
}

// format notes the text of a format that what was read has to match, before a conversion or
// behind the last.
func (t *Transcript) format(q *piece) {
	if t == nil {
		return
	}
	for k := range len(q.text) {
		switch b := q.text[k]; {
		case isSpace(b):
			if b == '\n' || q.verb == 0 {
				t.Read = append(t.Read, b)
			}
		case b == '%' && k > 0 && q.text[k-1] == '%':
		default:
			t.Read = append(t.Read, b)
		}
	}
}

func (t *Transcript) prints(text ...byte) {
	if t != nil {
		t.Printed = append(t.Printed, text...)
	}
}
