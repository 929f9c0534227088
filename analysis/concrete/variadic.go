package concrete

import "github.com/winnow-mutants/winnow/analysis/op"

// variadicFunctions walk lists of arguments, as the ABI of x86-64 has them (System V ABI, 3.5.7): a list
// says how much of the registers was read, where the other arguments are, and where the registers are
// kept. Here all are where the others are, and no register is left, which the code of va_arg finds.
var variadicFunctions = map[string]library{
	"va_start": startsList,
	"va_copy":  func(p *Path, o *operation) bool { p.copyMemory(p.arg(o, 0), p.arg(o, 1), listSize); return true },
	"va_end":   func(*Path, *operation) bool { return true },
	"vprintf": func(p *Path, o *operation) bool {
		return p.printsList(o, 0, func() { p.transcribe(o, -1, p.printed...) })
	},
	"vfprintf": func(p *Path, o *operation) bool {
		return p.printsList(o, 1, func() { p.transcribe(o, 0, p.printed...) })
	},
	"vsprintf": func(p *Path, o *operation) bool {
		return p.printsList(o, 1, func() { p.putText(p.arg(o, 0), p.printed) })
	},
	"vsnprintf": func(p *Path, o *operation) bool { return p.printsList(o, 2, func() { p.putBounded(o) }) },
}

// The offsets of a list when all registers were read, those of integers and of floating-point numbers,
// and its size.
const allIntegers, allFloats, listSize = 48, 176, 24

// spill puts the arguments of a call behind the n-th where a list of them begins.
func (p *Path) spill(o *operation, n int) int64 {
	at := p.allocate(anySize)
	for k, a := range o.args[1+n:] {
		switch t := o.Args[1+n+k].Type; {
		case n+k < len(o.ByValue) && o.ByValue[n+k] > 0, t.Class == op.Float && t.Bits != 64, a.as == opaqueKind, a.as >= kindBytes:
			p.guess() // a structure, or a long double, which is in two places
		}
		p.store(at+8*int64(k), p.get(a), a.as, 8)
	}
	return at
}

func startsList(p *Path, o *operation) bool {
	at, list := p.frame.varargs, p.arg(o, 0)
	if at == 0 || nearNull(list) {
		return false
	}
	p.store(list, allIntegers, 32, 4)
	p.store(list+4, allFloats, 32, 4)
	p.store(list+8, at, pointer, 8)
	p.store(list+16, at, pointer, 8)
	return true
}

// printsList makes the text of a format, which comes after so many arguments, and of the list behind it,
// and does something with it.
func (p *Path) printsList(o *operation, skip int, with func()) bool {
	f, ok := p.formatAt(p.arg(o, skip))
	if !ok {
		return p.Trapped
	}
	list := p.arg(o, skip+1)
	if p.Trapped = nearNull(list); p.Trapped {
		return true
	}
	args, ok := p.listed(f, list)
	if !ok || !p.print(f, args) {
		return p.Trapped
	}
	p.show(hashOf(p.printed))
	with()
	return p.gives(o, int64(len(p.printed)))
}

// listed are the arguments of a list that a format asks for.
func (p *Path) listed(f format, list int64) (out []ref, ok bool) {
	if p.read(list, 32, 4) < allIntegers || p.read(list+4, 32, 4) < allFloats {
		return nil, false
	}
	at := p.read(list+8, pointer, 8)
	add := func(as kind) {
		out = append(out, ref{kind: word, as: as, x: p.read(at, as, 8)})
		at += 8
	}
	for i := range f {
		q := &f[i]
		for range int(boolWord(q.star) + boolWord(q.precision)) {
			add(64)
		}
		switch q.verb {
		case 0:
		case 'f', 'F', 'e', 'E', 'g', 'G', 'a':
			if q.long {
				return nil, false
			}
			add(kindFloat)
		default:
			add(64)
		}
	}
	return out, true
}
