package concrete

import (
	"bytes"
	"math"
	"strconv"

	"github.com/winnow-mutants/winnow/inputs"
)

// outputFunctions show something.
var outputFunctions = map[string]library{
	"printf":  func(p *Path, o *operation) bool { return p.prints(o, 0) },
	"fprintf": func(p *Path, o *operation) bool { return p.prints(o, 1) },
	"puts":    func(p *Path, o *operation) bool { return p.shows(o, "\n") },
	"fputs":   func(p *Path, o *operation) bool { return p.shows(o, "") },
	"putchar": showsCharacter, "putc": showsCharacter, "fputc": showsCharacter, "putchar_unlocked": showsCharacter,
	"fflush":  flushes,
	"sprintf": printsInto,
}

func (p *Path) prints(o *operation, skip int) bool {
	ok := p.prepares(o, skip)
	if ok {
		p.show(hashOf(p.printed))
		p.transcribe(o, skip-1, p.printed...)
	}
	return ok && p.gives(o, int64(len(p.printed))) || p.Trapped
}

// prepares makes the text that is printed.
func (p *Path) prepares(o *operation, skip int) bool {
	if len(o.args) < 2+skip {
		return false
	}
	f, ok := p.formatAt(p.get(o.args[1+skip]))
	return ok && p.print(f, o.args[2+skip:])
}

func printsInto(p *Path, o *operation) bool {
	ok := p.prepares(o, 1)
	if ok {
		p.putText(p.arg(o, 0), p.printed)
	}
	return ok && p.gives(o, int64(len(p.printed))) || p.Trapped
}

func (p *Path) shows(o *operation, end string) bool {
	if text, ok := p.text(p.arg(o, 0)); ok {
		text = append(text, end...)
		p.show(hashOf(text))
		p.transcribe(o, 1, text...)
	}
	return p.gives(o, 1)
}

// transcribe notes what is printed, unless the argument at a place is the standard error, which tests
// do not look at; a function without that argument prints on the standard output.
func (p *Path) transcribe(o *operation, stream int, text ...byte) {
	if p.Transcript != nil && p.streamIs(o, stream, "stdout", "stderr") != "stderr" {
		p.Transcript.prints(text...)
	}
}

// streamIs is which of two streams the argument at a place is, the first where there is no such
// argument. Another is a guess.
func (p *Path) streamIs(o *operation, at int, names ...string) string {
	if p.Transcript == nil || at < 0 || at+1 >= len(o.args) {
		return names[0]
	}
	stream := p.arg(o, at)
	for _, name := range names {
		if of, known := p.program.variables[name]; known && stream == of {
			return name
		}
	}
	if p.Trapped = p.Trapped || nearNull(stream); !p.Trapped {
		p.guess()
	}
	return names[0]
}

func showsCharacter(p *Path, o *operation) bool {
	x := p.arg(o, 0)
	p.show(hashOf([]byte{byte(x)}))
	p.transcribe(o, 1, byte(x))
	return p.gives(o, x&0xff)
}

// hashOf is the hash of a text that is shown.
func hashOf(text []byte) uint64 {
	h := uint64(len(text))
	for ; len(text) > 8; text = text[8:] {
		h = mix(h, wordOf(text[:8]))
	}
	return mix(h, wordOf(text))
}

func wordOf(text []byte) (x uint64) {
	for _, b := range text {
		x = x<<8 | uint64(b)
	}
	return x
}

// inputFunctions read the standard input; other streams are taken for it.
var inputFunctions = map[string]library{
	"scanf": func(p *Path, o *operation) bool { return p.scans(o, 0) },
	"fscanf": func(p *Path, o *operation) bool {
		return p.from(o, 0, func() bool { return p.scans(o, 1) })
	},
	"getchar": readsCharacter, "getc": readsCharacter, "fgetc": readsCharacter, "getchar_unlocked": readsCharacter,
	"gets":  func(p *Path, o *operation) bool { return p.readsLine(o, longestText, false) },
	"fgets": func(p *Path, o *operation) bool { return p.readsLine(o, p.arg(o, 1), true) },
}

