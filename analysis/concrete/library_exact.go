package concrete

import (
	"bytes"
	"math"
	"strconv"
)

// exactFunctions are known only to paths with a Transcript, which are to do what the program does.
// To the others they are functions like any other: the models that are released have learnt from
// trials in which they were made up.
var exactFunctions = map[string]library{
	"strspn":   func(p *Path, o *operation) bool { return p.spans(o, true) },
	"strcspn":  func(p *Path, o *operation) bool { return p.spans(o, false) },
	"strpbrk":  findsAny,
	"strtok":   nextToken,
	"strtol":   parsesNumber,
	"strtoll":  parsesNumber,
	"strtoul":  parsesUnsigned,
	"strtoull": parsesUnsigned,
	"strtod":   parsesReal,
	"atof":     parsesReal,
	"sscanf":   scansText,
	"snprintf": printsBounded,
	"perror":   func(p *Path, o *operation) bool { return p.gives(o, 0) }, // nobody looks at the standard error
}

func init() {
	for _, table := range []map[string]library{exactFunctions, moreTextFunctions, fileFunctions, descriptorFunctions, randomFunctions, variadicFunctions, optionFunctions, clockFunctions} {
		for name, f := range table {
			libraryFunctions[name] = func(p *Path, o *operation) bool { return p.Transcript != nil && f(p, o) }
		}
	}
}

// stackIntrinsics are around blocks with arrays of variable length. Where these lie is known without.
var stackIntrinsics = map[string]library{
	"llvm.stacksave":    func(p *Path, o *operation) bool { return p.Transcript != nil && p.gives(o, firstHeap) },
	"llvm.stackrestore": func(p *Path, _ *operation) bool { return p.Transcript != nil },
}

// difference compares two texts as glibc does on x86-64 and ARM: the first characters that differ
// are subtracted. C says no more than its sign.
func difference(a, b []byte) int64 {
	for k := range max(len(a), len(b)) {
		var x, y byte
		if k < len(a) {
			x = a[k]
		}
		if k < len(b) {
			y = b[k]
		}
		if x != y {
			return int64(x) - int64(y)
		}
	}
	return 0
}

// span is how many characters at the beginning of a text are among some, or are not.
func span(text, some []byte, among bool) int {
	for k, b := range text {
		if (bytes.IndexByte(some, b) >= 0) != among {
			return k
		}
	}
	return len(text)
}

func (p *Path) spans(o *operation, among bool) bool {
	a, b, ok := p.texts(o)
	return !ok || p.gives(o, int64(span(a, b, among)))
}

func findsAny(p *Path, o *operation) bool {
	a, b, ok := p.texts(o)
	if !ok {
		return true
	}
	n := span(a, b, false)
	if n == len(a) {
		return p.gives(o, 0)
	}
	return p.gives(o, p.arg(o, 0)+int64(n))
}

// nextToken is strtok: p.tokens is where it goes on, 0 where it is at the end.
func nextToken(p *Path, o *operation) bool {
	at := p.arg(o, 0)
	if at == 0 {
		if at = p.tokens; at == 0 {
			return p.gives(o, 0)
		}
	}
	text, ok := p.text(at)
	if !ok {
		return true
	}
	text = bytes.Clone(text)
	apart, ok := p.text(p.arg(o, 1))
	if !ok {
		return true
	}
	skipped := span(text, apart, true)
	from := at + int64(skipped)
	if skipped == len(text) {
		p.tokens = 0
		return p.gives(o, 0)
	}
	if n := span(text[skipped:], apart, false); skipped+n < len(text) {
		p.tokens = from + int64(n) + 1
		p.putBytes(p.tokens-1, []byte{0})
	} else {
		p.tokens = from + int64(n)
	}
	return p.gives(o, from)
}

// parsesNumber is strtol.
func parsesNumber(p *Path, o *operation) bool {
	size, negative, ok := p.parses(o)
	switch {
	case !ok:
		return true
	case negative && size <= 1<<63:
		return p.gives(o, -int64(size))
	case !negative && size <= math.MaxInt64:
		return p.gives(o, int64(size))
	case negative:
		return p.outOfRange(o, math.MinInt64)
	}
	return p.outOfRange(o, math.MaxInt64)
}

