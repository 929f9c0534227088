package replay

import (
	"fmt"
	"math"
	"strings"

	"github.com/winnow-mutants/winnow/analysis/concrete"
	"github.com/winnow-mutants/winnow/symbolic/execute"
)

// Called is a call that tells a mutant, as a C program that makes it, and what that should print of the
// original and of the mutant; "crashes" where it does.
type Called struct {
	Sentence, Test, Program, Original, Mutant string
}

// Called is Tell, for those who hold it to what functions do that are compiled.
func (r *ObjectCalls) Called(c *execute.Change) (out Called, ok bool) {
	s, change, by := r.tell(c)
	if s == nil {
		return out, false
	}
	was, _ := r.run(s, nil, callSteps)
	is, _ := r.run(s, change, endlessCall)
	gone := map[int]bool{}
	for _, o := range []outcome{was, is} {
		for k := range o.left {
			gone[k] = gone[k] || o.left[k] == nil
		}
	}
	return Called{r.sentence(s, by), r.unitTest(s, &was, &is, by), r.program(s, gone), r.shown(s, &was, gone), r.shown(s, &is, gone)}, true
}

func (t *ctype) plainName() string {
	switch t.class {
	case nothing:
		return "void"
	case truth:
		return "_Bool"
	case realNumber:
		return map[int]string{4: "float", 8: "double"}[t.size]
	case address:
		return "void *"
	}
	sign := "u"
	if t.signed {
		sign = ""
	}
	return fmt.Sprintf("%sint%d_t", sign, 8*t.size)
}

func (r *ObjectCalls) program(s *situation, gone map[int]bool) string {
	var out strings.Builder
	out.WriteString("#include <stdio.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n")
	var types, args []string
	for _, m := range r.params.members {
		types = append(types, m.is.plainName())
	}
	fmt.Fprintf(&out, "%s %s(%s);\n", r.result.plainName(), r.name, strings.Join(append(types, []string{"void"}[:1-min(1, len(types))]...), ", "))
	var known, inside []string
	for k := range s.objects {
		o := &s.objects[k]
		switch {
		case o.of.class == code:
			fmt.Fprintf(&out, "static void o%d(void) {}\n", k)
		default:
			fmt.Fprintf(&out, "static const unsigned char first%d[%d] = {", k, max(1, len(o.bytes)))
			for _, b := range o.bytes {
				fmt.Fprintf(&out, "%d,", b)
			}
			fmt.Fprintf(&out, "};\nstatic unsigned char *o%d;\n", k)
		}
		known = append(known, fmt.Sprintf("if (at == (unsigned char *)o%d) { printf(\"o%d\"); return; }", k, k))
		if o.of.class != code {
			inside = append(inside, fmt.Sprintf("if (at > o%d - 8 && at < o%d + %d) { printf(\"o%d%%+d\", (int)(at - o%d)); return; }", k, k, len(o.bytes)+8, k, k))
		}
	}
	fmt.Fprintf(&out, "static void winnow_place(void *p) { unsigned char *at = p; if (!at) { printf(\"0\"); return; }\n%s\nprintf(\"?\"); }\n", strings.Join(append(known, inside...), "\n"))
	out.WriteString("int main(void) {\n")
	for k := range s.objects {
		if o := &s.objects[k]; o.of.class != code { // a block of its own, which may be given back
			fmt.Fprintf(&out, "malloc(64); o%d = malloc(%d); memcpy(o%d, first%d, %d);\n", k, len(o.bytes), k, k, len(o.bytes))
		}
	}
	to := func(object int) string {
		if object == concrete.Stdout {
			return "(void *)stdout"
		}
		return fmt.Sprintf("(void *)o%d", object)
	}
	for k := range s.objects {
		for at, object := range s.objects[k].links {
			fmt.Fprintf(&out, "{ void *p = %s; memcpy(o%d + %d, &p, 8); }\n", to(object), k, at)
		}
	}
	for k, m := range r.params.members {
		fmt.Fprintf(&out, "%s a%d; memcpy(&a%d, o0 + %d, sizeof a%d);\n", m.is.plainName(), k, k, m.at, k)
		args = append(args, fmt.Sprintf("a%d", k))
	}
	call := r.name + "(" + strings.Join(args, ", ") + ")"
	end := `printf("\1");`
	switch r.result.class {
	case nothing:
		fmt.Fprintf(&out, "%s; %s", call, end)
	case address:
		fmt.Fprintf(&out, "void *r = %s; %s winnow_place(r);", call, end)
	case realNumber:
		fmt.Fprintf(&out, "double r = %s; %s printf(\"%%.17g\", r);", call, end)
	default:
		fmt.Fprintf(&out, "long long r = %s; %s printf(\"%%lld\", r);", call, end)
	}
	for _, l := range s.leaves() {
		if l.object == 0 || gone[l.object] {
			continue
		}
		if l.is.class == address {
			fmt.Fprintf(&out, "printf(\" \"); { void *p; memcpy(&p, o%d + %d, 8); winnow_place(p); }\n", l.object, l.at)
			continue
		}
		fmt.Fprintf(&out, "printf(\" \"); for (int k = 0; k < %d; k++) printf(\"%%02x\", o%d[%d + k]);\n", l.size, l.object, l.at)
	}
	out.WriteString("return 0; }\n")
	return out.String()
}

// shown is what the program should print.
func (r *ObjectCalls) shown(s *situation, o *outcome, gone map[int]bool) string {
	switch o.end {
	case crashes:
		return "crashes"
	case endlessly:
		return "does not end"
	case exits:
		return o.printed
	}
	var out strings.Builder
	out.WriteString(o.printed + "\x01")
	place := func(x int64) {
		object, off, ok := concrete.ObjectAt(x)
		switch {
		case x == 0:
			out.WriteString("0")
		case !ok || object >= len(s.objects) || off <= -8 || off >= int64(len(s.objects[object].bytes)+8):
			out.WriteString("?")
		case off == 0:
			fmt.Fprintf(&out, "o%d", object)
		default:
			fmt.Fprintf(&out, "o%d%+d", object, off)
		}
	}
	switch r.result.class {
	case nothing:
	case address:
		place(o.value)
	case realNumber:
		x := math.Float64frombits(uint64(o.value))
		switch {
		case math.IsNaN(x):
			out.WriteString("nan")
		case math.IsInf(x, 0):
			out.WriteString(strings.ToLower(strings.TrimPrefix(fmt.Sprint(x), "+")))
		default:
			fmt.Fprintf(&out, "%.17g", x)
		}
	case truth:
		fmt.Fprint(&out, o.value&1)
	default:
		b := make([]byte, 8)
		putNumber(b, o.value)
		fmt.Fprint(&out, numberOf(b[:r.result.size], r.result.signed))
	}
	for _, l := range s.leaves() {
		if l.object == 0 || gone[l.object] {
			continue
		}
		out.WriteString(" ")
		b := o.left[l.object][l.at : l.at+l.size]
		if l.is.class == address {
			place(numberOf(b, true))
		} else {
			fmt.Fprintf(&out, "%x", b)
		}
	}
	return out.String()
}
