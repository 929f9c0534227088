package execute

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/winnow-mutants/winnow/symbolic/term"
)

// reading is a call that reads the standard input: the trace with it as the last event, and what it
// gives. Of scanf, count is how many conversions it made, and values are what they gave; count is
// the character of getchar, which has no values.
type reading struct {
	trace, count *term.Term
	values       []converted
}

// converted is what one conversion gave: a number, or the first byte of a text.
type converted struct {
	conversion
	value *term.Term
}

// reads notes calls of the library that read the standard input a character or a line at a time.
func (r *run) reads(name string, trace *term.Term, args []*term.Term, result *term.Term) {
	stream := args[len(args)-1]
	isInput := isStandardInput(stream)
	switch {
	case name == "getchar", (name == "getc" || name == "fgetc") && isInput:
		r.f.readings[trace] = &reading{trace: trace, count: result}
	case name == "gets", name == "fgets" && isInput:
		to, err := r.targetOf(args[1])
		if err != nil {
			return
		}
		held, at := r.state.Memory, to.at
		if to.local >= 0 {
			held, at = r.state.Locals[to.local], to.offset
		}
		ended, one := r.p.Number(math.MaxUint32, 32), r.p.Number(1, 32)
		r.f.readings[trace] = &reading{trace: trace, count: r.p.Ite(r.p.Eq(result, r.p.Number(0, result.Width)), ended, one),
			values: []converted{{conversion{text: true, letter: '\n'}, r.p.Load(held, at, 1)}}}
	}
}

// isStandardInput reports what was read of the variable stdin, byte by byte.
func isStandardInput(stream *term.Term) (is bool) {
	term.Each(func(t *term.Term) { is = is || t.Op == term.Var && t.Name == "@stdin" }, stream)
	return is
}

// Seen are the ends of a version without what it reads, which nobody sees: Differ of two of them is
// that they differ in what they print, and how they end.
func (f *Function) Seen(ends []Outcome) []Outcome {
	p := f.Pool
	known := map[*term.Term]*term.Term{}
	out := slices.Clone(ends)
	for k := range out {
		term.Each(func(t *term.Term) {
			switch {
			case t.Width != term.Trace:
			case t.Op == term.Ite:
				known[t] = p.Ite(t.Args[0], known[t.Args[1]], known[t.Args[2]])
			case t.Op == term.Event && f.readings[t] != nil:
				known[t] = known[t.Args[0]]
			case t.Op == term.Event:
				known[t] = p.Event(t.Name, known[t.Args[0]], t.Args[1:]...)
			default:
				known[t] = t
			}
		}, out[k].State.Trace)
		out[k].State.Trace = known[out[k].State.Trace]
	}
	return out
}

// InputEnds is that what a program reads goes on as inputs do: nothing is read any more where a
// call did not find all that it wanted, and that all numbers are small, as people choose them. It is
// for those who look for an input; that there are others, in which reading goes on behind what was
// not a number, makes neither a fact.
func (f *Function) InputEnds(ends ...[]Outcome) (ending, small *term.Term) {
	p := f.Pool
	out := p.Truth(true)
	small = out
	short := map[*term.Term]*term.Term{} // by trace: not all was found
	var traces []*term.Term
	for _, some := range ends {
		for k := range some {
			traces = append(traces, some[k].State.Trace)
		}
	}
	term.Each(func(t *term.Term) {
		switch {
		case t.Width != term.Trace:
			return
		case t.Op == term.Ite:
			short[t] = p.Ite(t.Args[0], short[t.Args[1]], short[t.Args[2]])
		case t.Op == term.Event:
			short[t] = short[t.Args[0]]
			if r := f.readings[t]; r != nil {
				all := p.Number(uint64(len(r.values)), r.count.Width)
				none := p.Slt(r.count, p.Number(min(uint64(len(r.values)), 1), r.count.Width))
				out = p.And(out, p.Or(p.Not(short[t]), none))
				short[t] = p.Or(short[t], p.Slt(r.count, all))
				for _, v := range r.values {
					if w := v.value.Width; !v.text && w > 8 {
						most := p.Number(mostSmall, w)
						small = p.And(small, p.And(p.Sle(v.value, most), p.Sle(p.Neg(most), v.value)))
					}
				}
			}
		default:
			short[t] = p.Truth(false)
		}
	}, traces...)
	return out, small
}

// mostSmall is the largest of the numbers that people choose.
const mostSmall = 1_000

