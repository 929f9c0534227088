package replay

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/analysis/concrete"
)

// difference is what tells a mutant from the original, in words.
type difference struct {
	kind
	text string
	// at is what differs of what is left in objects, or in what the call made.
	at leaf
}

// kind of a difference, in the order in which they are preferred.
type kind uint8

const (
	returning kind = iota
	printing
	leaving
	making
	exiting
	crashing
	notEnding
)

// difference is what two outcomes of a call differ in, if that can be said.
func (r *ObjectCalls) difference(s *situation, was, is *outcome) difference {
	a, b := r.ends(s, was), r.ends(s, is)
	switch {
	case was.end == returns && is.end == returns && was.isText != is.isText && a != "returns NULL" && b != "returns NULL": // of one the end is not known
		return difference{}
	case is.end == crashes || is.end == endlessly:
		return difference{kind: map[ending]kind{crashes: crashing, endlessly: notEnding}[is.end], text: a + ", the mutant " + b}
	case was.end != is.end:
		return difference{kind: exiting, text: a + ", the mutant " + b}
	case was.printed != is.printed:
		return difference{kind: printing, text: "prints " + printed(was.printed) + ", the mutant " + printed(is.printed)}
	case was.end == returns && a != b && r.result.class != address && (concrete.IsAddress(was.value) || concrete.IsAddress(is.value)):
		return difference{} // which is another number in each run
	case was.end == returns && a != b:
		return difference{kind: returning, text: a + ", the mutant " + strings.TrimPrefix(b, "returns ")}
	}
	for _, l := range s.leaves() {
		if !tellsIn(was, is, l) {
			continue
		}
		x, y := was.left[l.object][l.at:l.at+l.size], is.left[l.object][l.at:l.at+l.size]
		if a, b, name := s.scalar(l.is, x), s.scalar(l.is, y), s.name(l); a != b {
			if a == name { // an address that is what it was
				a = "what it was"
			}
			return difference{kind: leaving, at: l, text: fmt.Sprintf("leaves %s = %s, the mutant %s", name, a, b)}
		}
	}
	if was.made == nil || is.made == nil {
		return difference{}
	}
	for _, l := range leavesOf(nil, 0, 0, r.result.to) {
		x, y := was.made[l.at:l.at+l.size], is.made[l.at:l.at+l.size]
		if !knownIn(was, is, l) || concrete.IsAddress(wordOf(x)) || concrete.IsAddress(wordOf(y)) {
			continue
		}
		if a, b := s.scalar(l.is, x), s.scalar(l.is, y); a != b {
			return difference{kind: making, at: l, text: fmt.Sprintf("returns an object with %s = %s, the mutant %s", within(r.result.to, l.at), a, b)}
		}
	}
	return difference{}
}

// tellsIn says that two outcomes leave a leaf different, and that both are what every run leaves.
func tellsIn(was, is *outcome, l leaf) bool {
	if l.object == 0 || was.end != returns || was.left[l.object] == nil || is.left[l.object] == nil {
		return false
	}
	x, y := was.left[l.object][l.at:l.at+l.size], is.left[l.object][l.at:l.at+l.size]
	return !bytes.Equal(x, y) && (l.is.class == address || !concrete.IsAddress(wordOf(x)) && !concrete.IsAddress(wordOf(y)))
}

// knownIn says that a leaf of what two calls made is known in both.
func knownIn(was, is *outcome, l leaf) bool {
	return !slices.Contains(was.known[l.at:l.at+l.size], false) && !slices.Contains(is.known[l.at:l.at+l.size], false)
}

// wordOf is what eight bytes would be as a number; 0 of others.
func wordOf(b []byte) int64 {
	if len(b) != 8 {
		return 0
	}
	return numberOf(b, true)
}

func printed(text string) string {
	if text == "" {
		return "nothing"
	}
	return cText([]byte(text))
}

