package concrete

import (
	"math"

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
	"malloc":  func(p *Path, o *operation) bool { return p.gives(o, p.allocate()) },
	"calloc":  cleared,
	"realloc": resized,
	"free":    func(*Path, *operation) bool { return true },
	"memset":  func(p *Path, o *operation) bool { return p.intoMemory(o, p.fillMemory) },
	"memcpy":  func(p *Path, o *operation) bool { return p.intoMemory(o, p.copyMemory) },
	"memmove": func(p *Path, o *operation) bool { return p.intoMemory(o, p.copyMemory) },
	"qsort":   sorted,
}

func cleared(p *Path, o *operation) bool {
	at, n := p.allocate(), int64(1<<symbolBits-1)
	if p.Transcript != nil { // what lies behind the block is not known
		if count, size := p.arg(o, 0), p.arg(o, 1); count >= 0 && size >= 0 && (count == 0 || size <= n/count) {
			n = count * size
		}
	}
	p.fillMemory(at, 0, n)
	return p.gives(o, at)
}

func resized(p *Path, o *operation) bool {
	if at := p.arg(o, 0); at != 0 {
		return p.gives(o, at)
	}
	return p.gives(o, p.allocate())
}

func (p *Path) intoMemory(o *operation, how func(at, what, n int64)) bool {
	at, what, n := p.arg(o, 0), p.arg(o, 1), p.arg(o, 2)
	if p.Trapped = n > 0 && nearNull(at); !p.Trapped {
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
