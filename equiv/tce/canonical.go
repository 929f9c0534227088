package tce

import (
	"bytes"
	"crypto/sha256"
	"strconv"
	"strings"
)

// digest identifies a function's canonical text. Texts are compared by it: two
// different ones with one SHA-256 are not to be expected.
type digest [sha256.Size]byte

// output is the text of an optimised module, taken apart.
type output struct {
	// types are the named types, which are written as locals are.
	types map[string]bool
	// made are the globals that passes added, by name: their definitions.
	made map[string]string
	// attributes are the attribute groups: "#3" to what it holds.
	attributes map[string]string
	// functions are the definitions, by name.
	functions map[string]string
	// blindPhis is that of PassList.
	blindPhis bool
}

// takeApart reads what opt printed. Known reports the globals of the input.
func takeApart(text string, typeNames map[string]bool, known func(name string) bool) *output {
	o := &output{types: typeNames, made: map[string]string{}, attributes: map[string]string{}, functions: map[string]string{}}
	for len(text) > 0 {
		end := strings.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		switch {
		case strings.HasPrefix(text, "define "):
			if k := strings.Index(text, "\n}\n"); k >= 0 {
				end = k + len("\n}\n")
			}
			if at := strings.IndexByte(text[:end], '@'); at >= 0 {
				o.functions[text[at:at+1+identifier(text[at+1:])]] = text[:end]
			}
		case text[0] == '@':
			name, definition, ok := strings.Cut(strings.TrimSuffix(text[:end], "\n"), " = ")
			if ok && !known(name) {
				o.made[name] = definition
			}
		case strings.HasPrefix(text, "attributes #"):
			name, group, ok := strings.Cut(strings.TrimSuffix(text[len("attributes "):end], "\n"), " = ")
			if ok {
				o.attributes[name] = group
			}
		}
		text = text[end:]
	}
	return o
}

// canonical is the text of a function's body with everything that does not
// change what it computes taken out: names of locals (numbered as they occur,
// parameters first), comments, metadata, the numbers of attribute groups and
// of globals that passes made (each is replaced by what it stands for).
func (o *output) canonical(function string) []byte {
	c := &canonicaliser{output: o, numbers: map[string]int{}}
	signature, body, _ := strings.Cut(function, "\n")
	for i := 0; i < len(signature); {
		n := 1
		switch signature[i] {
		case '"':
			n = quoted(signature[i:])
		case '%':
			n = 1 + identifier(signature[i+1:])
			c.local(signature[i : i+n])
		}
		i += n
	}
	c.out.Reset()
	c.out.Grow(len(body))
	for l := range strings.Lines(body) {
		c.line(l)
	}
	return c.out.Bytes()
}

func (o *output) digest(function string) digest { return sha256.Sum256(o.canonical(function)) }

type canonicaliser struct {
	*output
	numbers map[string]int
	out     bytes.Buffer
}

func (c *canonicaliser) line(l string) {
	l = strings.TrimSuffix(l, "\n")
	if l == "" || l[0] == ';' {
		return
	}
	if l[0] != ' ' && l[0] != '}' { // a label
		n := identifier(l)
		c.local("%" + l[:n])
		c.out.WriteString(":\n")
		return
	}
	if c.blindPhis {
		l = withoutIncoming(l)
	}
	for i := 0; i < len(l); {
		n := 1
		switch l[i] {
		case '"':
			n = quoted(l[i:])
			c.out.WriteString(l[i : i+n])
		case '%':
			n = 1 + identifier(l[i+1:])
			c.local(l[i : i+n])
		case '@':
			n = 1 + identifier(l[i+1:])
			c.global(l[i : i+n])
		case '#':
			n = 1 + identifier(l[i+1:])
			c.out.WriteString(c.attributes[l[i:i+n]])
		case ';':
			n = len(l) - i
		case ',':
			if strings.HasPrefix(l[i:], ", !") { // attachments come last
				n = len(l) - i
			} else {
				c.out.WriteByte(',')
			}
		default:
			c.out.WriteByte(l[i])
		}
		i += n
	}
	c.out.WriteByte('\n')
}

// withoutIncoming leaves out the values of a phi and where they come from.
func withoutIncoming(l string) string {
	before, after, ok := strings.Cut(l, " = phi ")
	if !ok || strings.ContainsAny(strings.TrimLeft(before, " "), ` "`) {
		return l
	}
	kind, _, _ := strings.Cut(after, " [ ")
	return before + " = phi " + kind
}

func (c *canonicaliser) local(name string) {
	if c.types[name] {
		c.out.WriteString(name)
		return
	}
	k, ok := c.numbers[name]
	if !ok {
		k = len(c.numbers)
		c.numbers[name] = k
	}
	c.out.WriteByte('%')
	c.out.Write(strconv.AppendInt(c.out.AvailableBuffer(), int64(k), 10))
}

func (c *canonicaliser) global(name string) {
	if definition, ok := c.made[name]; ok {
		c.out.WriteByte('{')
		c.out.WriteString(definition)
		c.out.WriteByte('}')
		return
	}
	c.out.WriteString(name)
}

// identifier is the length of the name at the start of a text, without its
// sigil: bare or quoted.
func identifier(s string) int {
	if s != "" && s[0] == '"' {
		return quoted(s)
	}
	n := 0
	for n < len(s) && nameByte[s[n]] {
		n++
	}
	return n
}

// quoted is the length of the quoted text that s starts with. LLVM writes a
// quote inside as \22.
func quoted(s string) int {
	if end := strings.IndexByte(s[1:], '"'); end >= 0 {
		return end + 2
	}
	return len(s)
}

var nameByte = func() (is [256]bool) {
	for c := range is {
		is[c] = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-$._", rune(c))
	}
	return is
}()
