package concrete

import (
	"math"
	"slices"

	"github.com/winnow-mutants/winnow/analysis/op"
)

// library is a function of the C library whose result follows from its arguments, from
// memory and from the input. Paths know some of them; to stretches of code, they are
// functions like any other. It is false for a call that it does not understand, which is
// then made up.
type library func(p *Path, o *operation) bool

// libraryFunctions are those that paths know, by their names in the table of libc.
var libraryFunctions = map[string]library{}

func init() {
	for _, table := range []map[string]library{inputFunctions, outputFunctions, textFunctions, memoryFunctions, numberFunctions} {
		for name, f := range table {
			libraryFunctions[name] = f
		}
	}
}

// number tells the operations of a code apart that are made up; what a call calls is
// among its operands.
func (o *operation) number() uint64 {
	switch o.Code {
	case op.Call:
		return 2 << 32
	case op.Phi:
		return 7 << 32
	}
	return 1 << 32
}

// arg is the k-th argument of a call; 0 where it has less.
func (p *Path) arg(o *operation, k int) int64 {
	if k+1 < len(o.args) {
		return p.get(o.args[k+1])
	}
	return 0
}

// gives sets a call's result.
func (p *Path) gives(o *operation, x int64) bool {
	p.set(o, o.as.wrap(x))
	return true
}

// numberFunctions compute.
var numberFunctions = map[string]library{
	"abs": absolute, "llvm.abs": absolute, "labs": absolute, "llabs": absolute,
	"fabs": ofFloat(math.Abs), "fabsf": ofFloat(math.Abs), "sqrt": ofFloat(math.Sqrt), "sqrtf": ofFloat(math.Sqrt),
	"floor": ofFloat(math.Floor), "ceil": ofFloat(math.Ceil), "trunc": ofFloat(math.Trunc), "round": ofFloat(math.Round), "rint": ofFloat(math.RoundToEven),
	"floorf": ofFloat(math.Floor), "ceilf": ofFloat(math.Ceil), "cbrt": ofFloat(math.Cbrt),
	"log": ofFloat(math.Log), "log2": ofFloat(math.Log2), "log10": ofFloat(math.Log10), "exp": ofFloat(math.Exp),
	"sin": ofFloat(math.Sin), "cos": ofFloat(math.Cos), "tan": ofFloat(math.Tan), "asin": ofFloat(math.Asin), "acos": ofFloat(math.Acos), "atan": ofFloat(math.Atan),
	"pow": ofFloats(math.Pow), "powf": ofFloats(math.Pow), "fmod": ofFloats(math.Mod), "fmax": ofFloats(math.Max), "fmin": ofFloats(math.Min),
	"atan2": ofFloats(math.Atan2), "hypot": ofFloats(math.Hypot),
	"exit": leaves, "_exit": leavesAtOnce, "abort": aborts, "__assert_fail": aborts, "llvm.trap": aborts,
}

func absolute(p *Path, o *operation) bool {
	x := p.arg(o, 0)
	return p.gives(o, max(x, -x))
}

func ofFloat(f func(float64) float64) library {
	return func(p *Path, o *operation) bool {
		if len(o.args) < 2 {
			return false
		}
		return p.gives(o, floatWord(o.as.round(f(p.float(o.args[1])))))
	}
}

func ofFloats(f func(x, y float64) float64) library {
	return func(p *Path, o *operation) bool {
		if len(o.args) < 3 {
			return false
		}
		return p.gives(o, floatWord(o.as.round(f(p.float(o.args[1]), p.float(o.args[2])))))
	}
}

func leaves(p *Path, o *operation) bool {
	p.frames[0].returned = p.arg(o, 0)
	p.Target = exitTarget
	return true
}

func aborts(p *Path, _ *operation) bool {
	p.Trapped = true
	return true
}

// memoryFunctions give memory, fill and copy it.
var memoryFunctions = map[string]library{
	"malloc":  func(p *Path, o *operation) bool { return p.givesMemory(o, p.arg(o, 0)) },
	"calloc":  cleared,
	"realloc": resized,
	"free":    frees,
	"memset":  func(p *Path, o *operation) bool { return p.intoMemory(o, p.fillMemory) },
	"memcpy":  func(p *Path, o *operation) bool { return p.intoMemory(o, p.copyMemory) },
	"memmove": func(p *Path, o *operation) bool { return p.intoMemory(o, p.copyMemory) },
	"qsort":   sorted,
}

// mostAllocated is how much memory there is for certain.
const mostAllocated = 1 << 30

// givesMemory gives fresh memory of so many bytes, or null, where no address space has room for as many.
func (p *Path) givesMemory(o *operation, size int64) bool {
	if p.Transcript != nil && size < 0 {
		return p.gives(o, 0)
	}
	if size > mostAllocated {
		p.guess()
	}
	return p.gives(o, p.allocate(size))
}