// ends says how a call ends.
func (r *ObjectCalls) ends(s *situation, o *outcome) string {
	switch o.end {
	case exits:
		return "ends the program"
	case crashes:
		return "crashes"
	case endlessly:
		return "does not end"
	}
	if r.result.class == nothing {
		return "returns"
	}
	if o.isText && s.pointer(o.value) == someAddress {
		return "returns " + cText([]byte(o.text))
	}
	b := make([]byte, 8)
	if r.result.class == realNumber {
		putReal(b, math.Float64frombits(uint64(o.value)))
		return "returns " + s.scalar(&ctype{class: realNumber, size: 8}, b)
	}
	putNumber(b, o.value)
	return "returns " + s.scalar(r.result, b[:r.result.size])
}

// arguments are those of the call, as C has them.
func (s *situation) arguments() string {
	var out []string
	frame := &s.objects[0]
	for _, m := range frame.of.members {
		text := s.value(0, m.at, m.is)
		if m.name != "" {
			text = m.name + " = " + text
		}
		out = append(out, text)
	}
	return strings.Join(out, ", ")
}

// value is what an object has at a place.
func (s *situation) value(object, at int, t *ctype) string {
	o := &s.objects[object]
	switch t.class {
	case address:
		to, leads := o.links[at]
		if !leads {
			return "NULL"
		}
		return s.target(to, t)
	case structure:
		return s.record(object, at, t)
	case array:
		if t.to.class == character {
			return s.scalar(t.to, o.bytes[at:at+t.size])
		}
		return s.elements(object, at, t.to, t.count)
	}
	b := o.bytes[at : at+t.size]
	if x := numberOf(b, true); t.class == number && !t.signed && x < 0 && x >= -mostBelow { // as C programmers write it
		return strconv.FormatInt(x, 10)
	}
	return s.scalar(t, b)
}

// mostBelow is how far below 0 a number without sign is written as what it is made of.
const mostBelow = 16

// target is what an address leads to.
func (s *situation) target(object int, by *ctype) string {
	if object == concrete.Stdout {
		return "stdout"
	}
	o := &s.objects[object]
	switch {
	case o.of.class == code:
		return "some function"
	case o.of.class == structure:
		return "&" + s.record(object, 0, o.of)
	case o.of.class != character:
		return s.elements(object, 0, o.of, o.count)
	case !by.constant && len(bytes.Trim(o.bytes, "\x00")) == 0:
		return fmt.Sprintf("char[%d]", len(o.bytes))
	}
	return cText(bytes.TrimRight(o.bytes, "\x00"))
}

func (s *situation) record(object, at int, t *ctype) string {
	return s.initializer(object, at, t, s.value)
}

