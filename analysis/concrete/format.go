package concrete

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// format is that of printf or scanf, in pieces.
type format []piece

// piece is a text, or a conversion after it.
type piece struct {
	text string
	// verb is C's letter, 0 in a piece that is only text.
	verb byte
	// pattern is Go's conversion.
	pattern   string
	bits      kind // of an integer
	width     int  // 0: none
	star      bool // scanf throws it away; printf has the width as an argument
	spaces    bool // the text before it has spaces
	set       set  // of what is in brackets
	precision bool // by an argument
	long      bool // of a long double
}

// mostFormat bounds the pieces of a format, widest the width of a conversion.
const mostFormat, widest = 64, 512

// formatAt reads the format at an address, which is constant in most programs.
func (p *Path) formatAt(at int64) (format, bool) {
	if g := p.globalAt(at); g != nil && g.constant {
		if f, ok := p.program.formats[at]; ok {
			return f, true
		}
		text, ok := p.text(at)
		if !ok {
			return nil, false
		}
		f := parseFormat(string(text))
		p.program.formats[at] = f
		return f, true
	}
	text, ok := p.text(at)
	return parseFormat(string(text)), ok
}

func parseFormat(text string) format {
	var out format
	for len(out) < mostFormat {
		before, after, found := strings.Cut(text, "%")
		for found && strings.HasPrefix(after, "%") {
			more, rest, again := strings.Cut(after[1:], "%")
			before, after, found = before+"%"+more, rest, again
		}
		q := piece{text: before, spaces: strings.ContainsAny(before, " \t\n")}
		if !found {
			if before != "" {
				out = append(out, q)
			}
			break
		}
		text = q.conversion(after)
		out = append(out, q)
	}
	return out
}

// conversion reads what follows a percent sign, and returns the rest.
func (q *piece) conversion(text string) string {
	at := 0
	next := func() byte {
		if at < len(text) {
			at++
			return text[at-1]
		}
		return 0
	}
	pattern, number := "%", 0
	q.bits = 32
	for {
		b := next()
		if b >= '0' && b <= '9' {
			number = min(widest+1, number*10+int(b-'0'))
		} else {
			number = 0
		}
		if number > widest { // a text to fill memory with
			q.verb = 0xff
			return text[at:]
		}
		switch {
		case b == '*':
			if strings.Contains(pattern, ".") {
				q.precision = true
			} else {
				q.star = true
			}
			pattern += "*"
		case strings.IndexByte("0123456789", b) >= 0:
			if !strings.Contains(pattern, ".") {
				q.width = q.width*10 + int(b-'0')
			}
			pattern += string(b)
		case strings.IndexByte("+- #.", b) >= 0:
			pattern += string(b)
		case b == 'h':
			q.bits /= 2
		case b == 'l' || b == 'z' || b == 'j' || b == 't' || b == 'q' || b == 'L':
			q.bits, q.long = 64, b == 'L'
		case b == 'I' && strings.HasPrefix(text[at:], "64"):
			at, q.bits = at+2, 64
		case b == '[':
			q.verb = b
			at = min(at+1, len(text)) // a bracket may come first
			from := at - 1
			if strings.HasPrefix(text[min(from, len(text)):], "^") && at < len(text) { // or second, after this
				at++
			}
			if end := strings.IndexByte(text[at:], ']'); end >= 0 {
				q.set.text, q.set.not = strings.CutPrefix(text[from:at+end], "^")
				at += end + 1
			}
			return text[at:]
		default:
			q.verb = b
			switch b {
			case 'i', 'u':
				b = 'd'
			case 'p':
				b = 'x'
			case 'a':
				b = 'g'
			}
			q.pattern = pattern + string(b)
			return text[at:]
		}
	}
}

// print makes the text of a format and of its arguments, of which the first is args[0], in
// p.printed; false where it would trap, or does not know what it would be.
func (p *Path) print(f format, args []ref) bool {
	p.printed = p.printed[:0]
	for i := range f {
		q := &f[i]
		if p.printed = append(p.printed, q.text...); q.verb == 0 {
			continue
		}
		var extra []any // widths and precisions
		for range int(boolWord(q.star) + boolWord(q.precision)) {
			if len(args) == 0 {
				return false
			}
			extra, args = append(extra, int(max(-64, min(64, p.get(args[0]))))), args[1:]
		}
		if len(args) == 0 || !p.convertTo(q, args[0], extra) {
			return false
		}
		args = args[1:]
	}
	return true
}

// convertTo adds the text of one conversion.
func (p *Path) convertTo(q *piece, a ref, extra []any) bool {
	plain := len(q.pattern) == 2
	var value any
	switch q.verb {
	case 'd', 'i':
		x := q.bits.wrap(p.get(a))
		if plain {
			p.printed = strconv.AppendInt(p.printed, x, 10)
			return true
		}
		value = x
	case 'u', 'x', 'X', 'o':
		value = q.bits.unsigned(p.get(a))
	case 'p':
		value = uint64(p.get(a))
	case 'c':
		x := rune(byte(p.get(a)))
		if plain && p.Transcript != nil {
			p.printed = append(p.printed, byte(x))
			return true
		}
		if plain { // models have learnt from texts of these
			p.printed = utf8.AppendRune(p.printed, x)
			return true
		}
		value = x
	case 's':
		at := p.get(a)
		text, ok := []byte("(null)"), at == 0 && p.Transcript != nil // as glibc prints it
		if !ok {
			text, ok = p.text(at)
		}
		if !ok {
			return false
		}
		if plain {
			p.printed = append(p.printed, text...)
			return true
		}
		value = string(text)
	case 'f', 'F', 'e', 'E', 'g', 'G', 'a':
		f := 0.0 // not the number, but what was in another register
		if a.as == kindFloat || a.as == kindSingle {
			f = p.float(a)
		}
		value = f
	default:
		return false
	}
	p.printed = fmt.Appendf(p.printed, q.pattern, append(extra, value)...)
	return true
}