func readsCharacter(p *Path, o *operation) bool {
	return p.from(o, 0, func() bool {
		if p.given != nil {
			return p.gives(o, p.givenCharacter())
		}
		item, ok := p.in.Read(inputs.Character, nil)
		if !ok {
			return p.gives(o, -1)
		}
		p.Transcript.text(byte(item.Number))
		return p.gives(o, item.Number)
	})
}

func (p *Path) readsLine(o *operation, limit int64, end bool) bool {
	return p.from(o, 2, func() bool { return p.readsALine(o, limit, end) })
}

func (p *Path) readsALine(o *operation, limit int64, end bool) bool {
	at := p.arg(o, 0)
	if p.given != nil {
		return p.readsGivenLine(o, at, limit, end)
	}
	item, ok := p.in.Read(inputs.Line, p.buffer)
	if p.buffer = item.Text; !ok {
		return p.gives(o, 0)
	}
	if end {
		p.buffer = append(p.buffer, '\n')
	}
	line := p.buffer[:max(0, min(int64(len(p.buffer)), limit-1))]
	if p.Transcript.text(line...); !end {
		p.Transcript.text('\n')
	}
	p.putText(at, line)
	return p.gives(o, at)
}

func (p *Path) scans(o *operation, skip int) bool {
	if len(o.args) < 2+skip {
		return false
	}
	f, ok := p.formatAt(p.get(o.args[1+skip]))
	if !ok {
		return p.Trapped
	}
	args, read := o.args[2+skip:], int64(0)
	for i := range f {
		q := &f[i]
		if p.given != nil && !p.matches(q.text) {
			if read == 0 && len(p.rest()) == 0 {
				read = -1
			}
			break
		}
		if p.given == nil {
			p.Transcript.format(q)
		}
		if q.verb == 0 {
			if q.spaces { // a space at the end reads what is left of the line
				p.in.EndLine()
			}
			break
		}
		at := int64(0)
		if !q.star {
			if len(args) == 0 {
				break
			}
			if at, args = p.get(args[0]), args[1:]; nearNull(at) && p.reads(q) {
				p.Trapped = true
				return true
			}
		}
		if !p.scan(q, at) {
			if read == 0 && (p.given == nil || len(p.rest()) == 0) {
				read = -1
			}
			break
		}
		if !q.star && q.verb != 'n' {
			read++
		}
	}
	return p.gives(o, read)
}

// reads says whether a conversion has something to read, so that it is put somewhere. Only of a path with
// a Transcript this is looked at: the others say yes.
func (p *Path) reads(q *piece) bool {
	if p.Transcript == nil || p.given == nil || q.verb == 'n' {
		return true
	}
	before, skipped := p.source, *q
	skipped.star = true
	ok := p.scanGiven(&skipped, 0)
	p.source = before
	return ok
}

// scan reads for one conversion; false at the end of the input.
func (p *Path) scan(q *piece, at int64) bool {
	if p.given != nil {
		return p.scanGiven(q, at)
	}
	if q.verb == 'n' { // reads nothing
		p.storeNumber(q, at, 1)
		return true
	}
	form := inputs.Conversion(q.verb, q.spaces)
	item, ok := p.in.Read(form, p.buffer)
	if !ok {
		return false
	}
	switch form {
	case inputs.Word:
		if p.buffer = item.Text; q.width > 0 {
			p.buffer = p.buffer[:min(q.width, len(p.buffer))]
		}
		p.Transcript.word(p.buffer)
		if !q.star {
			p.putText(at, p.buffer)
		}
	case inputs.Decimal:
		p.Transcript.decimal(item.Decimal)
		p.storeFloat(q, at, item.Decimal)
	case inputs.Number:
		p.Transcript.number(item.Number)
		p.storeNumber(q, at, item.Number)
	default:
		if form == inputs.Visible {
			p.Transcript.apart()
		}
		p.Transcript.text(byte(item.Number))
		if !q.star {
			p.putBytes(at, []byte{byte(item.Number)})
		}
	}
	return true
}

// storeNumber writes an integer that a conversion read.
func (p *Path) storeNumber(q *piece, at, x int64) {
	if !q.star {
		p.store(at, q.bits.wrap(x), q.bits, uint8(q.bits/8))
	}
}