// parsesUnsigned is strtoul, of which a number below 0 is one near the greatest.
func parsesUnsigned(p *Path, o *operation) bool {
	size, negative, ok := p.parses(o)
	switch {
	case !ok:
		return true
	case size == math.MaxUint64:
		return p.outOfRange(o, -1)
	case negative:
		return p.gives(o, -int64(size))
	}
	return p.gives(o, int64(size))
}

func (p *Path) outOfRange(o *operation, x int64) bool {
	p.store(errnoAt, rangeError, 32, 4)
	return p.gives(o, x)
}

// Numbers of errno on Linux: of a file that is not there, and of a result that does not fit.
const noEntry, rangeError = 2, 34

// parses reads the number of a text: with a base of 0 it is that which the text says. Its size is the
// greatest where it is too large; false where the text cannot be read.
func (p *Path) parses(o *operation) (size uint64, negative, ok bool) {
	text, ok := p.text(p.arg(o, 0))
	if !ok {
		return 0, false, false
	}
	n := len(text) - len(bytes.TrimLeft(text, " \t\n\v\f\r"))
	if n < len(text) && (text[n] == '-' || text[n] == '+') {
		negative, n = text[n] == '-', n+1
	}
	base, digits := int(p.arg(o, 2)), text[n:]
	prefixed := len(digits) > 2 && digits[0] == '0' && digits[1]|32 == 'x' && digitOf(digits[2]) < 16
	switch {
	case (base == 0 || base == 16) && prefixed:
		base, n, digits = 16, n+2, digits[2:]
	case base == 0 && len(digits) > 0 && digits[0] == '0':
		base = 8
	case base == 0:
		base = 10
	}
	end := 0
	for end < len(digits) && digitOf(digits[end]) < base {
		end++
	}
	if end == 0 {
		p.ends(o, 0)
		return 0, false, true
	}
	size, _ = strconv.ParseUint(string(digits[:end]), base, 64) // the greatest where it is too large
	p.ends(o, n+end)
	return size, negative, true
}

func digitOf(b byte) int {
	switch {
	case b >= '0' && b <= '9':
		return int(b - '0')
	case b|32 >= 'a' && b|32 <= 'z':
		return int(b|32-'a') + 10
	}
	return math.MaxInt
}

// ends writes where a number that was parsed ends, so many characters behind the first argument, to
// where the second says.
func (p *Path) ends(o *operation, used int) {
	if len(o.args) > 2 {
		if to := p.arg(o, 1); to != 0 {
			p.store(to, p.arg(o, 0)+int64(used), pointer, 8)
		}
	}
}

func parsesReal(p *Path, o *operation) bool {
	text, ok := p.text(p.arg(o, 0))
	if !ok {
		return true
	}
	skipped := len(text) - len(bytes.TrimLeft(text, " \t\n\v\f\r"))
	number := text[skipped:]
	n, ok := lengthOfNumber(number, true)
	if end := bytes.IndexAny(number[:n], "eE"); !ok && end > 0 { // an exponent without digits is none
		n, ok = end, true
	}
	if digits := bytes.TrimLeft(number, "+-"); len(digits) > 1 && (digits[0] == '0' && digits[1]|32 == 'x' || digits[0]|32 == 'i' || digits[0]|32 == 'n') {
		return false // hexadecimal, infinite, or no number
	}
	if !ok {
		p.ends(o, 0)
		return p.gives(o, floatWord(0))
	}
	x, _ := strconv.ParseFloat(string(number[:n]), 64)
	p.ends(o, skipped+n)
	return p.gives(o, floatWord(x))
}

// scansText reads a text as scanf reads a given input.
func scansText(p *Path, o *operation) bool {
	text, ok := p.text(p.arg(o, 0))
	if !ok {
		return true
	}
	given, before := p.given, p.source
	p.given, p.source = &Given{}, source{text: bytes.Clone(text)}
	ok = p.scans(o, 1)
	p.given, p.source = given, before
	return ok
}

func printsBounded(p *Path, o *operation) bool {
	if !p.prepares(o, 2) {
		return p.Trapped
	}
	p.putBounded(o)
	return p.gives(o, int64(len(p.printed)))
}

// putBounded writes what is printed to where a call says, and as much as it says.
func (p *Path) putBounded(o *operation) {
	switch most := p.arg(o, 1); {
	case most < 0 || most > math.MaxInt32: // glibc has changed its mind about those
		p.guess()
	case most > 0:
		p.putText(p.arg(o, 0), p.printed[:min(int64(len(p.printed)), most-1)])
	}
}
