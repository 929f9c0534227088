package execute

import (
	"fmt"
	"math"
	"strings"

	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/analysis/op"
	"github.com/winnow-mutants/winnow/symbolic/term"
)

// conversion is what scanf does for one of the arguments behind its format.
type conversion struct {
	// text says that it writes a text, of a length that the input has; bytes is the size of a
	// number otherwise.
	text  bool
	bytes uint8
	// letter is that of the format, behind what is written before: spaces and other characters.
	letter byte
	behind string
}

// scansOf are the conversions of a call of scanf and its like, one an argument behind the
// format; false where the format is not known, or not understood.
func scansOf(o *op.Op) ([]conversion, bool) {
	if o.Code != op.Call || !o.Library.Has(libc.Scans) || o.Library.Format >= len(o.Args) {
		return nil, false
	}
	format, ok := textAt(o.Args[o.Library.Format])
	if !ok {
		return nil, false
	}
	of, ok := conversionsOf(format)
	return of, ok && len(of) == len(o.Args)-1-o.Library.Format
}

// conversionsOf reads a format of scanf (C11 7.21.6.2), up to its first zero byte.
func conversionsOf(format string) (out []conversion, ok bool) {
	format, _, _ = strings.Cut(format, "\x00")
	skippedText := ""
	for {
		before, rest, more := strings.Cut(format, "%")
		if !more {
			return out, true
		}
		rest, skipped := strings.CutPrefix(rest, "*")
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, "0123456789"))]
		rest = rest[len(digits):]
		length := rest[:len(rest)-len(strings.TrimLeft(rest, "hlLqjzt"))]
		if rest = rest[len(length):]; rest == "" {
			return nil, false
		}
		letter := rest[0]
		c, known := conversionOf(letter, length, digits)
		if rest[0] == '[' {
			if rest, known = behindSet(rest); length != "" {
				known = false
			}
		} else {
			rest = rest[1:]
		}
		if !known {
			return nil, false
		}
		switch skippedText += before; {
		case letter == '%':
			skippedText += "%"
		case skipped:
			skippedText += " 0 "
		}
		if !skipped && c != (conversion{}) {
			c.letter, c.behind = letter, skippedText
			out, skippedText = append(out, c), ""
		}
		format = rest
	}
}

// conversionOf is what a letter does; nothing for a percent sign.
func conversionOf(letter byte, length, digits string) (conversion, bool) {
	switch {
	case letter == '%':
		return conversion{}, length == "" && digits == ""
	case letter == '[', letter == 's':
		return conversion{text: true}, length == ""
	case letter == 'c' && length == "" && (digits == "" || digits == "1"):
		return conversion{bytes: 1}, true
	case letter == 'c':
		return conversion{text: true}, length == ""
	case letter == 'p':
		return conversion{bytes: 8}, length == ""
	case strings.IndexByte("diuoxX", letter) >= 0:
		bytes, ok := map[string]uint8{"hh": 1, "h": 2, "": 4, "l": 8, "ll": 8, "L": 8, "q": 8, "j": 8, "z": 8, "t": 8}[length]
		return conversion{bytes: bytes}, ok
	case strings.IndexByte("aefgAEFG", letter) >= 0:
		bytes, ok := map[string]uint8{"": 4, "l": 8}[length]
		return conversion{bytes: bytes}, ok
	}
	return conversion{}, false
}

// behindSet is what follows a set of characters: a bracket that comes first is one of them.
func behindSet(format string) (string, bool) {
	rest := strings.TrimPrefix(format[1:], "^")
	if rest == "" {
		return "", false
	}
	_, behind, ok := strings.Cut(rest[1:], "]")
	return behind, ok
}

// scan is a call of scanf: what it reads depends on what was shown before, and what it writes
// where on how many of its conversions met what they wanted. The addresses that it writes to
// are not shown.
func (r *run) scan(o *op.Op, of []conversion) (*term.Term, error) {
	args, err := r.operands(o.Args)
	if err != nil {
		return nil, err
	}
	behind := o.Library.Format + 1
	shown := append([]*term.Term(nil), args[:behind]...)
	if strings.HasPrefix(o.Library.Arguments, "r") && o.Library.Format > 1 { // sscanf
		shown = append(shown, r.state.Memory)
	}
	reads := &reading{trace: r.p.Event("call", r.state.Trace, shown...)}
	r.event(r.p.Truth(true), "call", shown...)
	count := r.converted(r.p.App("result", 32, r.state.Trace), len(of))
	reads.count = count
	if args[0].Name == "@scanf" || args[0].Name == "@__isoc99_scanf" {
		r.f.readings[reads.trace] = reads
	}
	for k, c := range of {
		when := r.p.Slt(r.p.Number(uint64(k), 32), count)
		at := args[behind+k]
		var value *term.Term
		if c.text {
			value, err = r.scanText(when, at, fmt.Sprintf("text %d", k))
		} else {
			value = r.p.App(fmt.Sprintf("scanned %d", k), 8*c.bytes, r.state.Trace)
			err = r.writeWhen(when, at, value)
		}
		if err != nil {
			return nil, err
		}
		reads.values = append(reads.values, converted{c, value})
	}
	return count, nil
}

// converted is what scanf returns: how many conversions it made, of so many, or -1 where the
// input ended before the first, which is what EOF is on the systems that winnow knows.
func (r *run) converted(count *term.Term, of int) *term.Term {
	end, most := r.p.Number(math.MaxUint32, 32), r.p.Number(uint64(of), 32)
	return r.p.Ite(r.p.And(r.p.Sle(end, count), r.p.Sle(count, most)), count, end)
}

// scanText puts a text of an unknown length at an address. That it is longer than what is there
// is undefined.
func (r *run) scanText(when, at *term.Term, name string) (first *term.Term, err error) {
	to, err := r.targetOf(at)
	if err != nil {
		return nil, err
	}
	held, where := &r.state.Memory, at
	if to.local >= 0 {
		held, where = &r.state.Locals[to.local], to.offset
	} else {
		r.mayTrap(when, at, 1)
	}
	left := r.p.App(name, term.Memory, r.state.Trace, *held, where)
	*held = r.p.Ite(when, left, *held)
	return r.p.Load(left, where, 1), nil
}