// Input is a text that a program finds on its standard input where it shows a trace in a state. It
// ends where the state says that the input ends. Whether the program does on it what the state
// says is for a run to tell: how the input goes on, and what lies in functions that are not
// known, a state may make up.
func (f *Function) Input(e *term.Evaluation, trace *term.Term) []byte {
	var calls []*reading // the last first
	for done := false; !done; {
		switch trace.Op {
		case term.Ite:
			branch := 2
			if e.Of(trace.Args[0]) == 1 {
				branch = 1
			}
			trace = trace.Args[branch]
		case term.Event:
			if r := f.readings[trace]; r != nil {
				calls = append(calls, r)
			}
			trace = trace.Args[0]
		default:
			done = true
		}
	}
	in := &input{f: f, e: e}
	for k := len(calls) - 1; k >= 0 && in.add(calls[k]); k-- {
	}
	if len(in.text) > 0 && in.text[len(in.text)-1] != '\n' {
		in.text = append(in.text, '\n')
	}
	return in.text
}

// input is a text that is written as a program reads it.
type input struct {
	f    *Function
	e    *term.Evaluation
	text []byte
}

// add writes what a call reads; false where the input ends there.
func (in *input) add(r *reading) bool {
	count := term.Signed(in.e.Of(r.count), r.count.Width)
	if r.values == nil {
		if count >= 0 {
			in.text = append(in.text, byte(count))
		}
		return count >= 0
	}
	for k := range min(count, int64(len(r.values))) {
		v := &r.values[k]
		for _, c := range v.behind {
			if c == ' ' || c == '\n' || c == '\t' {
				in.apart()
				continue
			}
			in.text = append(in.text, string(c)...)
		}
		if v.letter != 'c' && v.letter != '[' && v.letter != '\n' {
			in.apart()
		}
		in.text = append(in.text, in.written(v)...)
	}
	if count >= 0 && count < int64(len(r.values)) && !r.values[count].text { // no number
		in.apart()
		in.text = append(in.text, 'x')
	}
	return count == int64(len(r.values))
}

// apart puts a space behind what is not to run together with what comes.
func (in *input) apart() {
	if n := len(in.text); n > 0 && in.text[n-1] != ' ' && in.text[n-1] != '\n' && strings.IndexByte(",:;/-+*()", in.text[n-1]) < 0 {
		in.text = append(in.text, ' ')
	}
}

// mostOfText is how long a text is that is read as a word or a line.
const mostOfText = 64

// written is what stands in the input for what a conversion gave.
func (in *input) written(v *converted) string {
	if v.text {
		return in.word(v)
	}
	x := in.e.Of(v.value)
	switch {
	case v.letter == 'c':
		return string([]byte{byte(x)})
	case strings.IndexByte("xXp", v.letter) >= 0:
		return strconv.FormatUint(x, 16)
	case v.letter == 'o':
		return strconv.FormatUint(x, 8)
	case v.letter == 'u':
		return strconv.FormatUint(x, 10)
	case v.letter == 'd' || v.letter == 'i':
		return strconv.FormatInt(term.Signed(x, v.value.Width), 10)
	}
	number := math.Float64frombits(x)
	if v.value.Width == 32 {
		number = float64(math.Float32frombits(uint32(x)))
	}
	if math.IsNaN(number) || math.IsInf(number, 0) || math.Abs(number) > 1e15 || number != 0 && math.Abs(number) < 1e-6 {
		number = float64(x % 100) // nothing is known of numbers with a fraction but their names
	}
	return strconv.FormatFloat(number, 'f', -1, 64)
}

// word is a text, of letters that its conversion takes, of at least one.
func (in *input) word(v *converted) string {
	if v.value.Op != term.App || len(v.value.Args) != 2 {
		return "a"
	}
	memory, at := v.value.Args[0], v.value.Args[1]
	line := v.letter == '\n'
	var out []byte
	for k := range uint64(mostOfText) {
		p := in.f.Pool
		c := byte(in.e.Of(p.Load(memory, p.Add(at, p.Number(k, at.Width)), 1)))
		if c == 0 && (k > 0 || line) || c == '\n' && line {
			break
		}
		if c < ' ' || c == ' ' && !line || c > '~' {
			c = 'a' + c%26
		}
		out = append(out, c)
	}
	if line {
		out = append(out, '\n')
	}
	return string(out)
}