// storeFloat writes a number that a conversion read, as float, double or long double.
func (p *Path) storeFloat(q *piece, at int64, f float64) {
	switch {
	case q.star:
	case q.long:
		p.store(at, floatWord(f), kindFloat, longDouble)
	case q.bits == 64:
		p.store(at, floatWord(f), kindFloat, 8)
	default:
		p.store(at, floatWord(kindSingle.round(f)), kindSingle, 4)
	}
}

// longDouble is how many bytes of a long double hold something, on x86-64.
const longDouble = 10

// textFunctions read and write texts.
var textFunctions = map[string]library{
	"strlen":  func(p *Path, o *operation) bool { return p.ofText(o, func(s []byte) int64 { return int64(len(s)) }) },
	"atoi":    func(p *Path, o *operation) bool { return p.ofText(o, leadingNumber) },
	"atol":    func(p *Path, o *operation) bool { return p.ofText(o, leadingNumber) },
	"atoll":   func(p *Path, o *operation) bool { return p.ofText(o, leadingNumber) },
	"strcmp":  func(p *Path, o *operation) bool { return p.compares(o, math.MaxInt64) },
	"strncmp": func(p *Path, o *operation) bool { return p.compares(o, p.arg(o, 2)) },
	"memcmp":  comparesMemory,
	"strcpy":  func(p *Path, o *operation) bool { return p.copies(o, 0, math.MaxInt64) },
	"strncpy": func(p *Path, o *operation) bool { return p.copies(o, 0, p.arg(o, 2)) },
	"strcat":  func(p *Path, o *operation) bool { return p.copies(o, -1, math.MaxInt64) },
	"strchr":  func(p *Path, o *operation) bool { return p.finds(o, bytes.IndexByte) },
	"strrchr": func(p *Path, o *operation) bool { return p.finds(o, bytes.LastIndexByte) },
	"strstr":  findsText,
	"toupper": func(p *Path, o *operation) bool { return p.shifts(o, 'a', 'z', 'A'-'a') },
	"tolower": func(p *Path, o *operation) bool { return p.shifts(o, 'A', 'Z', 'a'-'A') },
	"isdigit": ofClass(digit), "isalpha": ofClass(alpha), "isalnum": ofClass(alpha | digit), "isupper": ofClass(upper),
	"islower": ofClass(lower), "isspace": ofClass(space), "ispunct": ofClass(punct),
	// The macros of <ctype.h> look into tables.
	"__ctype_b_loc": func(p *Path, o *operation) bool { return p.gives(o, firstTable) },
}

func (p *Path) ofText(o *operation, f func([]byte) int64) bool {
	text, ok := p.text(p.arg(o, 0))
	return !ok || p.gives(o, f(text))
}

func leadingNumber(s []byte) int64 {
	s = bytes.TrimLeft(s, " \t\n")
	end := 0
	for end < len(s) && (s[end] >= '0' && s[end] <= '9' || end == 0 && (s[end] == '-' || s[end] == '+')) {
		end++
	}
	x, _ := strconv.ParseInt(string(s[:end]), 10, 64)
	return x
}

// texts are the texts of a call's first two arguments.
func (p *Path) texts(o *operation) (a, b []byte, ok bool) {
	if a, ok = p.text(p.arg(o, 0)); !ok {
		return nil, nil, false
	}
	a = bytes.Clone(a)
	b, ok = p.text(p.arg(o, 1))
	return a, b, ok
}

func (p *Path) compares(o *operation, n int64) bool {
	a, b, ok := p.texts(o)
	if !ok {
		return true
	}
	n = p.most(n)
	a, b = a[:min(n, int64(len(a)))], b[:min(n, int64(len(b)))]
	if p.Transcript != nil {
		return p.gives(o, difference(a, b))
	}
	return p.gives(o, int64(bytes.Compare(a, b)))
}

// most is a bound that has no sign, where that matters.
func (p *Path) most(n int64) int64 {
	if n < 0 && p.Transcript != nil {
		return math.MaxInt64
	}
	return max(0, n)
}

