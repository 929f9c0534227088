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

// unitTest is a call as statements of C, for the body of a function: the objects, the call, and what the
// original does that the mutant does not, as an assertion. It asks for assert.h, stdlib.h and string.h, and for the
// declarations of the types. It is "" where a type has no name, or what differs cannot be asserted: what is
// printed, and that the program ends.
func (r *ObjectCalls) unitTest(s *situation, was, is *outcome, by difference) string {
	if by.kind == printing || by.kind == exiting || was.end == exits {
		return ""
	}
	t := testWriter{s: s, names: namesOf(s, r.name, madeName), blocks: map[int]bool{}}
	for _, o := range []*outcome{was, is} {
		for k := range o.left {
			t.blocks[k] = t.blocks[k] || o.left[k] == nil
		}
	}
	for k := len(s.objects) - 1; k > 0; k-- { // what an object leads to comes before it
		t.declare(k)
	}
	var args []string
	for _, m := range s.objects[0].of.members {
		args = append(args, t.initial(0, m.at, m.is))
	}
	call := r.name + "(" + strings.Join(args, ", ") + ")"
	switch by.kind {
	case returning:
		t.returned(r.result, was, is, call)
	case making:
		t.made(r.result.to, was, is, by.at, call)
	case leaving:
		t.line("%s;", call)
		t.left(was, is, by.at)
	default:
		t.line("%s;", call)
	}
	if t.failed {
		return ""
	}
	return strings.Join(t.lines, "\n")
}

// testWriter writes the statements of a unit test.
type testWriter struct {
	s      *situation
	names  []string     // of the objects' variables
	blocks map[int]bool // objects that a call gives back, or moves
	lines  []string
	failed bool
}

func (t *testWriter) line(format string, args ...any) {
	t.lines = append(t.lines, fmt.Sprintf(format, args...))
}

// madeName is that of the variable for what a call makes.
const madeName = "made"

// namesOf are names for the variables of objects, unlike those that are taken: those of the parameters and
// members that lead to them.
func namesOf(s *situation, taken ...string) []string {
	out := make([]string, len(s.objects))
	for k := 1; k < len(s.objects); k++ {
		name := strings.Map(func(c rune) rune {
			if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
				return c
			}
			return '_'
		}, strings.ReplaceAll(strings.TrimSuffix(s.path(k), "]"), "->", "_"))
		for name == "" || slices.Contains(out, name) || slices.Contains(taken, name) {
			name += "_"
		}
		out[k] = name
	}
	return out
}

// declare declares the variable of an object.
func (t *testWriter) declare(k int) {
	o := &t.s.objects[k]
	name := o.of.cName()
	if o.of.class == code {
		return
	}
	if name == "" {
		t.failed = true
		return
	}
	size, of, initial := "", name, ""
	switch o.of.class {
	case structure:
		initial = t.record(k, 0, o.of)
	case character:
		size, initial = fmt.Sprintf("[%d]", len(o.bytes)), textOf(o.bytes)
	default:
		size, initial = fmt.Sprintf("[%d]", o.count), t.elements(k, 0, o.of, o.count)
	}
	if !t.blocks[k] {
		t.line("%s%s%s = %s;", spaced(name), t.names[k], size, initial)
		return
	}
	of += size
	if strings.HasPrefix(initial, `"`) {
		initial = "{" + initial + "}"
	}
	address := ""
	if size == "" {
		address = "&"
	}
	t.line("%s*%s = memcpy(malloc(sizeof(%s)), %s(%s)%s, sizeof(%s));", spaced(name), t.names[k], of, address, of, initial, of)
}

// spaced is a type's name in front of that of a variable.
func spaced(name string) string {
	if strings.HasSuffix(name, "*") {
		return name
	}
	return name + " "
}

// textOf is the initial value of an array of characters.
func textOf(b []byte) string {
	if b = bytes.TrimRight(b, "\x00"); len(b) == 0 {
		return "{0}"
	}
	return cText(b)
}

// initial is what a variable, a member or an argument begins with.
func (t *testWriter) initial(object, at int, of *ctype) string {
	o := &t.s.objects[object]
	switch of.class {
	case address:
		to, leads := o.links[at]
		if !leads {
			return "NULL"
		}
		return t.addressOf(to)
	case structure:
		return t.record(object, at, of)
	case array:
		if of.to.class == character {
			return textOf(o.bytes[at : at+of.size])
		}
		return t.elements(object, at, of.to, of.count)
	}
	return t.literal(of, o.bytes[at:at+of.size])
}

func (t *testWriter) addressOf(to int) string {
	switch {
	case to == concrete.Stdout:
		return "stdout"
	case t.s.objects[to].of.class == code:
		return "(void *)abort"
	case t.s.objects[to].of.class == structure && !t.blocks[to]:
		return "&" + t.names[to]
	}
	return t.names[to]
}

