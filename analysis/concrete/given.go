package concrete

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/inputs"
)

// Given is the input of a path that is not drawn, but that of a test: what the program
// reads of its standard input, its arguments, and the files of the folder that it runs in, which
// has no others.
type Given struct {
	Text  []byte
	Args  []string
	Files []inputs.File
}

// AlongArgs is Along of a program with arguments, whose input is drawn, and the files that it asks
// for, if there is a Transcript.
func (c *Code) AlongArgs(p *Path, seed uint64, args []string, limit int) {
	c.begin(p, seed, 0, limit)
	p.giveArgs(args)
	if p.goOn(); p.Transcript != nil {
		p.Transcript.Files = p.drawnFiles()
	}
}

// give makes a path that begins read an input.
func (p *Path) give(input *Given) {
	p.given, p.source = input, source{text: input.Text}
	if p.Transcript == nil && len(input.Args) == 0 { // argv is drawn
		p.frame.args = append(p.frame.room[:0], 1)
		return
	}
	p.giveArgs(input.Args)
}

func (p *Path) giveArgs(args []string) {
	p.frame.args = append(p.frame.room[:0], 1+int64(len(args)))
	p.frame.args = append(p.frame.args, argv)
	p.store(argv, argvTexts, pointer, 8) // the program's name
	if p.Transcript != nil {
		p.putText(argvTexts, []byte(programName))
	}
	at := int64(argvTexts + longestName)
	for k, text := range args {
		p.store(argv+8*int64(k+1), at, pointer, 8)
		p.putText(at, []byte(text))
		at += int64(len(text)) + 1
	}
	p.store(argv+8*p.frame.args[0], 0, pointer, 8)
	if p.Transcript != nil {
		p.store(errnoAt, 0, 32, 4)
	}
}

// programName is what a program is called that has a Transcript. What it does by that is done under any
// name, mostly, but for what it prints.
const programName = "./the-program"

// guessesName notes that a program printed its name, which nobody knows.
func (p *Path) guessesName() {
	if t := p.Transcript; t != nil && bytes.Contains(t.Printed, []byte(strings.TrimPrefix(programName, "./"))) {
		p.guess()
	}
}

// argv is where the addresses of a given program's arguments are, argvTexts where these are, and errnoAt
// where errno is: below what is allocated. The first text has room for any name.
const argv, argvTexts, longestName, errnoAt = firstHeap, firstHeap + 1<<(symbolBits-1), 1 << 12, firstHeap + 1<<symbolBits - 8

// givenCharacter reads the next character of a given input; -1 at its end.
func (p *Path) givenCharacter() int64 {
	if len(p.rest()) == 0 {
		p.source.ended = true
		return -1
	}
	p.source.taken++
	return int64(p.source.text[p.source.taken-1])
}

// source is a text that is read, from the standard input, a file, or memory.
type source struct {
	text  []byte
	taken int
	// ended says that its end was seen, as feof does.
	ended bool
}

// rest is what of a given input has not been read.
func (p *Path) rest() []byte { return p.source.text[min(p.source.taken, len(p.source.text)):] }

// takes reads so many characters of what there is, and sees the end where something that has no length
// of its own goes on to it.
func (p *Path) takes(n int, toTheEnd bool) {
	p.source.taken += n
	p.source.ended = p.source.ended || toTheEnd && len(p.rest()) == 0
}

func (p *Path) skipSpaces() {
	n := 0
	for _, b := range p.rest() {
		if !isSpace(b) {
			break
		}
		n++
	}
	p.takes(n, true)
}

func isSpace(b byte) bool { return b == ' ' || b >= 9 && b <= 13 }

