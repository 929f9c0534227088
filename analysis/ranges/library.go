package ranges

import (
	"math"
	"strings"

	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/ir"
)

// longest bounds the length of what is in memory: half of the addresses.
const longest = math.MaxInt64 / 2

// library is what C library functions return (C11, chapter 7): EOF is -1, RAND_MAX
// the greatest int, and a character is one that unsigned char holds, all of which
// is so in the libraries that winnow runs with.
var library = map[string]Interval{
	"strlen": {0, longest}, "strnlen": {0, longest}, "strspn": {0, longest}, "strcspn": {0, longest},
	"fread": {0, longest}, "fwrite": {0, longest}, "getline": {-1, longest},
	"getchar": {-1, 255}, "getc": {-1, 255}, "fgetc": {-1, 255}, "ungetc": {-1, 255}, "getchar_unlocked": {-1, 255},
	"putchar": {-1, 255}, "putc": {-1, 255}, "fputc": {-1, 255},
	"rand": {0, math.MaxInt32}, "random": {0, math.MaxInt32}, "abs": {0, math.MaxInt64}, "labs": {0, math.MaxInt64}, "llabs": {0, math.MaxInt64},
	"ftell": {-1, math.MaxInt64}, "clock": {-1, math.MaxInt64}, "time": {-1, math.MaxInt64},
	"printf": {-1, math.MaxInt64}, "fprintf": {-1, math.MaxInt64}, "sprintf": {-1, math.MaxInt64}, "snprintf": {-1, math.MaxInt64}, "puts": {-1, math.MaxInt64},
	"isalpha": {0, math.MaxUint16}, "isdigit": {0, math.MaxUint16}, "isalnum": {0, math.MaxUint16}, "isspace": {0, math.MaxUint16},
	"isupper": {0, math.MaxUint16}, "islower": {0, math.MaxUint16}, "ispunct": {0, math.MaxUint16}, "isprint": {0, math.MaxUint16},
	"iscntrl": {0, math.MaxUint16}, "isgraph": {0, math.MaxUint16}, "isxdigit": {0, math.MaxUint16}, "isblank": {0, math.MaxUint16},
}

// characters is what toupper and tolower take and return.
var characters = Interval{-128, 255}

// callResult is what a call of a width returns. A function that the module
// defines is never taken for the library's.
func (f *Facts) callResult(call *llir.InstCall, width uint) Interval {
	full := fullOrNone(width)
	callee, ok := call.Callee.(*llir.Func)
	if !ok || len(callee.Blocks) > 0 || width == 0 {
		return full
	}
	name := strings.TrimPrefix(strings.TrimPrefix(callee.Name(), "__isoc99_"), "__isoc23_")
	switch name {
	case "scanf", "fscanf", "sscanf":
		format := 1
		if name != "scanf" {
			format = 2
		}
		return full.Meet(Interval{-1, int64(max(0, len(call.Args)-format))})
	}
	known, ok := library[name]
	if !ok || full.Meet(known).IsEmpty() {
		return full
	}
	return full.Meet(known)
}

// isCase reports a call of toupper or tolower, whose result is a character when
// its argument is.
func isCase(call *llir.InstCall) bool {
	callee, ok := call.Callee.(*llir.Func)
	return ok && len(callee.Blocks) == 0 && len(call.Args) == 1 && (callee.Name() == "toupper" || callee.Name() == "tolower")
}

// filled is what a call leaves in the memory that it writes, nil for anything:
// memset of bytes that are all zeros or all ones, and memcpy from a constant, as
// clang makes of the initial values of arrays.
func filled(call *llir.InstCall, width uint) *Interval {
	callee, ok := call.Callee.(*llir.Func)
	if !ok || len(callee.Blocks) > 0 || len(call.Args) < 3 {
		return nil
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(callee.Name(), "llvm."), ".")
	switch from := ir.Unwrap(call.Args[1]); name {
	case "memset":
		if c, ok := from.(*constant.Int); ok {
			switch x := c.X.Int64() & 255; {
			case x == 0:
				return &Interval{0, 0}
			case x == 255 && width > 1:
				return &Interval{-1, -1}
			}
		}
	case "memcpy":
		object, _ := rootOf(from)
		if g, ok := object.(*llir.Global); ok && g.Immutable {
			if out := initial(g, width); !out.IsEmpty() && out != Full(width) {
				return &out
			}
		}
	}
	return nil
}

// constantMemory is what a load that is of no cell can give.
func constantMemory(load *llir.InstLoad) Interval {
	width := widthOf(load.Type())
	if width == 0 {
		return Interval{}
	}
	object, p := rootOf(load.Src)
	if g, ok := object.(*llir.Global); ok && g.Immutable && p != cast {
		return initial(g, width)
	}
	return Full(width)
}

// initial is what the integers of a global start as: those of its elements where
// it is one or an array of them, else anything.
func initial(g *llir.Global, width uint) Interval {
	element, _, _ := elementOf(g.ContentType)
	if g.Init == nil || widthOf(element) != width {
		return Full(width)
	}
	return contentOf(g.Init, width)
}

func contentOf(c constant.Constant, width uint) Interval {
	switch c := c.(type) {
	case *constant.Int:
		return Exactly(numberOf(c, width))
	case *constant.ZeroInitializer:
		return Exactly(0)
	case *constant.CharArray:
		out := Empty
		for _, x := range c.X {
			out = out.Join(Exactly(int64(int8(x))))
		}
		return out
	case *constant.Array:
		out := Empty
		for _, e := range c.Elems {
			out = out.Join(contentOf(e, width))
		}
		return out
	}
	return Full(width)
}

// replacesAll reports a call of memset or memcpy, as filled knows them, that
// writes a whole array.
func (c *cell) replacesAll(call *llir.InstCall) bool {
	length, ok := ir.Unwrap(call.Args[2]).(*constant.Int)
	if !ok {
		return false
	}
	object, start := startOfObject(ir.Unwrap(call.Args[0]))
	return object == c.object && start && length.X.IsUint64() && length.X.Uint64() >= c.bytes
}

// startOfObject is rootOf, and whether the address is that of the first byte.
func startOfObject(address value.Value) (object value.Value, start bool) {
	start = true
	zeros := func(indices ...value.Value) {
		for _, i := range indices {
			c, ok := i.(*constant.Int)
			start = start && ok && c.X.Sign() == 0
		}
	}
	for v := address; ; {
		switch a := v.(type) {
		case *llir.InstGetElementPtr:
			zeros(a.Indices...)
			v = a.Src
		case *constant.ExprGetElementPtr:
			for _, i := range a.Indices {
				zeros(unindexed(i))
			}
			v = a.Src
		case *llir.InstBitCast:
			v = a.From
		case *constant.ExprBitCast:
			v = a.From
		default:
			return v, start
		}
	}
}

// unindexed takes the attributes off an index of a constant address.
func unindexed(c constant.Constant) value.Value {
	if i, ok := c.(*constant.Index); ok {
		return i.Constant
	}
	return c
}

// startOf is what a cell holds where the function starts.
func (f *Facts) startOf(c *cell) Interval {
	if g, ok := c.object.(*llir.Global); ok && f.isMain() {
		return initial(g, c.width)
	}
	return Full(c.width)
}