func cleared(p *Path, o *operation) bool {
	n := int64(1<<symbolBits - 1)
	if p.Transcript != nil { // what lies behind the block is not known
		count, size := p.arg(o, 0), p.arg(o, 1)
		switch {
		case count >= 0 && size >= 0 && (count == 0 || size <= mostAllocated/count):
			n = count * size
		default:
			p.guess()
		}
	}
	at := p.allocate(n)
	p.fillMemory(at, 0, n)
	return p.gives(o, at)
}

func resized(p *Path, o *operation) bool {
	at, size := p.arg(o, 0), p.arg(o, 1)
	switch {
	case at == 0 || size < 0 && p.Transcript != nil:
		return p.givesMemory(o, size)
	case p.Transcript == nil:
		return p.gives(o, at)
	case size == 0 || size > mostAllocated || !p.isBlock(at):
		p.guess()
	}
	// Whether it is moved nobody knows. What still uses the old block is a mistake, and is one here, too.
	to := p.allocate(size)
	p.moveKnown(to, at, size)
	p.freed = append(p.freed, at)
	return p.gives(o, to)
}

// moveKnown copies what is known of so many bytes: what lies behind them stays unknown.
func (p *Path) moveKnown(to, from, n int64) {
	p.spend(p.begun)
	old := slices.Clone(p.log) // which grows
	for k := range old {
		g := &old[k]
		for off := range int64(8) {
			if at := g.at<<3 + off; at >= from && at < from+n && g.written>>off&1 != 0 {
				b, _ := p.byteAt(at, false)
				p.put(to+at-from, uint64(b), 1)
			}
		}
	}
	for _, f := range p.fills[:len(p.fills):len(p.fills)] {
		lo, hi := max(f.from, from), min(f.to, from+n)
		if hi-lo > mostWritten {
			p.guess()
			continue
		}
		for at := lo; at < hi; at++ {
			b, _ := p.byteAt(at, false)
			p.put(to+at-from, uint64(b), 1)
		}
	}
}

// frees gives memory back. What C leaves undefined is a guess: that of anything but a block, which is
// given back once.
func frees(p *Path, o *operation) bool {
	switch at := p.arg(o, 0); {
	case p.Transcript == nil || at == 0:
	case !p.isBlock(at):
		p.guess()
	default:
		p.freed = append(p.freed, at)
	}
	return true
}

// isBlock says that memory of its own begins at an address, which was not given back.
func (p *Path) isBlock(at int64) bool {
	_, off, isObject := ObjectAt(at)
	return (isObject && off == 0 || at > firstHeap && at < firstGlobal && at&(1<<symbolBits-1) == 0) && !slices.Contains(p.freed, at)
}

func (p *Path) intoMemory(o *operation, how func(at, what, n int64)) bool {
	at, what, n := p.arg(o, 0), p.arg(o, 1), p.arg(o, 2)
	if p.Trapped = n > 0 && nearNull(at) || n < 0 && p.Transcript != nil; !p.Trapped { // more than there is
		how(at, what, n)
	}
	return p.gives(o, at)
}

// sorted is qsort, as a stable merge sort: that of glibc.
func sorted(p *Path, o *operation) bool {
	base, n, size := p.arg(o, 0), p.arg(o, 1), p.arg(o, 2)
	compare := p.function(p.arg(o, 3))
	if compare == nil || size <= 0 || size > p.mostSize() || n > mostSorted || len(compare.code.Func.Params) != 2 {
		return false
	}
	if n < 2 {
		return true
	}
	if p.Trapped = nearNull(base); p.Trapped {
		return true
	}
	order, ok := p.mergeSort(compare, base, size, 0, n)
	if !ok {
		return true
	}
	p.permute(base, size, order)
	return true
}

// Elements that are sorted are of at most so many bytes, or of exactSize, and not more than mostSorted.
const mostSize, exactSize, mostSorted = 64, 4096, 256

func (p *Path) mostSize() int64 {
	if p.Transcript != nil {
		return exactSize
	}
	return mostSize
}

// mergeSort orders the elements from lo to hi; false when a comparison did not come back.
func (p *Path) mergeSort(compare *Code, base, size, lo, hi int64) ([]int64, bool) {
	if hi-lo == 1 {
		return []int64{lo}, true
	}
	mid := (lo + hi) / 2
	a, ok := p.mergeSort(compare, base, size, lo, mid)
	if !ok {
		return nil, false
	}
	b, ok := p.mergeSort(compare, base, size, mid, hi)
	if !ok {
		return nil, false
	}
	out := make([]int64, 0, hi-lo)
	for len(a) > 0 && len(b) > 0 {
		x, ok := p.ask(compare, []int64{base + a[0]*size, base + b[0]*size})
		if !ok {
			return nil, false
		}
		if int32(x) <= 0 {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...), true
}