func (t *testWriter) record(object, at int, of *ctype) string {
	return t.s.initializer(object, at, of, t.initial)
}

func (t *testWriter) elements(object, at int, of *ctype, count int) string {
	return t.s.list(object, at, of, count, t.initial)
}

// literal is a scalar as C has it.
func (t *testWriter) literal(of *ctype, b []byte) string {
	switch of.class {
	case realNumber:
		x := realOf(b)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.failed = true
		}
		text := strconv.FormatFloat(x, 'g', -1, 64)
		if !strings.ContainsAny(text, ".e") {
			text += ".0"
		}
		return text
	case character:
		if b[0] >= ' ' && b[0] <= '~' {
			return strconv.QuoteRune(rune(b[0]))
		}
	}
	x := numberOf(b, of.signed)
	switch {
	case of.signed && len(b) == 8 && x == math.MinInt64:
		return "(-9223372036854775807 - 1)"
	case of.signed && len(b) == 4 && x == math.MinInt32:
		return "(-2147483647 - 1)"
	case of.signed || x >= 0 && x <= math.MaxInt32:
		return strconv.FormatInt(x, 10)
	}
	return strconv.FormatUint(uint64(x), 10) + "u"
}

// pointer is an address that a call gives or leaves, as it is compared with; false where nothing can be
// said of it but that it is not null.
func (t *testWriter) pointer(at int64) (string, bool) {
	if at == 0 {
		return "NULL", true
	}
	object, off, ok := concrete.ObjectAt(at)
	if !ok || object <= 0 || object >= len(t.s.objects) {
		return "", false
	}
	o := &t.s.objects[object]
	switch size := int64(o.of.size); {
	case off == 0:
		return t.addressOf(object), true
	case size == 0 || off%size != 0:
		return "", false
	default:
		return fmt.Sprintf("%s %s", t.addressOf(object), plus(off/size)), true
	}
}

// asserts asserts that an expression is what the bytes x are, or, where x is an address of which no more is
// known, not what y are, the mutant's.
func (t *testWriter) asserts(expression string, of *ctype, x, y []byte) {
	if of.class != address {
		t.line("assert(%s == %s);", expression, t.literal(of, x))
		return
	}
	if text, ok := t.pointer(numberOf(x, true)); ok {
		t.line("assert(%s == %s);", expression, text)
	} else if text, ok := t.pointer(numberOf(y, true)); ok {
		t.line("assert(%s != %s);", expression, text)
	} else {
		t.failed = true
	}
}

func (t *testWriter) returned(of *ctype, was, is *outcome, call string) {
	x, y := make([]byte, 8), make([]byte, 8)
	switch {
	case was.isText && t.s.pointer(was.value) == someAddress:
		t.line("assert(strcmp(%s, %s) == 0);", call, cText([]byte(was.text)))
	case of.class == realNumber:
		putReal(x, math.Float64frombits(uint64(was.value)))
		t.asserts(call, &ctype{class: realNumber, size: 8}, x, nil)
	default:
		putNumber(x, was.value)
		putNumber(y, is.value)
		t.asserts(call, of, x[:of.size], y[:of.size])
	}
}

// made asserts what differs in a structure that the call gives.
func (t *testWriter) made(of *ctype, was, is *outcome, l leaf, call string) {
	if of.cName() == "" {
		t.failed = true
		return
	}
	t.line("%s *%s = %s;", of.cName(), madeName, call)
	t.value(madeName+"->"+within(of, l.at), l, was.made[l.at:l.at+l.size], is.made[l.at:l.at+l.size])
}

// left asserts what differs in the objects.
func (t *testWriter) left(was, is *outcome, l leaf) {
	o, name := &t.s.objects[l.object], t.names[l.object]
	switch {
	case o.of.class == structure:
		name += "." + within(o.of, l.at)
	case o.of.class != character:
		name += fmt.Sprintf("[%d]%s", l.at/o.of.size, within(o.of, l.at%o.of.size))
	}
	t.value(name, l, was.left[l.object][l.at:l.at+l.size], is.left[l.object][l.at:l.at+l.size])
}

// value asserts that a variable is what the original leaves, up to the last byte that differs in a text.
func (t *testWriter) value(name string, l leaf, x, y []byte) {
	if l.is.class != character || l.size == 1 {
		t.asserts(name, l.is, x, y)
		return
	}
	n := len(x)
	for x[n-1] == y[n-1] {
		n--
	}
	t.line("assert(memcmp(%s, %s, %d) == 0);", name, cText(x[:n]), n)
}
