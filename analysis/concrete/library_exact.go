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
	"strtol":   func(p *Path, o *operation) bool { return p.parses(o, math.MinInt64, math.MaxInt64) },
	"strtoll":  func(p *Path, o *operation) bool { return p.parses(o, math.MinInt64, math.MaxInt64) },
	"strtod":   parsesReal,
	"atof":     parsesReal,
	"sscanf":   scansText,
	"snprintf": printsBounded,
	"ungetc":   putsBack,
	"perror":   func(p *Path, o *operation) bool { return p.gives(o, 0) }, // nobody looks at the standard error
}

func init() {
	for name, f := range exactFunctions {
		libraryFunctions[name] = func(p *Path, o *operation) bool { return p.Transcript != nil && f(p, o) }
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

// parses is strtol: with a base of 0 it is that which the text says.
func (p *Path) parses(o *operation, least, most int64) bool {
	text, ok := p.text(p.arg(o, 0))
	if !ok {
		return true
	}
	n := len(text) - len(bytes.TrimLeft(text, " \t\n\v\f\r"))
	negative := false
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
	x, used := int64(0), 0
	if end > 0 {
		used = n + end
		size, err := strconv.ParseUint(string(digits[:end]), base, 64)
		switch {
		case negative && (err != nil || size > 1<<63):
			x = least
		case negative:
			x = -int64(size)
		case err != nil || size > math.MaxInt64:
			x = most
		default:
			x = int64(size)
		}
	}
	p.ends(o, used)
	return p.gives(o, x)
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
	input, taken := p.given, p.taken
	p.given, p.taken = &Given{Text: bytes.Clone(text)}, 0
	ok = p.scans(o, 1)
	p.given, p.taken = input, taken
	return ok
}

func printsBounded(p *Path, o *operation) bool {
	if !p.prepares(o, 2) {
		return p.Trapped
	}
	if most := p.arg(o, 1); most > 0 {
		p.putText(p.arg(o, 0), p.printed[:min(int64(len(p.printed)), most-1)])
	}
	return p.gives(o, int64(len(p.printed)))
}

// putsBack is ungetc of the character that was read last; another one is not known.
func putsBack(p *Path, o *operation) bool {
	x := p.arg(o, 0)
	if x == -1 {
		return p.gives(o, -1)
	}
	if p.given == nil || p.taken == 0 || p.taken > len(p.given.Text) || int64(p.given.Text[p.taken-1]) != x {
		return false
	}
	p.taken--
	return p.gives(o, x)
}
