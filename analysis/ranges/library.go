package ranges

import (
	llir "github.com/llir/llvm/ir"
	"github.com/llir/llvm/ir/constant"
	"github.com/llir/llvm/ir/value"

	"github.com/winnow-mutants/winnow/analysis/libc"
	"github.com/winnow-mutants/winnow/ir"
)

// characters is what toupper and tolower take and return.
var characters = Interval(libc.Character)

// callResult is what a call of a width returns. A function that the module
// defines is never taken for the library's.
func callResult(call *llir.InstCall, width uint) Interval {
	full, called := fullOrNone(width), libc.Called(call)
	if called == nil || width == 0 {
		return full
	}
	known := Interval(called.Returns)
	switch {
	case called.Has(libc.Scans):
		return full.Meet(Interval{-1, int64(max(0, len(call.Args)-called.Format))})
	case !called.Returns.Bounded() || full.Meet(known).IsEmpty():
		return full
	}
	return full.Meet(known)
}

// isCase reports a call of toupper or tolower, whose result is a character when
// its argument is.
func isCase(call *llir.InstCall) bool {
	return libc.Called(call).Has(libc.Letter) && len(call.Args) == 1
}

// filled is what a call leaves in the memory that it writes, nil for anything:
// memset of bytes that are all zeros or all ones, and memcpy from a constant, as
// clang makes of the initial values of arrays.
func filled(call *llir.InstCall, width uint) *Interval {
	called := libc.Called(call)
	if called == nil || len(call.Args) < 3 {
		return nil
	}
	switch from := ir.Unwrap(call.Args[1]); called.Name {
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