// readsGivenLine is gets or fgets, which has a limit and keeps the line's end.
func (p *Path) readsGivenLine(o *operation, at, limit int64, keeps bool) bool {
	line := p.rest()
	whole := !keeps || int64(len(line)) < limit-1
	if keeps {
		line = line[:max(0, min(int64(len(line)), limit-1))]
	}
	end := bytes.IndexByte(line, '\n')
	if end >= 0 {
		line = line[:end+1]
	}
	p.takes(len(line), whole && end < 0)
	if len(line) == 0 {
		return p.gives(o, 0)
	}
	if !keeps {
		line = bytes.TrimSuffix(line, []byte("\n"))
	}
	p.putText(at, line)
	return p.gives(o, at)
}

// matches reads the text of a format before a conversion; false where the input has
// another.
func (p *Path) matches(text string) bool {
	for k := range len(text) {
		switch rest := p.rest(); {
		case isSpace(text[k]):
			p.skipSpaces()
		case text[k] == '%' && k > 0 && text[k-1] == '%':
		case len(rest) == 0 || rest[0] != text[k]:
			p.takes(0, true)
			return false
		default:
			p.takes(1, false)
		}
	}
	return true
}

// scanGiven reads a given input for one conversion; false where the input has something
// else.
func (p *Path) scanGiven(q *piece, at int64) bool {
	if q.verb != 'c' && q.verb != '[' && q.verb != 'n' {
		p.skipSpaces()
	}
	rest := p.rest()
	whole := q.width == 0 || q.width > len(rest)
	if q.width > 0 {
		rest = rest[:min(q.width, len(rest))]
	}
	switch q.verb {
	case 'n':
		p.storeNumber(q, at, int64(p.source.taken))
		return true
	case 'c':
		n := max(1, q.width)
		if len(rest) < n {
			p.source.ended = true
			return false
		}
		p.takes(n, false)
		if !q.star {
			p.putBytes(at, rest[:n])
		}
		return true
	case 's', '[':
		end := bytes.IndexFunc(rest, func(r rune) bool {
			return q.verb == 's' && r < 128 && isSpace(byte(r)) || q.verb == '[' && !q.set.has(r)
		})
		if end < 0 {
			end = len(rest)
		}
		p.takes(end, whole)
		if end == 0 {
			return false
		}
		if !q.star {
			p.putText(at, rest[:end])
		}
		return true
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a':
		n, ok := lengthOfNumber(rest, true)
		if p.takes(n, whole); ok {
			x, _ := strconv.ParseFloat(string(rest[:n]), 64) // infinite where it is too large
			p.storeFloat(q, at, x)
		}
		return ok
	}
	n, ok := lengthOfNumber(rest, false)
	if p.takes(n, whole); ok {
		x, _ := strconv.ParseInt(string(rest[:n]), 10, 64) // the largest where it is too large
		p.storeNumber(q, at, x)
	}
	return ok
}

// lengthOfNumber is how much of a text is a decimal number, with a fraction and an
// exponent where it may be real; false for the beginning of one that does not go on.
func lengthOfNumber(text []byte, real bool) (int, bool) {
	at, digits := 0, 0
	sign := func() {
		if at < len(text) && (text[at] == '-' || text[at] == '+') {
			at++
		}
	}
	run := func() {
		for at < len(text) && text[at] >= '0' && text[at] <= '9' {
			at, digits = at+1, digits+1
		}
	}
	sign()
	run()
	if real && at < len(text) && text[at] == '.' {
		at++
		run()
	}
	if digits > 0 && real && at < len(text) && (text[at] == 'e' || text[at] == 'E') {
		at, digits = at+1, 0
		sign()
		run()
	}
	return at, digits > 0
}

// set are the characters of a conversion in brackets.
type set struct {
	not  bool
	text string
}

func (s set) has(r rune) bool {
	for k := 0; k < len(s.text); k++ {
		from, to := rune(s.text[k]), rune(s.text[k])
		if k+2 < len(s.text) && s.text[k+1] == '-' {
			to = rune(s.text[k+2])
			k += 2
		}
		if r >= from && r <= to {
			return !s.not
		}
	}
	return s.not
}