// comparesMemory is memcmp, which does not end at a 0, as paths without a Transcript have it.
func comparesMemory(p *Path, o *operation) bool {
	if p.Transcript == nil {
		return p.compares(o, p.arg(o, 2))
	}
	a, b, n := p.arg(o, 0), p.arg(o, 1), p.most(p.arg(o, 2))
	if p.Trapped = n > 0 && (nearNull(a) || nearNull(b)); p.Trapped {
		return true
	}
	if n > mostCopied {
		p.guess()
	}
	for k := range min(n, mostCopied) {
		if x, y := byte(p.read(a+k, 8, 1)), byte(p.read(b+k, 8, 1)); x != y {
			return p.gives(o, int64(x)-int64(y))
		}
		if p.Guessed {
			break
		}
	}
	return p.gives(o, 0)
}

// copies writes the second text to the first, or behind it.
func (p *Path) copies(o *operation, behind, n int64) bool {
	at := p.arg(o, 0)
	if behind < 0 {
		text, ok := p.text(at)
		if !ok {
			return true
		}
		behind = int64(len(text))
	}
	text, ok := p.text(p.arg(o, 1))
	if !ok {
		return true
	}
	switch n = p.most(n); {
	case n < int64(len(text)):
		p.putBytes(at+behind, text[:n])
	case n < math.MaxInt64 && p.Transcript != nil && !nearNull(at): // strncpy fills what is left
		p.putBytes(at+behind, text)
		p.fillMemory(at+behind+int64(len(text)), 0, n-int64(len(text)))
	default:
		p.putText(at+behind, text)
	}
	return p.gives(o, at)
}

func (p *Path) finds(o *operation, find func([]byte, byte) int) bool {
	at, b := p.arg(o, 0), byte(p.arg(o, 1))
	text, ok := p.text(at)
	if !ok {
		return true
	}
	if b == 0 {
		return p.gives(o, at+int64(len(text)))
	}
	k := find(text, b)
	if k < 0 {
		return p.gives(o, 0)
	}
	return p.gives(o, at+int64(k))
}

func findsText(p *Path, o *operation) bool {
	a, b, ok := p.texts(o)
	if !ok {
		p.guess() // of null, glibc looks for nothing without looking at it
		return true
	}
	k := bytes.Index(a, b)
	if k < 0 {
		return p.gives(o, 0)
	}
	return p.gives(o, p.arg(o, 0)+int64(k))
}

func (p *Path) shifts(o *operation, from, to, by int64) bool {
	x := p.arg(o, 0)
	if x >= from && x <= to {
		x += by
	}
	return p.gives(o, x)
}

// The bits of glibc's table of characters on little-endian machines.
const (
	upper = 1 << (8 + iota)
	lower
	alpha
	digit
	hexDigit
	space
	printing
	graphic
	blank = 1 << iota >> 8
	control
	punct
	alnum
)

// classes are the bits of a character.
func classes(c int64) (bits int64) {
	if c < 0 || c > 127 {
		return 0
	}
	for _, class := range []struct {
		from, to byte
		bits     int64
	}{
		{'A', 'Z', upper | alpha | alnum}, {'a', 'z', lower | alpha | alnum}, {'0', '9', digit | hexDigit | alnum},
		{'A', 'F', hexDigit}, {'a', 'f', hexDigit}, {9, 13, space}, {' ', ' ', space | blank | printing}, {9, 9, blank},
		{33, 126, printing | graphic}, {0, 31, control}, {127, 127, control},
		{33, 47, punct}, {58, 64, punct}, {91, 96, punct}, {123, 126, punct},
	} {
		if byte(c) >= class.from && byte(c) <= class.to {
			bits |= class.bits
		}
	}
	return bits
}

func ofClass(bits int64) library {
	return func(p *Path, o *operation) bool { return p.gives(o, classes(p.arg(o, 0))&bits) }
}

// classOf reads the tables of <ctype.h>: at firstTable is the address of one in the
// middle of a second stretch, which holds 16 bits for each character.
func classOf(at int64) int64 {
	const middle = firstTable + 1<<symbolBits
	if at == firstTable {
		return middle
	}
	return classes((at - middle) / 2)
}