// initializer is that of a structure, with the members that are not 0.
func (s *situation) initializer(object, at int, t *ctype, value func(object, at int, t *ctype) string) string {
	out := s.initialized(object, at, t, value)
	if len(out) == 0 {
		return "{0}"
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func (s *situation) initialized(object, at int, t *ctype, value func(object, at int, t *ctype) string) (out []string) {
	for _, m := range t.members {
		switch {
		case s.isZero(object, at+m.at, m.is):
		case m.name == "": // its members are named as if they were the structure's own
			out = append(out, s.initialized(object, at+m.at, m.is, value)...)
		default:
			out = append(out, "."+m.name+" = "+value(object, at+m.at, m.is))
		}
	}
	return out
}

func (s *situation) elements(object, at int, of *ctype, count int) string {
	return s.list(object, at, of, count, s.value)
}

// list is the initializer of some elements, up to the last that is not 0.
func (s *situation) list(object, at int, of *ctype, count int, value func(object, at int, t *ctype) string) string {
	var out []string
	for k := range count {
		if !s.isZero(object, at+k*of.size, of) {
			for n := len(out); n <= k; n++ {
				out = append(out, value(object, at+n*of.size, of))
			}
		}
	}
	if len(out) == 0 {
		return "{0}"
	}
	return "{" + strings.Join(out, ", ") + "}"
}

func (s *situation) isZero(object, at int, t *ctype) bool {
	o := &s.objects[object]
	for off := range t.size {
		if _, leads := o.links[at+off]; leads || o.bytes[at+off] != 0 {
			return false
		}
	}
	return true
}

// scalar is a number, a text, or an address by what it leads to, where that was known before.
func (s *situation) scalar(t *ctype, b []byte) string {
	switch t.class {
	case character:
		if len(b) > 1 {
			return cText(bytes.TrimRight(b, "\x00"))
		}
		if b[0] >= ' ' && b[0] <= '~' {
			return strconv.QuoteRune(rune(b[0]))
		}
		return strconv.FormatInt(numberOf(b, t.signed), 10)
	case realNumber:
		return strconv.FormatFloat(realOf(b)+0, 'g', -1, 64) // -0 is 0, as == has it
	case address:
		return s.pointer(numberOf(b, true))
	}
	if x := numberOf(b, t.signed); t.signed || x >= 0 {
		return strconv.FormatInt(x, 10)
	}
	return strconv.FormatUint(uint64(numberOf(b, false)), 10)
}

// someAddress is one of which no more can be said.
const someAddress = "an address"

// pointer names an address: null, a place in what the call was given, or another.
func (s *situation) pointer(at int64) string {
	if at == 0 {
		return "NULL"
	}
	object, off, ok := concrete.ObjectAt(at)
	if !ok || object >= len(s.objects) || object == 0 {
		return someAddress
	}
	name, o := s.path(object), &s.objects[object]
	switch size := int64(o.of.size); {
	case off == 0 || size == 0:
		return name
	case off%size == 0:
		return fmt.Sprintf("%s %s", name, plus(off/size))
	default:
		return fmt.Sprintf("%s %s bytes", name, plus(off))
	}
}

// plus is what is added, as C has it.
func plus(n int64) string {
	if n < 0 {
		return fmt.Sprintf("- %d", -n)
	}
	return fmt.Sprintf("+ %d", n)
}

// name is a leaf as C has it.
func (s *situation) name(l leaf) string {
	o, base := &s.objects[l.object], s.path(l.object)
	switch o.of.class {
	case structure:
		return base + "->" + within(o.of, l.at)
	case character:
		return base
	}
	return fmt.Sprintf("%s[%d]%s", base, l.at/o.of.size, within(o.of, l.at%o.of.size))
}

// within is the place in a type at which something lies.
func within(t *ctype, at int) string {
	switch t.class {
	case structure:
		for _, m := range t.members {
			if at >= m.at && at < m.at+max(1, m.is.size) {
				rest := within(m.is, at-m.at)
				if m.is.class == structure && m.name != "" {
					rest = "." + rest
				}
				return m.name + rest
			}
		}
	case array:
		if t.to.class == character || t.to.size == 0 {
			return ""
		}
		rest := within(t.to, at%t.to.size)
		if t.to.class == structure {
			rest = "." + rest
		}
		return fmt.Sprintf("[%d]%s", at/t.to.size, rest)
	}
	return ""
}

// path is an expression for the address of an object. What leads to it comes before it.
func (s *situation) path(object int) string {
	for k := range object {
		o := &s.objects[k]
		for at, to := range o.links {
			switch {
			case to != object:
			case k == 0:
				return within(o.of, at)
			default:
				return s.name(leaf{object: k, at: at})
			}
		}
	}
	return someAddress
}

// cText is a text as C has it.
func cText(b []byte) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, c := range b {
		switch {
		case c == '"' || c == '\\':
			out.WriteByte('\\')
			out.WriteByte(c)
		case c == '\n':
			out.WriteString(`\n`)
		case c == '\t':
			out.WriteString(`\t`)
		case c >= ' ' && c <= '~':
			out.WriteByte(c)
		default:
			fmt.Fprintf(&out, `\%03o`, c)
		}
	}
	out.WriteByte('"')
	return out.String()
}
